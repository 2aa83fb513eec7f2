"""Budget: how long a run may take and how much it may do."""

import math
from typing import TypeVar

from core.base.errors import BudgetError
from core.base.late_dataclasses import dataclass

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run: seconds from the start of the first action, and actions that may be started; None for no limit."""

    seconds: float | None = None
    actions: int | None = None

    def narrow(self, other: "Budget") -> "Budget":
        """Return a budget of the smaller of both limits."""
        return Budget(_least(self.seconds, other.seconds), _least(self.actions, other.actions))

    def check(self, elapsed_s: float, started: int) -> None:
        """Refuse the next action by a BudgetError if either limit is reached."""
        if self.seconds is not None and elapsed_s >= self.seconds:
            raise BudgetError(f"The run has used up its {self.seconds:g} s.", hint="Give it a larger budget.")
        if self.actions is not None and started >= self.actions:
            raise BudgetError(f"The run has used up its {self.actions} actions.", hint="Give it a larger budget.")

    def find_left(self, elapsed_s: float) -> float:
        """Return how many seconds are left of the run; infinity where they aren't limited."""
        return math.inf if self.seconds is None else max(0.0, self.seconds - elapsed_s)


def _least(left: _Number | None, right: _Number | None) -> _Number | None:
    if left is None or right is None:
        return right if left is None else left
    return min(left, right)
