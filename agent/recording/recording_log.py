"""RecordingLog: what was recorded so far, as steps; and which expectations a person accepted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from actuators.browser.ports.recordings import PageEvent
from agent.recording.gathering import gather_acts
from agent.recording.leaving_out import leave_out
from agent.recording.recorded_log import RecordedLog
from agent.recording.steps import RecordedStep, list_steps, write_steps
from agent.requests.flow_writing import write_flow
from core.base.errors import GoalError
from core.base.phrases import fold_text
from core.policy.policy import Policy


@dataclass(slots=True)
class RecordingLog(RecordedLog):
    """Takes events as they come, and writes the flow at any moment."""

    workspace: Path
    events: list[PageEvent] = field(default_factory=list[PageEvent])
    _known: tuple[int, tuple[RecordedStep, ...]] = (-1, ())

    def take(self, event: PageEvent) -> None:
        """Take an event."""
        self.events.append(event)

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """What a flow of it would do by now."""
        if self._known[0] != len(self.events):
            acts = leave_out(gather_acts(self.events))
            self._known = len(self.events), list_steps(acts, self.workspace)
        return self._known[1]

    @property
    def uploads(self) -> tuple[str, ...]:
        """Paths of the files that were picked, as the flow has them."""
        found = [each.goal.params["path"] for each in self.steps if each.goal and each.goal.verb == "upload"]
        return tuple(path for each in found for path in ([each] if isinstance(each, str) else each))

    @property
    def has_faults(self) -> bool:
        """Whether something could not be noticed."""
        return any(event.kind == "fault" for event in self.events)

    def write(self, name: str, remarks: Sequence[str] = (), hosts: tuple[str, ...] | None = None) -> str:
        """Return the flow.

        Args:
            remarks: Lines that stand above it.
            hosts: The only hosts that it may reach; None for no limit.

        Raises:
            GoalError: ``nothing_recorded`` if nothing was done; ``flow_not_writable`` if it can't be said in a flow.
        """
        steps = write_steps(self.steps, self.acceptance.list_accepted(self.steps))
        if not any(step.act and not step.act.detail.get("begins") for step in self.steps):
            raise GoalError(
                "Nothing was recorded.", code="nothing_recorded", hint="Do something on the page before you end."
            )
        told = [*remarks, *self.list_remarks()]
        return write_flow(fold_text(name), steps, Policy(hosts), told)
