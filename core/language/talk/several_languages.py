"""SeveralLanguages: understands a person in the language of the conversation, and a sentence of another language as such.

The conversation's language comes first: what it understands means that, whatever it would mean elsewhere. Only a sentence that
it refuses is tried in another one, and only if the sentence shows signs of it, so that nothing is loaded for others.
"""

from collections.abc import Callable, Sequence

from core.language.meanings.contexts import START, Context
from core.language.meanings.interpretation import GoalInterpreter, Interpretation, Situation, SpokenControl
from core.language.talk.languages import FOLDERS
from core.language.talk.signs import list_likely

_UNCLEAR = frozenset({"no_intent_match"})


class SeveralLanguages:
    """Understands utterances in one language, and in others where they are clearly said in these."""

    def __init__(
        self, make: Callable[[str], GoalInterpreter], language: str = "en", others: Sequence[str] = tuple(FOLDERS)
    ) -> None:
        """Take the languages; nothing is read before the first utterance.

        Args:
            others: The languages that are tried besides, in this order.
        """
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
