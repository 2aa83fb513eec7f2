"""What an act on a real page aims at, and what becomes of a yes when the page changes meanwhile."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.verb_table import PLANNER_RULES, load_toolsets
from core.approvals.approvals import ApprovalRequest, ApprovalTerms
from core.execution.executor import PlanExecutor
from core.execution.run_context import RunContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.scopes import build_meta_goal
from core.planning.authority import RulesResolver
from core.planning.context import PlanningContext
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.tool_results import StepLog
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry
from fixtures.rule_samples import WORLD
from fixtures.site_server import SiteServer

ASKING = PolicyRule(verdict="ask", verbs=("browser.click",))
PAGE = """<title>Shop</title><form action="/buy" method="post"><input name="action" value="/elsewhere"><input name="getAttribute">
<button id="b">Buy</button></form><a href="/next">Next</a><iframe srcdoc="<button>Inner</button>"></iframe>"""


class Meddler:
    """Changes the page while it is asked, and says yes."""

    def __init__(self, session: PlaywrightSession, script: str) -> None:
        self.session = session
        self.script = script
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        if self.script:
            await self.session.current_page(ActionContext("g0_look_1")).evaluate(self.script)
        return True


@pytest.fixture
async def shop(session: PlaywrightSession, context: ActionContext) -> PlaywrightSession:
    """A page with a form whose fields stand in front of its own attributes."""
    page = await session.open_page(context)
    await page.set_content(PAGE)
    return session


async def run(session: PlaywrightSession, gate: Meddler, rules: tuple[PolicyRule, ...], *goals: Goal) -> list[StepLog]:
    toolsets = make_toolsets(session)

    async def provide(toolset: type[Toolset]) -> Toolset:
        return toolsets[toolset]

    registry = ToolRegistry()
    for toolset in load_toolsets("browser"):
        registry.register(toolset, provide)
    policy = Policy(rules=rules)
    orchestrator = GoalOrchestrator(GoalPlanner(PLANNER_RULES))
    graph = orchestrator.orchestrate(build_meta_goal(goals), PlanningContext(WORLD, policy)).graph
    run = RunContext(world=WORLD, policy=policy, approvals=ApprovalTerms(gate=gate))
    executor = PlanExecutor(StepPerformer(registry, RulesResolver()))
    return list(await asyncio.wait_for(executor.execute(graph, run), 30))


def click(selector: str) -> Goal:
    return Goal("browser", "click", {"selector": selector})


def tell(log: StepLog) -> tuple[str, Any]:
    error = log.result.error
    return (error.code, error.evidence.get("changed")) if error else ("", None)


async def test_a_form_can_t_hide_where_it_goes_behind_its_own_fields(shop: PlaywrightSession) -> None:
    gate = Meddler(shop, "")
    await run(shop, gate, (ASKING,), click("#b"))
    (request,) = gate.asked
    assert request.preview is not None
    target: Mapping[str, Any] = request.preview.target
    assert (target["role"], target["name"], target["form_method"]) == ("button", "Buy", "post")
    assert target["form_sends_to"].endswith("/buy")


@pytest.mark.parametrize(
    ("script", "changed"),
    [
        ("document.querySelector('#b').textContent = 'Sell'", 'name was "Buy" and is "Sell"'),
        (
            "HTMLFormElement.prototype.setAttribute.call(document.forms[0], 'action', 'http://127.0.0.2/')",
            "form sends to was",
        ),
        (
            "HTMLFormElement.prototype.setAttribute.call(document.forms[0], 'method', 'get')",
            'form method was "post" and is "get"',
        ),
        ("document.querySelector('#b').setAttribute('formaction', '/evil')", "form sends to was"),
        ("document.querySelector('#b').setAttribute('role', 'link')", 'role was "button" and is "link"'),
        ("history.pushState({}, '', '#elsewhere')", "address was"),
    ],
)
async def test_a_yes_is_void_once_the_element_or_its_page_is_another(
    script: str, changed: str, shop: PlaywrightSession
) -> None:
    await shop.current_page(ActionContext("g0_look_1")).evaluate(
        "window.clicks = 0; document.querySelector('#b').onclick = () => clicks++; 0"
    )
    (log,) = await run(shop, Meddler(shop, script), (ASKING,), click("#b"))
    code, told = tell(log)
    assert code == "approval_void"
    assert changed in "; ".join(told)
    assert await shop.current_page(ActionContext("g0_look_1")).evaluate("window.clicks") == 0


async def test_an_element_in_a_frame_is_told_with_its_document(shop: PlaywrightSession) -> None:
    gate = Meddler(shop, "")
    await run(shop, gate, (ASKING,), click('frame "about:srcdoc" >> button "Inner"'))
    assert gate.asked[0].preview is not None
    assert gate.asked[0].preview.target["document"] == "about:srcdoc"


async def test_a_page_that_changes_elsewhere_voids_nothing(shop: PlaywrightSession) -> None:
    (log,) = await run(shop, Meddler(shop, "document.title = 'Other'"), (ASKING,), click('link "Next"'))
    assert tell(log)[0] != "approval_void"


async def test_without_a_rule_nothing_is_looked_at_beforehand(shop: PlaywrightSession) -> None:
    gate = Meddler(shop, "")
    (log,) = await run(shop, gate, (), click("#b"))
    assert (log.tool, gate.asked) == ("browser_click", [])


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", "refused"), ("a.example", "ok")])
async def test_a_rule_about_a_host_holds_on_the_page_that_is_acted_on(
    host: str, status: str, session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/conformance/")
    gate = Meddler(session, "")
    rules = (PolicyRule(verdict="deny", hosts=(host,)),)
    (log,) = await run(session, gate, rules, click('button "Plain button"'))
    assert (log.result.status, gate.asked) == (status, [])
    assert tell(log)[0] == ("refused_by_policy" if status == "refused" else "")


async def test_a_rule_that_asks_on_a_host_shows_the_page(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/conformance/")
    gate = Meddler(session, "")
    rules = (PolicyRule(verdict="ask", hosts=("127.0.0.1",), effects=("actuate",)),)
    clicked, looked = await run(
        session, gate, rules, click("#plain"), Goal("browser", "read", {"target": "title"}, scope="after:g0")
    )
    assert (clicked.result.status, looked.result.status, len(gate.asked)) == ("ok", "ok", 1)
    assert gate.asked[0].preview is not None
    assert gate.asked[0].preview.target["address"] == f"{site.url}/conformance/"
    assert looked.origins[0].place == f"{site.url}/conformance/"
