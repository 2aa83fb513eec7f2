"""PlannerBudget and BudgetMeter: how much a planner's run may use, and how much it has used."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.base.errors import BudgetError
from core.planning.planners.ports import Clock, ModelAnswer

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
