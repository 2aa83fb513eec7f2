"""Talk: what people say in a conversation that asks for no act. It is answered, and nothing is done.

A greeting or a "thank you" is talk only where it is neither a request nor an answer. "Why?", "what will that do?" and "hmm"
are said to what is open, so there they are heard before anything that could be an answer.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast, get_args

from core.base.late_dataclasses import dataclass, replace
from core.language.grammars.grammar import VerbPhrases
from core.language.meanings.interpretation import TalkKind
from core.language.talk.control import ControlReader, Controls, load_controls
from core.language.talk.languages import load_said

ABOUT_QUESTIONS = frozenset[TalkKind]({"why", "explain", "unsure"})
"""What is said to a question rather than in answer to it."""

_KINDS = frozenset(get_args(TalkKind))
# Said by the way, beside what counts: "hello, what can you do".
_LIGHT: frozenset[str] = frozenset({"greet", "thank", "praise", "apology", "unsure"})


@dataclass(frozen=True, slots=True)
class Talk:
    """What a language says and hears where nothing is to be done. Data only.

    Attributes:
        phrases: Ways to say each kind of talk, without slots.
        fragments: What ``<name>`` in a phrase stands for, besides the fragments of the controls.
        changing: How an earlier request is changed, by the kind of change, in the notation of phrases.
        perhaps_changing: The same in words that may as well mean nothing of this.
        changing_fragments: What ``<name>`` in these stands for.
    """

    phrases: tuple[VerbPhrases, ...]
    fragments: Mapping[str, str]
    changing: Mapping[str, Sequence[str]]
    perhaps_changing: Mapping[str, Sequence[str]]
    changing_fragments: Mapping[str, str]
    replies: Mapping[str, str]
    free: frozenset[str] = frozenset()
    examples: tuple[str, ...] = ()

    def quote(self, texts: tuple[str, ...], joint: str = "last_joint") -> str:
        """Return texts in quotes, as a line of them is said."""
        said = [self.replies["quoted"].format(each) for each in texts]
        front = self.replies["example_joint"].join(said[:-1])
        return self.replies[joint].join(filter(None, (front, *said[-1:])))


@cache
def load_talk(tag: str) -> Talk:
    """Return what is said in a conversation that asks for no act, and what is said back; it is read once, and not before it is needed."""
    return load_said(tag, "talk", Talk)


class TalkReader:
    """Reads talk; one for each language."""

    def __init__(self, talk: Talk, controls: Controls) -> None:
        fragments = {**controls.fragments, **talk.fragments}
        said = replace(controls, phrases=talk.phrases, fragments=fragments, doubts=(), questions=(), negations=())
        self._reader = ControlReader(said, _KINDS, fewest=False)

    def read(self, utterance: str) -> TalkKind | None:
        """Return what an utterance says; None if it is no talk, or not all of it."""
        kinds = self._reader.list_kinds(utterance)
        telling = [kind for kind in kinds if kind not in _LIGHT]
        return cast("TalkKind", (telling or kinds[-1:])[0]) if kinds else None


@cache
def load_talk_reader(language: str) -> TalkReader:
    """Return what reads talk; one for each language, however many talk."""
    return TalkReader(load_talk(language), load_controls(language))
