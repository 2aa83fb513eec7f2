"""A session on the page of another program: both act on it, and the other keeps it."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.programs import inspect_machine
from actuators.browser.ports.sessions import AttachedPage
from actuators.own_services import keep_hands_off
from agent.assembly import SessionPages, make_session
from agent.requests.requests import Request
from agent.requests.session_wishes import SessionWishes
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.base.errors import InputError, RefusedError
from core.goals.meta_goals import Goal
from core.policy.policy import Policy
from core.results.tool_results import RunResult
from fixtures.site_server import SiteServer


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """A page that another program has open, in a browser with a debugging port."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser().require().executable,
            chromium_sandbox=not inspect_machine().is_root,
            args=["--remote-debugging-port=0"],
        )
        yield await (await browser.new_context()).new_page()
        await browser.close()


async def find_shared(page: Page) -> AttachedPage:
    browser = page.context.browser
    assert browser
    session = await browser.new_browser_cdp_session()
    profile = re.search(r"--user-data-dir=(.*?)(?= --|$)", (await session.send("SystemInfo.getInfo"))["commandLine"])
    assert profile
    place = Path(profile[1], "DevToolsActivePort")
    port = (await asyncio.to_thread(place.read_text, encoding="utf-8")).split()[0]
    facts = await (await page.context.new_cdp_session(page)).send("Target.getTargetInfo")
    return AttachedPage(f"http://127.0.0.1:{port}", facts["targetInfo"]["targetId"])


@pytest.fixture
async def hand(page: Page, tmp_path: Path) -> AsyncIterator[AgentSession]:
    shared = await find_shared(page)
    pages = SessionPages(SessionWishes(attach=shared.address, page=shared.target))
    async with make_session(Settings(), tmp_path, pages=pages) as session:
        yield session


async def run(hand: AgentSession, *goals: Goal, policy: Policy | None = None) -> RunResult:
    return await hand.run(Request(goals=goals, policy=policy or Policy()))


async def test_both_hands_act_on_one_page_and_receipts_say_so(hand: AgentSession, page: Page, site: SiteServer) -> None:
    await page.goto(f"{site.url}/shop/item/blue-mug")
    typed = Goal("browser", "type", {"selector": 'field "Quantity"', "text": "2"}, goal_id="g0")
    clicked = Goal("browser", "click", {"selector": 'button "Add to basket"'}, goal_id="g1", scope="after:g0")
    done = await run(hand, typed, clicked)
    assert [(each.result.status, each.result.evidence["attached"]) for each in done.step_logs] == [("ok", True)] * 2
    assert await page.get_by_test_id("total").inner_text() == "£17.00"


async def test_the_page_stays_open_when_the_session_ends(hand: AgentSession, page: Page, site: SiteServer) -> None:
    await page.goto(f"{site.url}/shop/")
    await run(hand, Goal("browser", "read", {"target": "title"}))
    await hand.close()
    assert await page.title() == "Fixture Shop"


async def test_a_new_tab_is_one_of_the_page_s_own_context(hand: AgentSession, page: Page, site: SiteServer) -> None:
    await page.goto(f"{site.url}/shop/")
    opened = await run(hand, Goal("browser", "open_tab", {"url": f"{site.url}/shop/catalogue"}))
    assert opened.outcome == "success"
    assert [each.url for each in page.context.pages] == [f"{site.url}/shop/", f"{site.url}/shop/catalogue"]


async def test_the_other_program_answers_the_dialogs_of_its_own_acts(hand: AgentSession, page: Page) -> None:
    await page.set_content("<button onclick=\"document.title = confirm('sure?')\">Ask</button>")
    await run(hand, Goal("browser", "read", {"target": "title"}))
    page.once("dialog", lambda dialog: dialog.accept())
    await page.get_by_role("button").click()
    assert await page.title() == "true"


async def test_policy_holds_for_where_a_step_goes(hand: AgentSession, page: Page, site: SiteServer) -> None:
    await page.goto(f"{site.url}/shop/")
    goal = Goal("browser", "navigate", {"url": "http://127.0.0.1:9/"})
    done = await run(hand, goal, policy=Policy(hosts=(site.url.removeprefix("http://"),)))
    assert [each.code for each in done.errors] == ["refused_by_policy"]
    assert page.url == f"{site.url}/shop/"


async def test_on_a_page_of_a_service_of_surehand_nothing_is_done(
    hand: AgentSession, page: Page, site: SiteServer
) -> None:
    await page.goto(f"{site.url}/shop/item/blue-mug")
    with keep_hands_off(int(site.url.rpartition(":")[2])):
        pressed = Goal("browser", "click", {"selector": 'button "Add to basket"'}, goal_id="g0", scope="root")
        opened = Goal("browser", "navigate", {"url": f"{site.url}/shop/"}, goal_id="g1", scope="root")
        for goal in (pressed, opened):
            done = await run(hand, goal)
            assert [each.result.error and each.result.error.code for each in done.step_logs] == ["own_service"], done
    assert page.url == f"{site.url}/shop/item/blue-mug"


@pytest.mark.parametrize(
    "goal",
    [
        Goal("browser", "emulate", {"locale": "de-DE"}),
        Goal("browser", "route", {"url": "**/x", "action": "abort"}),
    ],
    ids=lambda goal: goal.verb,
)
async def test_what_belongs_to_the_context_of_the_other_program_is_refused(
    hand: AgentSession, goal: Goal, page: Page, site: SiteServer
) -> None:
    await page.goto(f"{site.url}/shop/")
    done = await run(hand, goal)
    assert [each.result.error and each.result.error.code for each in done.step_logs] == ["attached_page"]


async def test_a_page_that_was_closed_meanwhile_is_named(hand: AgentSession, page: Page) -> None:
    await page.close()
    done = await run(hand, Goal("browser", "read", {"target": "title"}))
    assert [each.result.error and each.result.error.code for each in done.step_logs] == ["page_closed"]


@pytest.mark.parametrize(
    "address",
    [
        "http://192.168.0.2:9222",
        "http://127.0.0.1.example.com:9222",
        "http://127.0.0.1:9222/json",
        "https://127.0.0.1:9222",
        "http://127.0.0.1",
        "http://127.0.0.1:70000",
        "ws://127.0.0.1:9222",
        "http://user@127.0.0.1:9222",
    ],
)
def test_only_ports_of_this_machine_are_attached_to(address: str) -> None:
    with pytest.raises(RefusedError) as refused:
        AttachedPage(address, "AB12")
    assert refused.value.code == "attach_refused"


def test_a_page_is_named_by_its_target() -> None:
    with pytest.raises(InputError):
        AttachedPage("http://127.0.0.1:9222", "../json")
