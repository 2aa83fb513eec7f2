"""RecordedLog: what the recordings of pages and of programs have in common."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, cast, get_args

from agent.recording.steps import RecordedStep
from agent.requests.flow_writing import WrittenStep, write_flow
from core.base.errors import GoalError, InputError
from core.base.phrases import fold_text
from core.goals.secret_values import Secret
from core.policy.policy import Policy

ExpectWish = Literal["all", "ask", "none"]


def read_wish(text: str) -> ExpectWish:
    """Return which expectations are wanted.

    Raises:
        InputError: ``bad_usage`` if it is no such word.
    """
    if text not in get_args(ExpectWish):
        raise InputError(f'--expect takes {", ".join(get_args(ExpectWish))}, not "{text}".', code="bad_usage")
    return cast("ExpectWish", text)


@dataclass(slots=True, kw_only=True)
class RecordedLog(ABC):
    """Takes events as they come; has the steps as far as they were recorded, and what a person said to their expectations.

    Attributes:
        wish: Which expectations are written: all that are likely, those that a person accepts, or none.
    """

    wish: ExpectWish = "ask"
    accepted: set[str] = field(default_factory=set[str])
    answered: set[str] = field(default_factory=set[str])
    events: list[Any] = field(default_factory=list[Any])
    _known: tuple[int, tuple[RecordedStep, ...]] = (-1, ())

    def take(self, event: Any) -> None:
        """Take an event."""
        self.events.append(event)

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """What a flow of it would do by now."""
        if self._known[0] != len(self.events):
            self._known = len(self.events), tuple(self.list_steps())
        return self._known[1]

    @abstractmethod
    def list_steps(self) -> Iterable[RecordedStep]:
        """Return the steps that the events come to."""

    def write_flow(self, name: str, steps: Iterable[WrittenStep], remarks: Iterable[str], policy: Policy) -> str:
        """Return a flow that does these steps.

        Args:
            remarks: Lines that stand above it, before what a person should know of it.

        Raises:
            GoalError: ``nothing_recorded`` if nothing was done; ``flow_not_writable`` if it can't be said in a flow.
        """
        if not any(step.act and not step.act.detail.get("begins") for step in self.steps):
            raise GoalError("Nothing was recorded.", code="nothing_recorded", hint=self.nothing_hint)
        return write_flow(fold_text(name), tuple(steps), policy, [*remarks, *self.list_remarks()])

    nothing_hint: ClassVar[str]
    """What to do where nothing was recorded."""

    @property
    def question(self) -> RecordedStep | None:
        """The latest step, where it has an expectation that nobody was asked about."""
        last = next((each for each in reversed(self.steps) if each.act), None)
        return last if self.wish == "ask" and last and last.expectation and last.key not in self.answered else None

    def answer(self, *, accept: bool) -> RecordedStep | None:
        """Accept or skip the expectation of the latest step; return the step, None where there is nothing to answer."""
        if step := self.question:
            self.answered.add(step.key)
            self.accepted |= {step.key} if accept else set()
        return step

    def list_accepted(self) -> Collection[str]:
        """Return the keys of the steps whose expectation is written."""
        return {each.key for each in self.steps} if self.wish == "all" else self.accepted

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
