"""Planners over a real session: sentences that only a model understands, and what is tried when a step fails."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.planners.hands import PlannerHands, PlannerSight
from agent.planners.recover.planner import FailedStep, RecoverPlanner
from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.testing.hosts import PlannerTestHost
from agent.testing.scripted_models import ScriptedModel
from core.base.errors import ErrorInfo
from core.goals.meta_goals import Goal
from core.policy.policy import Policy
from core.results.tool_results import RunResult, StepLog
from fixtures.site_server import SiteServer
from tests.agent.planners.exploring import Person

ODD = "kindly have the price of the blue mug told to me"


class RunHands:
    """Hands that have each goal done as a run of its own."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    async def run(self, goals: Sequence[Goal]) -> RunResult:
        return await self._session.run(Request(goals=tuple(goals)))

    async def look(self, **params: Any) -> PlannerSight:
        return PlannerSight(text=str(params))

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> PlannerHands:
        del policy, secrets
        return self


async def test_a_sentence_without_words_of_the_language_goes_the_one_way_of_the_planner_of_goals(
    session: AgentSession, site: SiteServer
):
    params = [{"name": "url", "value": f"{site.url}/shop/item/blue-mug"}]
    answer = {"steps": [{"verb": "browser.navigate", "scope": "", "params": params}], "refusal": ""}
    model, person = ScriptedModel(answer, answer), Person(".*")
    session.use_model(lambda _: model)
    said = await session.run(Request(utterance=ODD, gate=person))
    asked = await session.run(Request(planner=PlannerWish(capability="goals", parameters={"text": ODD}), gate=person))
    for result in (said, asked):
        assert (result.outcome, [log.name for log in result.step_logs]) == ("success", ["browser.navigate"])
        assert (result.planner["name"], result.planner["outcome"]) == ("goals", "success")
    assert model.asked[0].instructions == model.asked[1].instructions
    assert len(person.asked) == 2


async def fail(session: AgentSession, goal: Goal) -> StepLog:
    """Return the receipt of a goal that fails."""
    result = await session.run(Request(goals=(goal,)))
    log = result.step_logs[-1]
    assert log.result.status == "failed", log
    return log


async def test_a_dialog_in_the_way_is_closed_by_its_own_key_and_the_step_is_done(
    session: AgentSession, site: SiteServer
):
    await session.run(Request(utterance=f"go to {site.url}/dialogs/"))
    await session.run(Request(goals=(Goal("browser", "click", {"selector": 'button "Open a page dialog"'}),)))
    goal = Goal("browser", "click", {"selector": 'field "Draft"'})
    log = await fail(session, goal)
    assert log.result.error is not None
    failed = FailedStep(goal=goal, error=log.result.error, effect=log.result.effect)
    result = await PlannerTestHost().run(RecoverPlanner(RunHands(session), failed))
    assert (result.outcome, result.artifacts.get("remedy")) == ("success", "escape"), result


async def test_what_may_have_had_an_effect_is_not_done_again(session: AgentSession):
    failed = FailedStep(goal=Goal("browser", "click"), error=ErrorInfo("target_missing", "x"), effect="unverified")
    result = await PlannerTestHost().run(RecoverPlanner(RunHands(session), failed))
    assert (result.outcome, result.errors[0].code, result.completed) == ("failed", "no_remedy", ())


async def test_what_no_remedy_helps_fails_with_its_own_error(session: AgentSession, site: SiteServer, tmp_path: Path):
    await session.run(Request(utterance=f"go to {site.url}/shop/"))
    goal = Goal("browser", "expect", {"text": "never there", "timeout": 0})
    log = await fail(session, goal)
    assert log.result.error is not None
    failed = FailedStep(goal=goal, error=log.result.error)
    result = await PlannerTestHost().run(RecoverPlanner(RunHands(session), failed))
    assert (result.outcome, result.errors[0].code) == ("failed", "expectation_failed")
    assert [each.instance_id for each in result.completed] == ["try-rest", "repeat-rest", "try-look", "repeat-look"]
