"""An exploration that was cut short goes on from its checkpoint: with what was done, where it was, and no more rounds than were allowed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agent.planners.explore.planner import ExplorePlanner
from agent.planners.hands import PlannerHands, PlannerSight, SightLine
from agent.planners.templates.template_files import TemplateFiles
from agent.requests.flows import parse_flow
from agent.testing.hosts import HostParts, PlannerTestHost
from agent.testing.scripted_models import ScriptedModel
from core.base.errors import ModelError
from core.goals.meta_goals import Goal
from core.planning.planners.context import CHECKPOINT
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.results import PlannerResult
from core.policy.policy import Policy
from core.results.tool_results import RunResult, StepLog, ToolResult
from tests.agent.planners.exploring import call, propose
from tests.agent.planners.tools import describe_tools

FIRST, SECOND = "http://127.0.0.1/one", "http://127.0.0.1/two"
LEAVE = propose(call("browser.click", selector='link "Next"'))
GIVEN: dict[str, Any] = {"task": "Go to the end", "url": FIRST, "rounds": 3}


class Pages:
    """Two pages, of which the first leads to the second."""

    def __init__(self) -> None:
        self.url = ""
        self.done: list[tuple[str, Any]] = []
        self.limits: list[Policy] = []

    async def run(self, goals: Sequence[Goal]) -> RunResult:
        logs: list[StepLog] = []
        for goal in goals:
            self.done.append((goal.name, goal.params.get("url") or goal.params.get("selector")))
            self.url = goal.params["url"] if goal.verb == "navigate" else SECOND
            told = ToolResult("ok", output={"text": "About mugs"}, evidence={"path": "/work"})
            logs.append(StepLog("g0_1", "g0", goal.name, goal.name, told))
        return RunResult(run_id="", outcome="success", reply="", step_logs=tuple(logs))

    async def look(self, **params: Any) -> PlannerSight:
        return PlannerSight(text="x", lines=(SightLine('link "Next"', 'link "Next"', "e1"),), source=self.url)

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> PlannerHands:
        self.limits.append(policy)
        return self


@pytest.fixture
def host() -> PlannerTestHost:
    return PlannerTestHost(HostParts(templates=TemplateFiles()))


async def explore(host: PlannerTestHost, pages: Pages, model: ScriptedModel, **settings: Any) -> PlannerResult:
    kept = await host.backlog.read_checkpoint(host.make_parts().scope, CHECKPOINT) or {}
    parts = replace(host.make_parts(), model=model, checkpoint=kept, settings=settings)
    return await run_planner(ExplorePlanner(pages, describe_tools()), GIVEN, parts)


async def test_it_goes_on_where_it_was_and_leaves_a_flow_of_all_that_was_done(host: PlannerTestHost) -> None:
    cut_short = await explore(host, Pages(), ScriptedModel(LEAVE, ModelError("killed"), ModelError("killed")))
    assert cut_short.outcome == "partial"
    pages, model = Pages(), ScriptedModel(propose(is_done=True, why="There."))
    result = await explore(host, pages, model)
    assert result.outcome == "success", result.errors
    assert pages.done == [("browser.navigate", SECOND)]
    assert pages.limits[1] == Policy(hosts=("127.0.0.1",)), "the place was the model's choice, and is held to the hosts"
    tried = next(each.text for each in model.asked[0].data if each.label == "tried so far")
    assert "browser.click" in tried
    assert [each["name"] for each in result.artifacts["deeds"]] == ["browser.navigate", "browser.click"]
    flow = parse_flow(result.artifacts["flow"])
    assert [goal.name for goal in flow.goals][:2] == ["browser.navigate", "browser.click"]


async def test_rounds_that_were_used_before_count(host: PlannerTestHost) -> None:
    await explore(host, Pages(), ScriptedModel(LEAVE, LEAVE, ModelError("killed"), ModelError("killed")))
    model = ScriptedModel(LEAVE)
    result = await explore(host, Pages(), model)
    assert (result.outcome, len(model.asked)) == ("partial", 1)


async def test_what_the_session_works_on_is_shown_where_settings_say_so(host: PlannerTestHost) -> None:
    model = ScriptedModel(propose(is_done=True))
    await explore(host, Pages(), model, project=True)
    first = model.asked[0].data[0]
    assert (first.label, first.source, first.is_tainted) == ("project", "/work", True)
    other = ScriptedModel(propose(is_done=True))
    await explore(PlannerTestHost(HostParts(templates=TemplateFiles())), Pages(), other)
    assert [each.label for each in other.asked[0].data] == ["outline", "tried so far"]
