"""MeteredModel: a model as a planner's run may use it; the run's budget, transcript and secrets are kept on the way."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.base.errors import BudgetError, DeadlineError, ModelError, SurehandError, tell_fault
from core.base.scope_paths import ScopePath
from core.base.time_limits import is_told_to_end, keep_within
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion

if TYPE_CHECKING:
    from core.planning.planners.budgets import BudgetMeter
    from core.planning.planners.transcripts import TranscriptLog


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteredModel:
    """Asks a model on behalf of a run; every way round it would be one past the budget."""

    inner: Model
    meter: "BudgetMeter"
    redact: Callable[[Any], Any]
    scope: ScopePath
    log: "TranscriptLog"

    @property
    def name(self) -> str:
        """Its name, for transcripts."""
        return self.inner.name

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Ask within the budget.

        Args:
            question: What is asked; its scope is set to that of the step, and secrets are taken out of it.

        Raises:
            ModelError: If the model can't answer, doesn't in time, or fails in any other way.
            BudgetError: If the run has used up its tokens or its time.
        """
        asked = replace(
            question,
            scope=self.scope,
            instructions=self.redact(question.instructions),
            data=tuple(replace(each, text=self.redact(each.text)) for each in question.data),
        )
        async with self.meter.hold_turn():
            log = self._note_question(asked)
            try:
                answer = await self._wait_for(asked)
            except SurehandError as error:
                log.open("outcome", self.redact(str(error)), is_tainted=True)
                raise
            told = log.open("answer", self.redact(_write(answer)), is_tainted=True)
            told.tokens = self.meter.count(answer)
            return answer

    async def close(self) -> None:
        """Leave it open: whoever opened it closes it."""

    def _note_question(self, question: ModelQuestion) -> "TranscriptLog":
        log = self.log.open("instructions", question.instructions)
        for each in question.data:
            label = f"{each.label} of {each.source}" if each.source else each.label
            log.open("data", f"{label}: {each.text}", is_tainted=each.is_tainted)
        return log

    async def _wait_for(self, question: ModelQuestion) -> ModelAnswer:
        text = f"Model “{self.name}” did not answer within {question.timeout_s:g} s."
        try:
            return await keep_within(question.timeout_s, self.inner.ask(question), text)
        except (ModelError, BudgetError):
            raise
        except DeadlineError as error:
            raise ModelError(
                error.message, code="model_slow", hint="Use a faster model, or give it more time."
            ) from error
        except SurehandError as error:
            raise ModelError(error.message, hint=error.hint, evidence=error.evidence) from error
        except asyncio.CancelledError as error:
            if is_told_to_end():
                raise
            raise ModelError(f"Model “{self.name}” gave up by itself.") from error
        except Exception as error:
            raise ModelError(f"Model “{self.name}” failed: {tell_fault(error)}") from error


def _write(answer: ModelAnswer) -> str:
    return json.dumps(dict(answer.value), ensure_ascii=False, default=str)
