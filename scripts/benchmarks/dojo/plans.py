"""Trusted plans: the calls of a task's ground truth as goals, in which every value that was read is a reference.

A value stands in a plan as it is only if the person's words say it (a date in whichever form), or if nothing had been read when it was needed. Everything else, also what is worked out
or put into words of one's own, is taken out of what was read by a step of its own, so that whoever wrote what was read has it in his hands.
"""

import re
from calendar import month_name
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.goals.meta_goals import ROOT, Goal
from core.goals.references import Reference, bind_value
from core.planning.plans import freeze, thaw
from scripts.benchmarks.dojo.table import READING, TAKE, VALUE, SuiteTable

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_DATE_AND_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TEXT = "text"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of a suite's functions.

    Attributes:
        function: Its name.
        args: What it is given.
    """

    function: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TakenValue:
    """A value that a plan takes out of what was read.

    Attributes:
        value: What it is where nobody lies.
        function: The function that needs it.
        param: As what.
    """

    value: Any
    function: str
    param: str


@dataclass(frozen=True, slots=True)
class TrustedPlan:
    """What a person wants done.

    Attributes:
        goals: The calls, and the steps that take values out of what was read.
        literal: The calls alone, with the values in the place of references.
        taken: What is taken, by what it is called.
    """

    goals: tuple[Goal, ...]
    literal: tuple[Goal, ...]
    taken: Mapping[str, TakenValue]


def make_plan(table: SuiteTable, prompt: str, calls: Sequence[Call], answers: Sequence[str]) -> TrustedPlan:
    """Return the plan of a task.

    Args:
        table: Of the suite whose functions are called.
        prompt: The person's words.
        calls: The ground truth.
        answers: What each call gave where nobody lied.
    """
    writer = _PlanWriter(table.name, prompt)
    for call, answer in zip(calls, answers, strict=True):
        writer.add(call)
        writer.note_answer(answer, is_read=call.function not in table.acting - table.fetching)
    literal = tuple(Goal(table.name, call.function, _drop_absent(call.args)) for call in calls)
    return TrustedPlan(tuple(writer.goals), literal, writer.taken)


class Taker(Protocol):
    """Takes values out of what was read."""

    def take(self, taken: TakenValue) -> Any:
        """Return what was taken out of what was read."""
        ...


def bind_calls(plan: TrustedPlan, reader: Taker) -> list[Call]:
    """Return the calls of a plan with what a reader takes in the place of references.

    Args:
        plan: The plan.
        reader: Whoever reads.
    """
    outputs = {
        f"g{number}": {VALUE: reader.take(plan.taken[goal.params["what"]])}
        for number, goal in enumerate(plan.goals)
        if goal.domain == READING
    }
    return [
        Call(goal.verb, thaw(freeze(bind_value(goal.params, outputs)))) for goal in plan.goals if goal.domain != READING
    ]


def is_said(value: Any, prompt: str) -> bool:
    """Tell whether a person's words say a value; a switch, and what is empty, need not be said.

    Args:
        value: A text, a number or a switch.
        prompt: The words; a date may stand in them in words of its own.
    """
    if isinstance(value, bool) or value in (None, ""):
        return True
    if isinstance(value, int | float):
        return any(float(found.replace(",", "")) == float(value) for found in _NUMBER.findall(prompt))
    text = str(value).strip()
    if text.casefold() in prompt.casefold():
        return True
    if both := _DATE_AND_TIME.fullmatch(text):
        return all(is_said(part, prompt) for part in both.groups())
    return _says_date(text, prompt)


def _says_date(text: str, prompt: str) -> bool:
    """Tell whether words say a date as people do: its month by name, its day, and its year."""
    found = _DATE.fullmatch(text)
    if found is None or not 1 <= int(found[2]) <= 12:
        return False
    day = rf"{month_name[int(found[2])]} {int(found[3])}(st|nd|rd|th)?\b"
    return bool(re.search(day, prompt, re.IGNORECASE)) and found[1] in _NUMBER.findall(prompt)


def _drop_absent(args: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in args.items() if value is not None}


@dataclass(slots=True)
class _PlanWriter:
    """A plan that is being written.

    Attributes:
        suite: Whose functions are called.
        prompt: The person's words.
        goals: So far.
        taken: So far.
        answers: What earlier goals gave, by their ids.
        has_read: Whether something was read.
    """

    suite: str
    prompt: str
    goals: list[Goal] = field(default_factory=list[Goal])
    taken: dict[str, TakenValue] = field(default_factory=dict[str, TakenValue])
    answers: dict[str, str] = field(default_factory=dict[str, str])
    has_read: bool = False

    def add(self, call: Call) -> None:
        """Add a call behind those before it."""
        params = {name: self._vouch(value, call.function, name) for name, value in _drop_absent(call.args).items()}
        self._append(self.suite, call.function, params)

    def note_answer(self, answer: str, *, is_read: bool) -> None:
        """Note what the last goal gives."""
        self.answers[f"g{len(self.goals) - 1}"] = answer
        self.has_read = self.has_read or is_read

    def _vouch(self, value: Any, function: str, param: str) -> Any:
        """Return a value if it may stand in the plan, or else a reference to a step that takes it; of lists each item."""
        if isinstance(value, list | tuple):
            return tuple(self._vouch(each, function, param) for each in value)
        if isinstance(value, Mapping):
            return {name: self._vouch(each, function, param) for name, each in value.items()}
        if is_said(value, self.prompt) or not (self.has_read or self._find_answers(value)):
            return value
        what = f"{param} {len(self.taken) + 1} of {function}"
        self.taken[what] = TakenValue(value, function, param)
        sources = self._find_answers(value) or tuple(self.answers)
        return Reference(self._append(READING, TAKE, {"what": what, "of": self._refer(sources)}), VALUE)

    def _find_answers(self, value: Any) -> tuple[str, ...]:
        return tuple(goal_id for goal_id, answer in self.answers.items() if str(value) in answer)

    def _refer(self, goal_ids: Sequence[str]) -> tuple[Reference, ...]:
        return tuple(Reference(each, _TEXT) for each in goal_ids)

    def _append(self, domain: str, verb: str, params: Mapping[str, Any]) -> str:
        scope = f"after:g{len(self.goals) - 1}" if self.goals else ROOT
        self.goals.append(Goal(domain, verb, params, scope=scope))
        return f"g{len(self.goals) - 1}"
