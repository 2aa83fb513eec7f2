"""GuardedModel: what leaves to a model, judged before, without secrets, and written down; what comes back, written down too."""

from collections.abc import Callable
from typing import Any

from core.base.errors import ErrorInfo, ModelError, PolicyError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion
from core.policy.policy import Policy
from core.results.records import to_data


class ModelLayer:
    """Asks another model."""

    __slots__ = ()

    inner: Model

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self.inner.name

    async def close(self) -> None:
        """Close the model."""
        await self.inner.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExchange:
    """One question to a model, exactly as it left, and what became of it.

    Attributes:
        question: What left; secrets are taken out, and data says whether a page, file or window wrote it.
        answer: What came back; None where nothing did that could be used.
    """

    model: str
    question: ModelQuestion
    answer: ModelAnswer | None = None
    error: ErrorInfo | None = None

    def describe(self) -> dict[str, Any]:
        """Return it as data, for people and files."""
        question = self.question
        told: dict[str, Any] = {
            "model": self.model,
            "kind": question.kind,
            "scope": str(question.scope),
            "left": {
                "instructions": question.instructions,
                "data": [to_data(each) for each in question.data],
                "schema": to_data(question.schema),
            },
        }
        if self.answer:
            told["answer"] = to_data(self.answer)
        return {**told, "error": to_data(self.error)} if self.error else told

    def summarise(self) -> str:
        """Return what left and what came back in one line, for transcripts."""
        shown = "; ".join(
            f"{each.label}{' (tainted)' if each.is_tainted else ''}: {each.text}" for each in self.question.data
        )
        said = str(to_data(self.answer.value)) if self.answer else str(self.error)
        tokens = f" ({self.answer.tokens_in} + {self.answer.tokens_out} tokens)" if self.answer else ""
        return f"asked to {self.question.kind}, shown {shown} → {said}{tokens}"


Tell = Callable[[ModelExchange], None]


def _tell_nobody(_: ModelExchange) -> None:
    """Write nothing down."""


@dataclass(frozen=True, slots=True)
class ModelGuard:
    """What holds for all that leaves to models.

    Attributes:
        platform: ``linux``, ``win32`` or ``darwin``, for comparing paths.
    """

    policy: Policy = field(default_factory=Policy)
    vault: Vault = NO_VAULT
    platform: str = "linux"
    tell: Tell = _tell_nobody


@dataclass(frozen=True, slots=True)
class GuardedModel(ModelLayer):
    """Lets only what policy allows through to another model."""

    inner: Model
    guard: ModelGuard

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question.

        Raises:
            ModelError: ``private_source`` if something of it is told to no model; if the secrets that may stand in it can't
                be read; what the model fails with.
        """
        self._check_places(question)
        try:
            await self.guard.vault.recollect_known()
        except SurehandError as error:
            raise ModelError(error.message, code=error.code, hint=error.hint, evidence=error.evidence) from None
        left = self._take_secrets_out(question)
        try:
            answer = await self.inner.ask(left)
        except ModelError as error:
            self.guard.tell(ModelExchange(model=self.name, question=left, error=error.info()))
            raise
        self.guard.tell(ModelExchange(model=self.name, question=left, answer=self.guard.vault.redact(answer)))
        return answer

    def _check_places(self, question: ModelQuestion) -> None:
        for each in question.data:
            if each.is_tainted or each.source:
                try:
                    self.guard.policy.check_telling(each.source, self.guard.platform)
                except PolicyError as error:
                    raise ModelError(error.message, code=error.code, hint=error.hint, evidence=error.evidence) from None

    def _take_secrets_out(self, question: ModelQuestion) -> ModelQuestion:
        redact = self.guard.vault.redact
        return replace(
            question,
            instructions=redact(question.instructions),
            data=tuple(replace(each, text=redact(each.text), source=redact(each.source)) for each in question.data),
            schema=redact(question.schema),
        )
