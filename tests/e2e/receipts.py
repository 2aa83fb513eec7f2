"""What the tests of whole sessions ask of results."""

from collections.abc import Sequence
from pathlib import Path

from actuators.verb_table import PLANNER_RULES
from agent.requests.flows import load_flow
from agent.requests.requests import Request
from core.approvals.approvals import ApprovalGate, ClassGate
from core.goals.meta_goals import Goal
from core.results.tool_results import RunResult, StepLog
from fixtures.site_server import SiteServer

FLOWS = Path(__file__).resolve().parents[2] / "fixtures" / "flows"


def flow_request(name: str, site: SiteServer, gate: ApprovalGate | None = None) -> Request:
    """Return a request of a fixture flow on a running server."""
    return Request(flow=load_flow(FLOWS / name, {"site": site.url}), gate=gate or ClassGate())


def chain(*goals: Goal) -> Request:
    """Return a request of goals, each after the one before unless it says otherwise."""
    return Request(goals=tuple(goals))


def goal(number: int, verb: str, scope: str | None = None, **params: object) -> Goal:
    """Return a browser goal that depends on the one before it."""
    scope = scope or (f"after:g{number - 1}" if number else "root")
    return Goal("browser", verb, params, goal_id=f"g{number}", scope=scope)


def statuses(result: RunResult) -> list[str]:
    """Return the statuses of all steps, in plan order."""
    return [log.result.status for log in result.step_logs]


def codes(result: RunResult) -> list[str]:
    """Return the error codes of all steps; empty where there is none."""
    return [log.result.error.code if log.result.error else "" for log in result.step_logs]


def unconfirmed(result: RunResult) -> list[str]:
    """Return the steps that acted and have not confirmed it, or looked and are unsure."""
    return [
        f"{log.action_id}: {log.result.effect}"
        for log in result.step_logs
        if log.result.effect == "unverified" or (is_acting(log) and log.result.effect != "confirmed")
    ]


def is_acting(log: StepLog) -> bool:
    """Tell whether the table calls a step an act."""
    domain, _, verb = log.name.partition(".")
    return PLANNER_RULES[domain, verb].action_class == "actuate"


def overlap_ms(left: Sequence[StepLog], right: Sequence[StepLog]) -> float:
    """Return for how long at most a step of one branch and one of the other were under way at the same time."""
    spans = [
        [(log.result.started_ms, log.result.started_ms + log.result.ms) for log in branch] for branch in (left, right)
    ]
    return max(min(a[1], b[1]) - max(a[0], b[0]) for a in spans[0] for b in spans[1])
