"""Carries an extraction out on a page, with a scripted model or none."""

from typing import Any

from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.planning.planners.ports import Model
from core.planning.planners.results import PlannerResult
from tests.agent.planners.exploring import read_planner


async def extract(session: AgentSession, schema: Any, model: Model | None = None, **given: Any) -> PlannerResult:
    """Return what came of an extraction; every value is checked to stand in its line."""
    if model is not None:
        session.use_model(lambda _: model)
    wish = PlannerWish(capability="extract", parameters={"schema": schema, **given})
    result = read_planner(await session.run(Request(planner=wish)))
    for record in result.artifacts.get("sources", ()):
        for source in record.values():
            assert " ".join(source["written"].split()) in " ".join(source["line"].split()), source
            assert source["place"].startswith(("http://127.0.0.1", "http://localhost"))
    return result


def make_list(**properties: Any) -> dict[str, Any]:
    """Return the schema of a list of records, all of whose properties are required."""
    item = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "array", "items": item}
