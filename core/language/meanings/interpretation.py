"""What understanding an utterance gives: goals, a refusal or a control, and the clauses behind the first two."""

from collections.abc import Mapping
from enum import Flag, auto
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from core.base.late_dataclasses import dataclass, replace
from core.language.meanings.contexts import START, Context

if TYPE_CHECKING:
    from core.goals.meta_goals import MetaGoal

RefusalCode = Literal["no_intent_match", "ambiguous", "missing_slot", "not_supported_here"]
ControlKind = Literal["confirm", "deny", "stop", "undo", "repeat", "help", "status"]
TalkKind = Literal[
    "why",
    "explain",
    "unsure",
    "any",
    "ability",
    "greet",
    "thank",
    "farewell",
    "feeling",
    "identity",
    "presence",
    "praise",
    "blame",
    "apology",
    "chat",
]
"""What asks for no act: to say why, or what would be done; not to know, not to care; what can be said at all; and small talk."""


class Situation(Flag):
    """What an utterance may be said to.

    Attributes:
        NOTHING: Nothing is asked and nothing goes on, so that "yes" and "stop" mean nothing.
        DONE: Nothing of this, but a run has just ended: "undo that" means something, "stop" does not.
    """

    NOTHING = 0
    QUESTION = auto()
    RUN = auto()
    DONE = auto()


@dataclass(frozen=True, slots=True)
class SpokenControl:
    """What was said to whoever asked a question or is at work.

    Attributes:
        is_plain: Whether it is said in so many words; praise ("well done") is a yes, but no approval.
        kinds: All that was said, in order: "stop and say that again" is a stop and a repeat.
        is_pause: Whether it is a stop that may only mean a moment: "wait", "hold on".
    """

    kind: ControlKind
    is_plain: bool = True
    kinds: tuple[ControlKind, ...] = ()
    is_pause: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """A sentence with a gap that an answer may fill.

    Attributes:
        slot: The param that the answer must become; empty where any will do.
        is_quoted: Whether the answer is a text, which is put in quotes and taken byte for byte.
    """

    slot: str
    before: str
    after: str
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the things that a sentence can mean.

    Attributes:
        name: What people call it: ``the folder``.
        called: Other words for it, in lower case, by which it may be chosen where no other choice goes by them.
        is_whole: Whether only a yes chooses it, or itself said in full: it was put right, and a word of it may mean anything.
    """

    name: str
    utterance: str
    called: frozenset[str] = frozenset()
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class SlotValue:
    """One slot of a phrase, as it was filled.

    Attributes:
        start: Where its words begin in the utterance, in characters.
    """

    name: str
    start: int
    end: int
    value: Any

    def move(self, way: int) -> "SlotValue":
        """Return the same where its words stand so many characters further on."""
        return replace(self, start=self.start + way, end=self.end + way)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is done; it always concerns the whole utterance.

    Attributes:
        code: ``no_intent_match`` (not understood), ``ambiguous`` (more than one reading), ``missing_slot`` (one thing
            is missing) or ``not_supported_here`` (understood, but no verb does it).
        question: What to ask the person, fit to be spoken; empty where an answer wouldn't help.
        clause: The part of the utterance that was not understood, byte for byte.
        completions: How an answer to the question completes the utterance; the first that can be understood counts.
        choices: What the utterance can mean, where it is one of a few things.
        is_request: Whether words that mean nothing here begin as a request does, so that they are hardly an answer.
        slots: What was understood of the part that lacks something or is unclear.
    """

    code: RefusalCode
    message: str
    question: str = ""
    nearest: tuple[str, ...] = ()
    clause: str = ""
    slot: str = ""
    completions: tuple[Completion, ...] = ()
    choices: tuple[Choice, ...] = ()
    is_request: bool = False
    slots: tuple[SlotValue, ...] = ()

    @property
    def is_answerable(self) -> bool:
        """Whether an answer to its question can complete the sentence."""
        return bool(self.completions or self.choices)


@dataclass(frozen=True, slots=True)
class Clause:
    """One step as it was said.

    Attributes:
        text: Its words, byte for byte.
        pattern: The phrase of the grammar that it matched, with its verb in front.
    """

    start: int
    end: int
    text: str
    pattern: str
    domain: str
    verb: str
    params: Mapping[str, Any]
    slots: tuple[SlotValue, ...]

    @property
    def name(self) -> str:
        """``domain.verb``."""
        return f"{self.domain}.{self.verb}"


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Exactly one of goals, refusal, control and talk.

    Attributes:
        clauses: The steps that were understood; behind a refusal, those in front of the one that wasn't.
        control: What was said to an open question or a run that goes on; only where there is one.
        behind: What the next utterance of a conversation may refer to, once this one was carried out.
        talk: What was said that asks for no act; only in a conversation.
    """

    meta_goal: "MetaGoal | None" = None
    refusal: Refusal | None = None
    clauses: tuple[Clause, ...] = ()
    control: SpokenControl | None = None
    behind: Context = START
    talk: TalkKind | None = None


class Reading(NamedTuple):
    """What a mended sentence means.

    Attributes:
        said: What it comes to; two that mean the same are equal.
        is_goal: Whether it can be done as it stands; otherwise something is asked about it.
    """

    said: str
    is_goal: bool


class GoalInterpreter(Protocol):
    """Understands utterances."""

    @property
    def language(self) -> str:
        """Tag of the language that it understands."""
        ...

    def interpret(
        self, utterance: str, situation: Situation = Situation.NOTHING, context: Context = START
    ) -> Interpretation:
        """Return the goals of an utterance, or why there are none.

        Args:
            situation: What it may be said to; only where a question is open or a run goes on are there controls.

        Returns:
            Goals for all of it, a refusal of all of it, or a control; it never raises.
        """
        ...

    def propose(self, utterance: str, refused: Interpretation, context: Context = START) -> Interpretation:
        """Return a refusal with a question about what was probably meant, slips put right; as it was where that isn't clear."""
        ...

    def read_control(self, utterance: str, situation: Situation) -> SpokenControl | None:
        """Return only what an utterance says to an open question or a run; None if it says something else."""
        ...
