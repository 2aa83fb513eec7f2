"""DesktopLog: what was recorded of programs so far, as steps, behind the one that brought the first of them up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from actuators.desktop.ports.recordings import DesktopEvent
from agent.recording.desktop_steps import list_desktop_steps
from agent.recording.recorded_log import RecordedLog
from agent.recording.steps import RecordedStep
from agent.requests.flow_writing import WrittenStep, write_flow
from core.base.errors import GoalError
from core.base.phrases import fold_text
from core.goals.meta_goals import Goal
from core.policy.policy import Policy


@dataclass(slots=True)
class DesktopLog(RecordedLog):
    """Takes events as they come, and writes the flow at any moment.

    Attributes:
        first: What the flow does first: starting the program, or bringing its window to the front.
    """

    first: Goal | None = None
    events: list[DesktopEvent] = field(default_factory=list[DesktopEvent])
    _known: tuple[int, tuple[RecordedStep, ...]] = (-1, ())

    def take(self, event: DesktopEvent) -> None:
        """Take an event."""
        self.events.append(event)

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """What a flow of it would do by now."""
        if self._known[0] != len(self.events):
            opening = (RecordedStep(None, self.first),) if self.first else ()
            self._known = len(self.events), (*opening, *list_desktop_steps(self.events))
        return self._known[1]

    @property
    def has_faults(self) -> bool:
        """Whether something could not be noticed."""
        return any(event.kind == "fault" for event in self.events)

    def write(self, name: str, remarks: Sequence[str] = ()) -> str:
        """Return the flow.

        Args:
            remarks: Lines that stand above it.

        Raises:
            GoalError: ``nothing_recorded`` if nothing was done; ``flow_not_writable`` if it can't be said in a flow.
        """
        if not any(step.act for step in self.steps):
            raise GoalError(
                "Nothing was recorded.", code="nothing_recorded", hint="Do something in the program before you end."
            )
        told = [*remarks, *self.list_remarks()]
        return write_flow(fold_text(name), tuple(self._write_steps()), Policy(), told)

    def _write_steps(self) -> Iterator[WrittenStep]:
        """Yield each step, and behind it the wait for what is expected of it."""
        accepted = self.acceptance.list_accepted(self.steps)
        for step in self.steps:
            if step.goal:
                yield WrittenStep(goal=step.goal)
            if step.goal and step.expectation and step.key in accepted:
                yield WrittenStep(goal=Goal("desktop", "wait", dict(step.expectation)))
