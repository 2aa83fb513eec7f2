"""How much a planner's run may use, how much it has used, and MeteredModel: a model as it may be asked within that."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from core.base.errors import BudgetError, DeadlineError, ModelError, SurehandError, tell_fault
from core.base.late_dataclasses import dataclass, field, replace
from core.base.scope_paths import ScopePath
from core.base.time_limits import is_told_to_end, keep_within
from core.planning.planners.ports import Clock, Model, ModelAnswer, ModelQuestion
from core.planning.planners.transcripts import TranscriptLog

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerBudget:
    """Limits of a planner's run; None means no limit.

    Attributes:
        tokens: Tokens that models may take, questions and answers together.
        seconds: Seconds from the start.
    """

    tokens: int | None = None
    seconds: float | None = None
    iterations: int = DEFAULT_ITERATIONS

    def find_impossible(self) -> str:
        """Return why nothing could be done within these limits; empty where something can."""
        if self.iterations < 1:
            return "it may not try any step"
        if self.seconds is not None and not self.seconds > 0:
            return "it has no time"
        return "its number of tokens is negative" if self.tokens is not None and self.tokens < 0 else ""


@dataclass(slots=True)
class BudgetMeter:
    """Counts what a run uses.

    Where tokens are limited, questions take turns: what an answer costs is known only afterwards, so that with several under
    way the limit would be exceeded by all of them. Thus it is exceeded by one answer at most.

    Attributes:
        spent: What was used up first, in words; empty as long as nothing is.
        is_over: Whether the run ended, so that nothing more may be used on its behalf.
    """

    budget: PlannerBudget
    clock: Clock
    began_s: float
    tokens: int = 0
    cost_usd: float = 0.0
    iterations: int = 0
    answers: int = 0
    spent: str = ""
    is_over: bool = False
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def check_time(self) -> None:
        """Let go on what has time left.

        Raises:
            BudgetError: If the time is up, or the run ended.
        """
        if self.budget.seconds is not None and self.elapsed_s >= self.budget.seconds:
            raise self.spend(f"{self.budget.seconds:g} s")
        if self.is_over:
            raise BudgetError("The planner's run has ended, so nothing more is done for it.", code="run_ended")

    def begin_try(self) -> None:
        """Count the try of a step.

        Raises:
            BudgetError: If no more may be begun.
        """
        self.check_time()
        if self.iterations >= self.budget.iterations:
            raise self.spend(f"{self.budget.iterations} tries")
        self.iterations += 1

    @asynccontextmanager
    async def hold_turn(self) -> AsyncGenerator[None]:
        """Hold the turn to ask a model, as long as there are tokens left.

        Raises:
            BudgetError: If there are none, or no time is left.
        """
        if self.budget.tokens is None:
            self.check_time()
            yield
            return
        async with self._turn:
            self.check_time()
            if self.tokens >= self.budget.tokens:
                raise self.spend(f"{self.budget.tokens} tokens")
            yield

    def count(self, answer: ModelAnswer) -> int:
        """Count an answer, and return its tokens; one that was kept from before costs nothing."""
        self.answers += 1
        if answer.is_kept:
            return 0
        tokens = max(0, answer.tokens_in) + max(0, answer.tokens_out)
        self.tokens += tokens
        self.cost_usd += max(0.0, answer.cost_usd)
        return tokens

    def spend(self, limit: str) -> BudgetError:
        """Note that a limit is reached, and return that as an error."""
        self.spent = self.spent or limit
        text = f"The planner has used up its {limit}."
        return BudgetError(text, hint="Give it a larger budget.", evidence={"limit": limit})

    @property
    def elapsed_s(self) -> float:
        """Seconds since it began."""
        return self.clock.read_monotonic_s() - self.began_s


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteredModel:
    """Asks a model on behalf of a run; every way round it would be one past the budget."""

    inner: Model
    meter: BudgetMeter
    redact: Callable[[Any], Any]
    scope: ScopePath
    log: TranscriptLog

    @property
    def name(self) -> str:
        """Its name, for transcripts."""
        return self.inner.name

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Ask within the budget.

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
            told = log.open(
                "answer", self.redact(json.dumps(dict(answer.value), ensure_ascii=False, default=str)), is_tainted=True
            )
            told.tokens = self.meter.count(answer)
            return answer

    async def close(self) -> None:
        """Leave it open: whoever opened it closes it."""

    def _note_question(self, question: ModelQuestion) -> TranscriptLog:
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
