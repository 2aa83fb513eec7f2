"""SessionHands: hands over a run of a session, so that everything goes through table, policy, taint and approvals."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.planners.hands import PlannerSight, SightLine, find_error
from agent.planners.planner_runs import PlannerSteps
from core.base.errors import ActionError, ErrorInfo
from core.goals.meta_goals import ROOT, Goal
from core.policy.policy import Policy
from core.results.replies import judge_outcome
from core.results.tool_results import RunResult

_FAILED = ErrorInfo("action_failed", "Nothing could be seen.")
_SNAPSHOT = "snapshot"


class SessionHands:
    """PlannerHands over the steps of a planner's run."""

    def __init__(self, steps: PlannerSteps, policy: Policy | None = None, secrets: Sequence[str] | None = None) -> None:
        """Act within a run.

        Args:
            secrets: Names of the secrets that may be used; None for all that the run may.
        """
        self._steps = steps
        self._policy = policy
        self._secrets = secrets

    async def run(self, goals: Sequence[Goal]) -> RunResult:
        """Plan goals and carry them out one after the other; once one failed, only those that follow none. What may not be is a result with errors."""
        apart = all(goal.scope == ROOT for goal in goals)
        results: list[RunResult] = []
        for some in (goals,) if apart else ((goal,) for goal in goals):
            if some[0].scope == ROOT or all(each.outcome == "success" for each in results):
                results.append(await self._steps.do(some, self._policy, self._secrets))
        logs = tuple(log for each in results for log in each.step_logs)
        errors = tuple(error for each in results for error in each.errors)
        outcome = "failed" if errors else judge_outcome(logs)
        return RunResult(run_id="", outcome=outcome, reply="", step_logs=logs, errors=errors)

    async def look(self, **params: Any) -> PlannerSight:
        """Return the outline of the open page, or of a window where ``window`` names one."""
        domain = "desktop" if "window" in params else "browser"
        result = await self.run((Goal(domain, _SNAPSHOT, params),))
        log = result.step_logs[-1] if result.step_logs else None
        if log is None or log.result.status != "ok":
            error = find_error(result) or _FAILED
            raise ActionError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return _read_sight(log.result.output, str(log.result.evidence.get("url") or params.get("window", "")))

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> "SessionHands":
        """Return hands of the same run that may do only what both policies allow, and use only these secrets."""
        granted = self._secrets
        both = tuple(name for name in secrets if granted is None or name in granted)
        return SessionHands(self._steps, self._policy.narrow(policy) if self._policy else policy, both)


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
