"""The events of a run, typed, in the order in which they occur."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .questions import AskedQuestion
from .reports import Problem, RunReport
from .told import Record, Told, told_each


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent(Told):
    """What all events have in common; an event that a newer service tells is just this.

    Attributes:
        event: Its name: ``accepted``, ``step``, ``question`` and so on.
        seq: Position in the run, from 0.
    """

    event: str = ""
    run_id: str = ""
    seq: int = -1
    at_ms: float = 0.0
    record: Record = field(default_factory=dict[str, Any], repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAccepted(RunEvent):
    """What was asked for was planned.

    Attributes:
        plan: The graph: nodes, edges and layers.
        plan_digest: Of all actions together.
    """

    plan: Record = field(default_factory=dict[str, Any], repr=False)
    plan_digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRefused(RunEvent):
    """Nothing was done."""

    problems: tuple[Problem, ...] = told_each("errors", Problem.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(RunEvent):
    """A person was asked."""

    @property
    def question(self) -> AskedQuestion:
        """What was asked."""
        return AskedQuestion.read(self.record)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AboutStep(RunEvent):
    action_id: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBegun(_AboutStep):
    """A step began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnded(_AboutStep):
    """A step ended.

    Attributes:
        status: ``ok``, ``failed``, ``refused``, ``skipped`` or ``cancelled``.
        effect: ``confirmed``, ``unverified`` or ``none``.
        ms: Milliseconds that it took.
    """

    status: str = ""
    effect: str = "none"
    output: Record = field(default_factory=dict[str, Any], repr=False)
    evidence: Record = field(default_factory=dict[str, Any], repr=False)
    problem: Problem | None = field(default=None, metadata={"names": ("error",), "make": Problem.read})
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSaid(RunEvent):
    """Something was said to the person, fit to be spoken."""

    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerTold(RunEvent):
    """A planner told of its own work; ``record`` has what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(RunEvent):
    """The run ended."""

    report: RunReport = field(default_factory=lambda: RunReport(run_id=""))


_KINDS: Mapping[str, type[RunEvent]] = {
    "accepted": PlanAccepted,
    "planner.rejected": RequestRefused,
    "question": QuestionAsked,
    "say": TextSaid,
    "final": RunEnded,
}


def read_event(record: Record) -> RunEvent:
    """Return the typed event of a record; one that this client doesn't know is a plain `RunEvent`."""
    name = str(record.get("event", ""))
    if name == "step":
        return (StepBegun if record.get("status") == "started" else StepEnded).read(record)
    if name in _KINDS:
        return _KINDS[name].read(record)
    return (PlannerTold if name.startswith("planner.") else RunEvent).read(record)
