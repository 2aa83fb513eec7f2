"""RecordingLog: what was recorded so far, as steps; and which expectations a person accepted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from agent.recording.gathering import gather_acts
from agent.recording.leaving_out import leave_out
from agent.recording.recorded_log import RecordedLog
from agent.recording.steps import RecordedStep, list_steps, write_steps
from core.policy.policy import Policy


@dataclass(slots=True)
class RecordingLog(RecordedLog):
    """What was recorded of pages."""

    workspace: Path
    nothing_hint: ClassVar = "Do something on the page before you end."

    def list_steps(self) -> Iterable[RecordedStep]:
        """Return the steps that the events come to."""
        return list_steps(leave_out(gather_acts(self.events)), self.workspace)

    @property
    def uploads(self) -> tuple[str, ...]:
        """Paths of the files that were picked, as the flow has them."""
        found = [each.goal.params["path"] for each in self.steps if each.goal and each.goal.verb == "upload"]
        return tuple(path for each in found for path in ([each] if isinstance(each, str) else each))

    def write(self, name: str, remarks: Sequence[str] = (), hosts: tuple[str, ...] | None = None) -> str:
        """Return the flow, as ``write_flow`` does.

        Args:
            hosts: The only hosts that it may reach; None for no limit.
        """
        steps = write_steps(self.steps, self.acceptance.list_accepted(self.steps))
        return self.write_flow(name, steps, remarks, Policy(hosts))
