"""PlannerHands: how planners act on the world, and what they see of it."""

from collections.abc import Sequence
from typing import Any, Protocol

from core.base.errors import ActionError, ErrorInfo
from core.base.late_dataclasses import dataclass
from core.goals.meta_goals import Goal
from core.policy.policy import Policy
from core.results.tool_results import RunResult


@dataclass(frozen=True, slots=True)
class SightLine:
    """A line of an outline, as planners see it.

    Attributes:
        selector: What names its thing; empty for texts and folds.
        ref: What it is called as long as it lives; empty for folds.
    """

    text: str
    selector: str = ""
    ref: str = ""

    @property
    def lasting(self) -> str:
        """The selector, where it names the thing for good; empty where only a ref does."""
        return "" if self.ref and self.selector.endswith(f"ref={self.ref}") else self.selector


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerSight:
    """What was seen in one look. A page or window wrote it.

    Attributes:
        source: Address of the page, or title of the window.
        tokens: Of the text, at most.
    """

    text: str
    lines: tuple[SightLine, ...] = ()
    source: str = ""
    tokens: int = 0
    is_folded: bool = False


class PlannerHands(Protocol):
    """Carries goals out and looks; nothing else of the world is within a planner's reach."""

    async def run(self, goals: Sequence[Goal]) -> RunResult:
        """Plan goals and carry them out, one after the other until one fails; what may not be is a result with errors.

        Raises:
            BudgetError: If nothing is left of the budget.
        """
        ...

    async def look(self, **params: Any) -> PlannerSight:
        """Return the outline of the open page, or of a window where ``window`` names one.

        Args:
            **params: As of the verb ``snapshot`` of browser or desktop.

        Raises:
            ActionError: If nothing could be seen, with the code of what failed; or nothing is left of the budget.
        """
        ...

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> "PlannerHands":
        """Return hands of the same run that may do only what both policies allow, and use only these secrets."""
        ...


class NoHands:
    """Hands that do nothing: of planners that may only say what is to be done."""

    async def run(self, goals: Sequence[Goal]) -> RunResult:
        """Refuse."""
        del goals
        return RunResult(run_id="", outcome="failed", reply="", errors=(_NOTHING,))

    async def look(self, **params: Any) -> PlannerSight:
        """Refuse."""
        del params
        raise fail_as(_NOTHING)

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> "NoHands":
        """Return the same."""
        del policy, secrets
        return self


_NOTHING = ErrorInfo(
    "not_planned_ahead",
    "What this planner does is known only as it goes on, so it can't be planned ahead.",
    "Let it run; you are asked before each act.",
)
NO_HANDS = NoHands()


def find_error(result: RunResult) -> ErrorInfo | None:
    """Return why a run didn't succeed: what refused it, or what failed first; None where nothing did."""
    failed = (log.result.error for log in result.step_logs if log.result.error and log.result.status != "skipped")
    return next(iter((*result.errors, *failed)), None)


def raise_first(result: RunResult) -> None:
    """Raise why a run didn't succeed.

    Raises:
        ActionError: With the code of what refused it, or of what failed first.
    """
    if error := find_error(result):
        raise fail_as(error)


def fail_as(error: ErrorInfo) -> ActionError:
    """Return an error with the code of another."""
    return ActionError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
