"""What a session works on, for whoever proposes: as the tool says it, which takes secrets out and keeps to the policy."""

from dataclasses import replace

from agent.planners.hands import PlannerHands
from core.goals.meta_goals import Goal
from core.planning.planners.ports import ProposalRequest

_SUMMARIZE = Goal("project", "summarize", goal_id="g0")


async def add_project(request: ProposalRequest, hands: PlannerHands) -> ProposalRequest:
    """Return a request with what the session works on; as it was where that can't be told."""
    result = await hands.run((_SUMMARIZE,))
    told = [log.result for log in result.step_logs if log.result.status == "ok"]
    if not told:
        return request
    return replace(request, project=str(told[-1].output["text"]), project_source=str(told[-1].evidence.get("path", "")))
