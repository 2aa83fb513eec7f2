"""Hands: how planners act on the world. Everything goes through a session, and so through table, policy, taint and approvals."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from agent.requests.flows import Flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import ActionError, ErrorInfo
from core.goals.meta_goals import Goal
from core.policy.policy import Policy
from core.results.events import Emit
from core.results.tool_results import RunResult

_FAILED = ErrorInfo("action_failed", "Nothing could be seen.")
_SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class SightLine:
    """A line of an outline, as planners see it.

    Attributes:
        text: The line, indented.
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
class Sight:
    """What was seen in one look. A page or window wrote it.

    Attributes:
        text: The outline.
        lines: Its lines.
        source: Address of the page, or title of the window.
        tokens: Of the text, at most.
        is_folded: Whether something had no room.
    """

    text: str
    lines: tuple[SightLine, ...] = ()
    source: str = ""
    tokens: int = 0
    is_folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsTerms:
    """On which terms hands act; as in a request.

    Attributes:
        policy: What may be touched.
        gate: Who answers approval requests.
        budget: For everything that they do together.
        principal: Who asks.
        secrets: Names of the secrets that may be used; None for all.
    """

    policy: Policy = field(default_factory=Policy)
    gate: ApprovalGate = field(default_factory=ClassGate)
    budget: Budget = field(default_factory=Budget)
    principal: str = ""
    secrets: tuple[str, ...] | None = None


class Hands(Protocol):
    """Carries goals out and looks; nothing else of the world is within a planner's reach."""

    async def run(self, work: Sequence[Goal] | Flow, *, dry: bool = False) -> RunResult:
        """Plan goals or a flow and carry them out; what may not be is a result with errors.

        Args:
            work: What is to be done.
            dry: Whether only to plan.

        Raises:
            BudgetError: If nothing is left of the budget.
        """
        ...

    async def look(self, **params: Any) -> Sight:
        """Return the outline of the open page, or of a window where ``window`` names one.

        Args:
            **params: As of the verb ``snapshot`` of browser or desktop.

        Raises:
            ActionError: If nothing could be seen, with the code of what failed; or nothing is left of the budget.
        """
        ...

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> "Hands":
        """Return hands of the same session that may do only what both policies allow, and use only these secrets.

        Args:
            policy: What else limits them.
            secrets: Names.
        """
        ...


@dataclass(slots=True)
class Spending:
    """What hands have used up.

    Attributes:
        clock: Seconds that only go forward.
        actions: Steps that were carried out, looks included.
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
    """Hands over an ``AgentSession``."""

    def __init__(
        self,
        session: AgentSession,
        terms: HandsTerms | None = None,
        emit: Emit | None = None,
        spending: Spending | None = None,
    ) -> None:
        """Act by a session.

        Args:
            session: Carries everything out.
            terms: What holds for all of it.
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

    async def look(self, **params: Any) -> Sight:
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
        raise ActionError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)


def _read_sight(output: Mapping[str, Any], source: str) -> Sight:
    return Sight(
        text=str(output.get("text", "")),
        lines=tuple(map(_read_line, output.get("lines", ()))),
        source=source,
        tokens=int(output.get("tokens", 0)),
        is_folded=bool(output.get("truncated")),
    )


def _read_line(line: Mapping[str, Any]) -> SightLine:
    return SightLine(str(line.get("text", "")), str(line.get("selector", "")), str(line.get("ref", "")))
