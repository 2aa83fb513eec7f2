"""Planners over a real session: sentences, flows, and what is tried when a step fails."""

from pathlib import Path

from agent.planners.back_ends.rules import RuleBasedBackEnd
from agent.planners.flow import FlowPlanner
from agent.planners.goals import GoalsPlanner
from agent.planners.recover.planner import FailedStep, RecoverPlanner
from agent.planners.session_hands import HandsTerms, SessionHands
from agent.planners.templates.template_files import TemplateFiles
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.testing.hosts import HostParts, PlannerTestHost
from agent.testing.scripted_models import ScriptedModel
from core.approvals.approvals import ClassGate
from core.base.errors import ErrorInfo
from core.goals.meta_goals import Goal
from core.results.tool_results import StepLog
from fixtures.site_server import SiteServer
from tests.agent.planners.exploring import Person, call, propose
from tests.agent.planners.tools import describe_tools

ODD = "kindly have the price of the blue mug told to me"


def make_goals_planner(session: AgentSession, person: Person | None = None) -> GoalsPlanner:
    """Return a planner for sentences, as a command makes it."""
    hands = SessionHands(session, HandsTerms(gate=person or ClassGate()))
    return GoalsPlanner(hands, RuleBasedBackEnd(session.interpreter), describe_tools())


async def test_a_sentence_is_done_and_the_reply_says_what_was_read(session: AgentSession, site: SiteServer):
    host = PlannerTestHost()
    text = f"go to {site.url}/shop/item/blue-mug and read the title"
    result = await host.run(make_goals_planner(session), text=text)
    assert (result.outcome, [each.step_id for each in result.completed]) == (
        "success",
        ["interpret", "orchestrate", "execute", "reply"],
    )
    assert "Blue mug" in result.artifacts["reply"]
    assert all(goal.author == "" for goal in result.artifacts["goals"])


async def test_a_model_is_asked_only_where_the_language_has_no_words_and_the_settings_name_verbs(
    session: AgentSession, site: SiteServer, tmp_path: Path
):
    model = ScriptedModel(propose(call("browser.navigate", url=f"{site.url}/shop/item/blue-mug")))
    refused = await PlannerTestHost(HostParts(model=model)).run(make_goals_planner(session), text=ODD)
    assert (refused.outcome, refused.errors[0].code, model.asked) == ("failed", "no_intent_match", ())
    person = Person(".*")
    host = PlannerTestHost(HostParts(model=model, templates=TemplateFiles(), settings={"verbs": ["browser.navigate"]}))
    result = await host.run(make_goals_planner(session, person), text=ODD)
    assert result.outcome == "success", result.errors
    assert [goal.author for goal in result.artifacts["goals"]] == ["scripted"]
    assert len(person.asked) == 1
    (project,) = [each for each in model.asked[0].data if each.label == "project"]
    assert project.text.startswith(f"Workspace:\n- {tmp_path}")
    assert (project.is_tainted, project.source) == (True, str(tmp_path))


async def test_a_flow_is_checked_as_a_whole_before_anything_of_it_is_done(session: AgentSession, site: SiteServer):
    host = PlannerTestHost()
    flow = f'goals: [{{browser.navigate: {{url: "{site.url}/shop/"}}}}, {{browser.clik: {{selector: h1}}}}]'
    result = await host.run(FlowPlanner(SessionHands(session)), flow=flow)
    assert (result.outcome, result.errors[0].code) == ("failed", "rule_not_found")
    assert list(site.received) == []


async def test_a_flow_is_run_with_its_variables_and_reported_step_by_step(session: AgentSession, site: SiteServer):
    host = PlannerTestHost()
    flow = 'vars: {site: ""}\ngoals: [{browser.navigate: {url: "${site}/shop/"}}, {browser.read: {target: title}}]'
    result = await host.run(FlowPlanner(SessionHands(session)), flow=flow, variables={"site": site.url})
    assert result.outcome == "success", result.errors
    assert [each["status"] for each in result.artifacts["receipts"]] == ["ok", "ok"]
    assert "Fixture Shop" in result.artifacts["reply"]


async def test_a_flow_that_fails_is_no_success_and_says_which_step(session: AgentSession, site: SiteServer):
    host = PlannerTestHost()
    flow = (
        f'goals: [{{browser.navigate: {{url: "{site.url}/shop/"}}}}, {{browser.expect: {{text: "never", timeout: 0}}}}]'
    )
    result = await host.run(FlowPlanner(SessionHands(session)), flow=flow)
    assert (result.outcome, result.errors[0].code) == ("partial", "expectation_failed")
    assert [each["status"] for each in result.artifacts["receipts"]] == ["ok", "failed"]


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
    result = await PlannerTestHost().run(RecoverPlanner(SessionHands(session), failed))
    assert (result.outcome, result.artifacts.get("remedy")) == ("success", "escape"), result


async def test_what_may_have_had_an_effect_is_not_done_again(session: AgentSession):
    failed = FailedStep(goal=Goal("browser", "click"), error=ErrorInfo("target_missing", "x"), effect="unverified")
    result = await PlannerTestHost().run(RecoverPlanner(SessionHands(session), failed))
    assert (result.outcome, result.errors[0].code, result.completed) == ("failed", "no_remedy", ())


async def test_what_no_remedy_helps_fails_with_its_own_error(session: AgentSession, site: SiteServer, tmp_path: Path):
    await session.run(Request(utterance=f"go to {site.url}/shop/"))
    goal = Goal("browser", "expect", {"text": "never there", "timeout": 0})
    log = await fail(session, goal)
    assert log.result.error is not None
    failed = FailedStep(goal=goal, error=log.result.error)
    result = await PlannerTestHost().run(RecoverPlanner(SessionHands(session), failed))
    assert (result.outcome, result.errors[0].code) == ("failed", "expectation_failed")
    assert [each.instance_id for each in result.completed] == ["try-rest", "repeat-rest", "try-look", "repeat-look"]
