"""DesktopLog: what was recorded of programs so far, as steps, behind the one that brought the first of them up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from actuators.desktop.ports.recordings import DesktopEvent
from agent.recording.accepting import Acceptance
from agent.recording.desktop_steps import list_desktop_steps
from agent.recording.steps import RecordedStep
from agent.requests.flow_writing import WrittenStep, write_flow
from core.base.errors import GoalError
from core.base.phrases import fold_text
from core.goals.meta_goals import Goal
from core.goals.secret_values import Secret
from core.policy.policy import Policy


@dataclass(slots=True)
class DesktopLog:
    """Takes events as they come, and writes the flow at any moment.

    Attributes:
        acceptance: Which expectations are written.
        first: What the flow does first: starting the program, or bringing its window to the front.
        events: All that was told.
    """

    acceptance: Acceptance = field(default_factory=Acceptance)
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
    def question(self) -> RecordedStep | None:
        """The latest step, where it has an expectation that nobody was asked about."""
        return self.acceptance.find_question(self.steps)

    def answer(self, *, accept: bool) -> RecordedStep | None:
        """Accept or skip the expectation of the latest step; return the step, None where there is nothing to answer."""
        return self.acceptance.answer(self.steps, accept=accept)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secrets that its flow uses."""
        texts = [each.goal.params.get("text") for each in self.steps if each.goal]
        return tuple(dict.fromkeys(text.name for text in texts if isinstance(text, Secret)))

    def list_remarks(self) -> Iterator[str]:
        """Yield what a person should know of the flow."""
        yield from dict.fromkeys(each.remark for each in self.steps if each.remark)
        if any(event.kind == "fault" for event in self.events):
            yield "Some of what was done could not be noticed; read the flow before you rely on it."

    def write(self, name: str, remarks: Sequence[str] = ()) -> str:
        """Return the flow.

        Args:
            name: Of the flow.
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
