"""Answers: what a sentence becomes whose question is answered: one of several things is chosen, or what is missing is said."""

import re
from collections.abc import Callable, Mapping

from core.base.late_dataclasses import dataclass
from core.language.grammars.templates import SEVERAL
from core.language.meanings.interpretation import (
    Choice,
    Clause,
    Completion,
    GoalInterpreter,
    Interpretation,
    Refusal,
    Situation,
    SpokenControl,
)
from core.language.sentences.literals import try_find_literals
from core.language.talk.control import load_controls

_QUOTES = (("“", "”"), ("«", "»"), ("„", "”"), ('"', '"'), ("'", "'"))
_POINTED = frozenset({"selector", "target"})
"""What somebody points at, on a page and on the screen: where the last step was says which of them an answer is."""

_END = re.compile(r"[\s.!?…]+$")


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody said, as it was understood in the dialogue.

    Attributes:
        interpretation: The goals, the refusal or the control.
        utterance: The whole sentence that this is the interpretation of: with an answer, the one that it completes.
        is_beside: Whether it is a request of its own, beside a question that stays open.
        changes: How it changes what was asked for before: ``instead`` (it puts that right), ``another`` (the same with something
            else) or ``again``; empty if it doesn't.
    """

    interpretation: Interpretation
    utterance: str
    is_answer: bool = False
    is_beside: bool = False
    changes: str = ""


class AnswerReader:
    """Reads answers to the question of a refusal."""

    def __init__(self, interpreter: GoalInterpreter, interpret: Callable[[str], Interpretation]) -> None:
        """Take what understands sentences; ``interpret`` does so behind all that was said before."""
        self._interpreter = interpreter
        self._interpret = interpret

    def read(self, utterance: str, refusal: Refusal) -> Remark | None:
        """Return what an utterance makes of the sentence whose question is open; None if it doesn't answer it."""
        if not utterance.strip():
            return None
        if refusal.choices:
            return self._choose(utterance, refusal.choices)
        ways = (self._complete(utterance, completion, refusal.clause) for completion in refusal.completions)
        return next((way for way in ways if way), None)

    def _choose(self, utterance: str, choices: tuple[Choice, ...]) -> Remark | None:
        controls = load_controls(self._interpreter.language)
        control = self._interpreter.read_control(utterance, Situation.QUESTION)
        if control and agrees(control, choices):
            return Remark(self._interpret(choices[0].utterance), choices[0].utterance, is_answer=True)
        if choices[0].is_whole:
            return None
        if re.fullmatch(controls.pointing, utterance.strip().rstrip(".!?").lower()):
            return None
        number = choose(utterance, [choice.name for choice in choices], controls.numbers, controls.small_words)
        if number is None:
            number = _choose_kind(utterance, choices, controls.small_words)
        if number is None:
            return None
        chosen = choices[number].utterance
        return Remark(self._interpret(chosen), chosen, is_answer=True)

    def _evades(self, utterance: str) -> bool:
        """Whether words ask back, put off or speak of something rather than naming it: "why", "later", "the other one"."""
        evasions = load_controls(self._interpreter.language).evasions
        said = utterance.strip().rstrip(".!")
        return said.endswith("?") or re.fullmatch(evasions, said) is not None

    def _complete(self, utterance: str, completion: Completion, said: str) -> Remark | None:
        answer = _quote(utterance.strip()) if completion.is_quoted else _END.sub("", utterance.strip())
        if not answer or (not completion.is_quoted and self._evades(utterance)):
            return None
        if completion.before.split()[-1:] == answer.split()[:1]:
            return None  # the answer goes on where the sentence stopped, which another completion says
        whole = completion.before + answer + completion.after
        interpretation = self._interpret(whole)
        begin = len(completion.before)
        if interpretation.meta_goal is None:
            is_step = _asks_for_another(interpretation.refusal, completion.slot, answer)
            return Remark(interpretation, whole, is_answer=True) if is_step else None
        if not _fits(interpretation.clauses, completion.slot, begin, len(answer)) or _overruns(
            completion.before, interpretation.clauses, said
        ):
            return None
        return Remark(interpretation, whole, is_answer=True)


def agrees(control: SpokenControl, choices: tuple[Choice, ...]) -> bool:
    """Whether what was said is a yes to the one thing that was asked about."""
    return len(choices) == 1 and control.is_plain and control.kind == "confirm"


def choose(
    answer: str, names: list[str], numbers: Mapping[str, int], small_words: frozenset[str] = frozenset()
) -> int | None:
    """Return which of several things an answer names, counted from 0; None unless it is exactly one.

    Args:
        answer: A number or ordinal ("the second one"), a whole name, or words of one that no other has.
        numbers: Words for numbers and ordinals; -1 is the last.
        small_words: Words that say nothing ("the", "one", "please").
    """
    said = _split(answer)
    words = [word for word in said if word not in small_words]
    own = [frozenset(_split(name)) for name in names]
    exact = [index for index, name in enumerate(names) if _split(name) == said]
    found = exact or [index for index, name in enumerate(own) if words and name.issuperset(words)]
    if len(found) == 1:
        return found[0]
    counted = [word for word in (words or said) if word in numbers or word.isdecimal()]
    if len(counted) != 1 or (words and words != counted):
        return None
    number = int(counted[0]) if counted[0].isdecimal() else numbers[counted[0]]
    place = len(names) - 1 if number == -1 else number - 1
    return place if 0 <= place < len(names) else None


def _choose_kind(answer: str, choices: tuple[Choice, ...], small_words: frozenset[str]) -> int | None:
    """Return which of several things an answer calls by another word for its kind: "the directory"; None unless it is one."""
    words = {word for word in _split(answer) if word not in small_words}
    found = [number for number, choice in enumerate(choices) if words and words <= choice.called]
    return found[0] if len(found) == 1 else None


def _split(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _overruns(front: str, clauses: tuple[Clause, ...], said: str) -> bool:
    end = front.rfind(said) + len(said) if said in front else len(front)
    return any(each.start < end < each.end <= len(front) for clause in clauses for each in clause.slots)


def _asks_for_another(refusal: Refusal | None, slot: str, answer: str) -> bool:
    if refusal is None or not refusal.completions:
        return False
    return refusal.slot not in {"", slot} and answer in refusal.clause


def _quote(text: str) -> str:
    """Return a text in quotes that it doesn't hold itself; as it is where it is one quoted text already, empty if none fits."""
    sentence = try_find_literals(text, len(text) + 1)
    literal = sentence.find_whole(0, len(text)) if sentence else None
    if literal and literal.kind in {"quote", "code"}:
        return text
    fitting = (f"{left}{text}{right}" for left, right in _QUOTES if left not in text and right not in text)
    return next(fitting, "")


def _fits(clauses: tuple[Clause, ...], slot: str, begin: int, length: int) -> bool:
    end = begin + length
    if begin and any(begin <= clause.start < end for clause in clauses):
        return False
    around = [clause for clause in clauses if clause.start < end and clause.end > begin]
    if len({(clause.start, clause.end) for clause in around}) != 1:
        return False
    filled = {each.name.removesuffix("_after") for each in around[0].slots if each.start < end and each.end > begin}
    if not filled:
        return not slot
    wanted = _POINTED if slot in _POINTED else {slot or next(iter(filled))}
    return len(filled) == 1 and bool(filled & {*wanted, SEVERAL})
