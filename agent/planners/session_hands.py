"""SessionHands: hands over a session, so that everything goes through table, policy, taint and approvals."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent.planners.hands import PlannerSight, SightLine, find_error
from agent.requests.flows import Flow
from agent.requests.requests import Request
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import ActionError, ErrorInfo
from core.goals.meta_goals import Goal
from core.policy.policy import Policy
from core.results.events import Emit
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.sessions.session import AgentSession

_FAILED = ErrorInfo("action_failed", "Nothing could be seen.")
_SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsTerms:
    """On which terms hands act; as in a request.

    Attributes:
        secrets: Names of the secrets that may be used; None for all.
    """

    policy: Policy = field(default_factory=Policy)
    gate: ApprovalGate = field(default_factory=ClassGate)
    budget: Budget = field(default_factory=Budget)
    principal: str = ""
    secrets: tuple[str, ...] | None = None


@dataclass(slots=True)
class Spending:
    """What hands have used up.

    Attributes:
        clock: Seconds that only go forward.
        began_s: When the first of them began, by the clock; None before it.
    """

    clock: Callable[[], float] = time.monotonic
    actions: int = 0
    began_s: float | None = None

    def find_left(self, budget: Budget) -> Budget:
        """Return what is left of a budget.

        Raises:
            BudgetError: If it is used up.
        """
        now = self.clock()
        self.began_s = now if self.began_s is None else self.began_s
        elapsed_s = now - self.began_s
        budget.check(elapsed_s, self.actions)
        seconds = None if budget.seconds is None else budget.seconds - elapsed_s
        return Budget(seconds, None if budget.actions is None else budget.actions - self.actions)


class SessionHands:
    """PlannerHands over an ``AgentSession``."""

    def __init__(
        self,
        session: "AgentSession",
        terms: HandsTerms | None = None,
        emit: Emit | None = None,
        spending: Spending | None = None,
    ) -> None:
        """Act by a session.

        Args:
            emit: Told every event; must not block.
            spending: What is used up already; None for nothing.
        """
        self._session = session
        self._terms = terms or HandsTerms()
        self._emit = emit
        self._spending = spending or Spending()

    async def run(self, work: Sequence[Goal] | Flow, *, dry: bool = False) -> RunResult:
        """Plan goals or a flow and carry them out; what may not be is a result with errors."""
        terms = self._terms
        flow = work if isinstance(work, Flow) else None
        request = Request(
            goals=None if isinstance(work, Flow) else tuple(work),
            flow=flow,
            mode="plan" if dry else "execute",
            policy=terms.policy,
            budget=self._spending.find_left(terms.budget),
            gate=terms.gate,
            principal=terms.principal,
            granted_secrets=terms.secrets,
        )
        result = await self._session.run(request, self._emit)
        self._spending.actions += sum(log.result.status != "skipped" for log in result.step_logs)
        return result

    async def look(self, **params: Any) -> PlannerSight:
        """Return the outline of the open page, or of a window where ``window`` names one."""
        domain = "desktop" if "window" in params else "browser"
        result = await self.run((Goal(domain, _SNAPSHOT, params, goal_id="g0"),))
        log = result.step_logs[-1] if result.step_logs else None
        if log is None or log.result.status != "ok":
            error = find_error(result) or _FAILED
            raise ActionError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return _read_sight(log.result.output, str(log.result.evidence.get("url") or params.get("window", "")))

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> "SessionHands":
        """Return hands of the same session with narrower terms, which spend of the same budget."""
        granted = self._terms.secrets
        both = tuple(name for name in secrets if granted is None or name in granted)
        narrower = replace(self._terms, policy=self._terms.policy.narrow(policy), secrets=both)
        return SessionHands(self._session, narrower, self._emit, self._spending)


def _read_sight(output: Mapping[str, Any], source: str) -> PlannerSight:
    return PlannerSight(
        text=str(output.get("text", "")),
        lines=tuple(map(_read_line, output.get("lines", ()))),
        source=source,
        tokens=int(output.get("tokens", 0)),
        is_folded=bool(output.get("truncated")),
    )


def _read_line(line: Mapping[str, Any]) -> SightLine:
    return SightLine(str(line.get("text", "")), str(line.get("selector", "")), str(line.get("ref", "")))
