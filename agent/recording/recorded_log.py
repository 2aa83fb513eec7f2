"""RecordedLog: what the recordings of pages and of programs have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.recording.accepting import Acceptance
from agent.recording.steps import RecordedStep
from core.goals.secret_values import Secret


@dataclass(slots=True, kw_only=True)
class RecordedLog(ABC):
    """Steps as far as they were recorded, and what a person said to their expectations."""

    acceptance: Acceptance = field(default_factory=Acceptance)

    @property
    @abstractmethod
    def steps(self) -> tuple[RecordedStep, ...]:
        """What a flow of it would do by now."""

    @property
    @abstractmethod
    def has_faults(self) -> bool:
        """Whether something could not be noticed."""

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
        if self.has_faults:
            yield "Some of what was done could not be noticed; read the flow before you rely on it."
