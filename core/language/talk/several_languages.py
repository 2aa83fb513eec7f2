"""SeveralLanguages: understands a person in the language of the conversation, and a sentence of another language as such.

The conversation's language comes first: what it understands means that, whatever it would mean elsewhere. Only a sentence that
it refuses is tried in another one, and only if the sentence shows signs of it, so that nothing is loaded for others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.base.late_parts import compile_late
from core.language.meanings.contexts import START, Context
from core.language.meanings.interpretation import GoalInterpreter, Interpretation, Situation, SpokenControl
from core.language.sentences.literals import try_find_literals
from core.language.talk.languages import FOLDERS, load_signs

if TYPE_CHECKING:
    from core.language.talk.control import ControlReader

_UNCLEAR = frozenset({"no_intent_match"})
_WORD = compile_late(r"[^\W\d_]+")


def list_likely(utterance: str, language: str, others: Iterable[str] = tuple(FOLDERS)) -> Iterator[str]:
    """Yield the languages that an utterance shows signs of; one without signs, where it shows none of the first.

    Args:
        utterance: What somebody said; what stands in quotes is no sign.
        language: The language of the conversation, which is none of them.
        others: The languages that there are, in order.
    """
    sentence = try_find_literals(utterance)
    words = {word.lower() for word in _WORD.findall(sentence.mask)} if sentence else set[str]()
    own = load_signs(language)
    for tag in others:
        signs = load_signs(tag)
        if tag != language and (words & signs if signs else words and own and not words & own):
            yield tag


@cache
def load_control_reader(language: str) -> "ControlReader":
    """Return what reads words to an open question or a run; one for each language, however many ask: its words are many."""
    # Loaded here: a first sentence has no question and no run to speak to.
    controls = import_module("core.language.talk.control")
    return controls.ControlReader(controls.load_controls(language))


def hear_control(utterance: str, situation: Situation, language: str = "en") -> SpokenControl | None:
    """Return what an utterance says to an open question or a run, in a language or in one that it is clearly said in."""
    if control := load_control_reader(language).read(utterance, situation):
        return control
    heard = (load_control_reader(tag).read(utterance, situation) for tag in list_likely(utterance, language))
    return next((control for control in heard if control), None)


class SeveralLanguages:
    """Understands utterances in one language, and in others where they are clearly said in these."""

    def __init__(
        self, make: Callable[[str], GoalInterpreter], language: str = "en", others: Sequence[str] = tuple(FOLDERS)
    ) -> None:
        """Take the languages, others in the order of their tries; nothing is read before the first utterance."""
        self._make = make
        self.language = language
        """Tag of the language of the conversation."""
        self._others = tuple(tag for tag in others if tag != language)
        self._made: dict[str, GoalInterpreter] = {}

    def interpret(
        self, utterance: str, situation: Situation = Situation.NOTHING, context: Context = START
    ) -> Interpretation:
        """Return the goals of an utterance, a control, or why there is neither; see ``GoalInterpreter``.

        What no language understands is refused in the words of the one that it seems to be said in.
        """
        first = self._get(self.language).interpret(utterance, situation, context)
        if first.refusal is None:
            return first
        refused = first
        for tag in list_likely(utterance, self.language, self._others):
            found = self._get(tag).interpret(utterance, situation, context)
            if found.refusal is None:
                return found
            if refused is first and first.refusal.code in _UNCLEAR:
                refused = found
        return refused

    def propose(self, utterance: str, refused: Interpretation, context: Context = START) -> Interpretation:
        """Return a refusal with a question about what was probably meant; see ``GoalInterpreter``."""
        for tag in (self.language, *list_likely(utterance, self.language, self._others)):
            proposed = self._get(tag).propose(utterance, refused, context)
            if proposed is not refused:
                return proposed
        return refused

    def read_control(self, utterance: str, situation: Situation) -> SpokenControl | None:
        """Return what an utterance says to an open question or a run; see ``GoalInterpreter``."""
        if control := self._get(self.language).read_control(utterance, situation):
            return control
        likely = list_likely(utterance, self.language, self._others) if situation else ()
        controls = (self._get(tag).read_control(utterance, situation) for tag in likely)
        return next((control for control in controls if control), None)

    def _get(self, tag: str) -> GoalInterpreter:
        if tag not in self._made:
            self._made[tag] = self._make(tag)
        return self._made[tag]
