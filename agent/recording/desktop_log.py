"""DesktopLog: what was recorded of programs so far, as steps, behind the one that brought the first of them up."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from agent.recording.desktop_steps import list_desktop_steps
from agent.recording.recorded_log import RecordedLog
from agent.recording.steps import RecordedStep
from agent.requests.flow_writing import WrittenStep
from core.goals.meta_goals import Goal
from core.policy.policy import Policy


@dataclass(slots=True)
class DesktopLog(RecordedLog):
    """What was recorded of programs.

    Attributes:
        first: What the flow does first: starting the program, or bringing its window to the front.
    """

    first: Goal | None = None
    nothing_hint: ClassVar = "Do something in the program before you end."

    def list_steps(self) -> Iterable[RecordedStep]:
        """Return the steps that the events come to."""
        return (*((RecordedStep(None, self.first),) if self.first else ()), *list_desktop_steps(self.events))

    def write(self, name: str, remarks: Sequence[str] = ()) -> str:
        """Return the flow, as ``write_flow`` does."""
        return self.write_flow(name, self._write_steps(), remarks, Policy())

    def _write_steps(self) -> Iterator[WrittenStep]:
        """Yield each step, and behind it the wait for what is expected of it."""
        accepted = self.acceptance.list_accepted(self.steps)
        for step in self.steps:
            if step.goal:
                yield WrittenStep(goal=step.goal)
            if step.goal and step.expectation and step.key in accepted:
                yield WrittenStep(goal=Goal("desktop", "wait", dict(step.expectation)))
