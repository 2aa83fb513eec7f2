"""The events of a run, typed, in the order in which they occur."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .questions import AskedQuestion
from .reports import Problem, RunReport
from .told import Record, Told


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
    """What was asked for was planned."""

    @property
    def plan(self) -> Record:
        """The graph: nodes, edges and layers."""
        return self.record.get("plan") or {}

    @property
    def plan_digest(self) -> str:
        """Of all actions together."""
        return str(self.record.get("plan_digest", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRefused(RunEvent):
    """Nothing was done."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why."""
        return tuple(map(Problem.read, self.record.get("errors") or ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(RunEvent):
    """A person was asked."""

    @property
    def question(self) -> AskedQuestion:
        """What was asked."""
        return AskedQuestion.read(self.record)


@dataclass(frozen=True, slots=True, kw_only=True)
class _AboutStep(RunEvent):
    @property
    def action_id(self) -> str:
        """The step."""
        return str(self.record.get("action_id", ""))

    @property
    def description(self) -> str:
        """What it does, in words."""
        return str(self.record.get("description", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBegun(_AboutStep):
    """A step began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnded(_AboutStep):
    """A step ended."""

    @property
    def status(self) -> str:
        """``ok``, ``failed``, ``refused``, ``skipped`` or ``cancelled``."""
        return str(self.record.get("status", ""))

    @property
    def effect(self) -> str:
        """``confirmed``, ``unverified`` or ``none``."""
        return str(self.record.get("effect", "none"))

    @property
    def output(self) -> Record:
        """What it gave."""
        return self.record.get("output") or {}

    @property
    def evidence(self) -> Record:
        """What was read back."""
        return self.record.get("evidence") or {}

    @property
    def problem(self) -> Problem | None:
        """What went wrong, where something did."""
        error = self.record.get("error")
        return Problem.read(error) if error else None

    @property
    def ms(self) -> float:
        """Milliseconds that it took."""
        return float(self.record.get("ms") or 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSaid(RunEvent):
    """Something was said to the person."""

    @property
    def text(self) -> str:
        """Fit to be spoken."""
        return str(self.record.get("text", ""))


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
