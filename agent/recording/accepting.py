"""Which of the expectations that are likely a person wants in the flow."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from agent.recording.steps import RecordedStep
from core.base.errors import InputError

ExpectWish = Literal["all", "ask", "none"]


@dataclass(slots=True)
class Acceptance:
    """What a person said to the expectations that were proposed.

    Attributes:
        wish: Which are written: all that are likely, those that a person accepts, or none.
    """

    wish: ExpectWish = "ask"
    accepted: set[str] = field(default_factory=set[str])
    answered: set[str] = field(default_factory=set[str])

    def find_question(self, steps: Sequence[RecordedStep]) -> RecordedStep | None:
        """Return the latest step, where it has an expectation that nobody was asked about."""
        last = next((each for each in reversed(steps) if each.act), None)
        return last if self.wish == "ask" and last and last.expectation and last.key not in self.answered else None

    def answer(self, steps: Sequence[RecordedStep], *, accept: bool) -> RecordedStep | None:
        """Accept or skip the expectation of the latest step; return the step, None where there is nothing to answer."""
        if step := self.find_question(steps):
            self.answered.add(step.key)
            self.accepted |= {step.key} if accept else set()
            return step
        return None

    def list_accepted(self, steps: Sequence[RecordedStep]) -> Collection[str]:
        """Return the keys of the steps whose expectation is written."""
        return {each.key for each in steps} if self.wish == "all" else self.accepted


def read_wish(text: str) -> ExpectWish:
    """Return which expectations are wanted.

    Raises:
        InputError: ``bad_usage`` if it is no such word.
    """
    if text not in get_args(ExpectWish):
        raise InputError(f'--expect takes {", ".join(get_args(ExpectWish))}, not "{text}".', code="bad_usage")
    return cast("ExpectWish", text)
