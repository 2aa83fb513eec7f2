"""What understanding an utterance gives: goals, or a refusal, and the clauses behind either."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.goals import MetaGoal

RefusalCode = Literal["no_intent_match", "ambiguous", "missing_slot", "not_supported_here"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is done; it always concerns the whole utterance.

    Attributes:
        code: ``no_intent_match`` (not understood), ``ambiguous`` (more than one reading), ``missing_slot`` (one thing
            is missing) or ``not_supported_here`` (understood, but no verb does it).
        message: What was not understood and why.
        question: What to ask the person, fit to be spoken; empty where an answer wouldn't help.
        nearest: The nearest things that are understood, as example phrases.
        clause: The part of the utterance that was not understood, byte for byte.
    """

    code: RefusalCode
    message: str
    question: str = ""
    nearest: tuple[str, ...] = ()
    clause: str = ""


@dataclass(frozen=True, slots=True)
class SlotValue:
    """One slot of a phrase, as it was filled.

    Attributes:
        name: Name of the slot, which is that of the param.
        start: Where its words begin in the utterance, in characters.
        end: Where they end.
        value: What was read out of them.
    """

    name: str
    start: int
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class Clause:
    """One step as it was said.

    Attributes:
        start: Where it begins in the utterance, in characters.
        end: Where it ends.
        text: Its words, byte for byte.
        pattern: The phrase of the grammar that it matched, with its verb in front.
        domain: Domain of the goal.
        verb: Verb of the goal.
        params: Params of the goal.
        slots: The slots of the phrase.
    """

    start: int
    end: int
    text: str
    pattern: str
    domain: str
    verb: str
    params: Mapping[str, Any]
    slots: tuple[SlotValue, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Exactly one of goals and refusal.

    Attributes:
        meta_goal: What to do.
        refusal: Why nothing is done.
        clauses: The steps that were understood; behind a refusal, those in front of the one that wasn't.
    """

    meta_goal: MetaGoal | None = None
    refusal: Refusal | None = None
    clauses: tuple[Clause, ...] = ()
