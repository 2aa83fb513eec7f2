"""What whoever proposes is shown beside the task: what the session works on, and what was said or done before."""

from agent.planners.hands import PlannerHands
from core.goals.meta_goals import Goal
from core.planning.planners.context import PlannerContext
from core.planning.planners.ports import ModelData

_SUMMARIZE = Goal("project", "summarize", goal_id="g0")


async def gather_background(context: PlannerContext, hands: PlannerHands, query: str) -> list[ModelData]:
    """Return as much of it as settings say; the project as its tool says it, which takes secrets out and keeps to the policy."""
    told: list[ModelData] = []
    if context.settings["project"]:
        logs = (await hands.run((_SUMMARIZE,))).step_logs
        told = [
            ModelData(
                label="project", text=str(log.result.output["text"]), source=str(log.result.evidence.get("path", ""))
            )
            for log in logs[-1:]
            if log.result.status == "ok"
        ]
    found = await context.recall(query)
    return told + [
        ModelData(label="memory", text=each.text, source=each.source, is_tainted=each.is_tainted) for each in found
    ]
