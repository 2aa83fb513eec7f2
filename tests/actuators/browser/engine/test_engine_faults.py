"""What our own script inside a page fails with is told as that, and tried again while there is time."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.engine.scripts import CONTEXT_SCRIPT, ENGINE_SCRIPT, engine_selector
from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, SurehandError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.engine.conftest import HOME
from tests.actuators.browser.engine.places import find_places
from tests.actuators.browser.hands import Hands
from tests.thoroughness import spread

SHORT_S = 1.5
HEADING = 'heading "Dashboard"'
# What only our script uses. The world that it runs in is Playwright's, which the browser lets us into past Playwright.
BREAK = "globalThis.kept ||= decodeURIComponent; globalThis.decodeURIComponent = () => { throw new Error('broken on purpose') };"
MEND = "globalThis.decodeURIComponent = globalThis.kept;"


async def run_in_our_world(page: Page, script: str) -> None:
    """Run a script where the page engine runs, in all documents of a page."""
    await page.locator("body").count()  # so that there is such a world
    tools = await page.context.new_cdp_session(page)
    found: list[int] = []

    def note(event: dict[str, Any]) -> None:
        if event["context"]["name"].startswith("__playwright_utility_world"):
            found.append(event["context"]["id"])

    tools.on("Runtime.executionContextCreated", note)
    await tools.send("Runtime.enable")
    for each in found:
        await tools.send("Runtime.evaluate", {"expression": script, "contextId": each})
    await tools.detach()
    assert found


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Page:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/documents/plain")
    return page


Act = Callable[[PlaywrightSession, ActionContext], Awaitable[Any]]
ACTS: dict[str, Act] = {
    "wait": lambda session, context: Hands(session).wait(context, selector=HEADING),
    "wait until gone": lambda session, context: Hands(session).wait(context, selector=HEADING, state="hidden"),
    "click": lambda session, context: Hands(session).click(context, 'button "Go on"'),
    "click every": lambda session, context: Hands(session).click(context, "every button"),
    "reveal": lambda session, context: Hands(session).reveal(context, 'button "Never"'),
    "scroll": lambda session, context: Hands(session).scroll(context),
    "expect": lambda session, context: Hands(session).expect(context, selector=HEADING),
    "expect a text": lambda session, context: Hands(session).expect(context, text="All is well."),
    "expect nothing": lambda session, context: Hands(session).expect(context, selector=HEADING, state="hidden"),
    "count": lambda session, context: Hands(session).read(context, "count", HEADING),
    "read": lambda session, context: Hands(session).read(context, "text"),
    "title": lambda session, context: Hands(session).read(context, "title"),
    "snapshot": lambda session, context: Hands(session).snapshot(context),
    "picture": lambda session, context: Hands(session).screenshot(context),
    "wait for a text": lambda session, context: Hands(session).wait(context, text="All is well."),
    "extract": lambda session, context: Hands(session).extract(context, {"name": "h1"}, rows=HEADING),
    "type": lambda session, context: Hands(session).type(context, selector='field "Email"', text="ada@example.com"),
    "fill": lambda session, context: Hands(session).fill(context, {"Email": "ada@example.com"}),
}  # fmt: skip


@pytest.mark.parametrize("verb", spread(ACTS, 6))
async def test_a_fault_of_our_own_is_never_told_as_the_pages(
    page: Page, session: PlaywrightSession, context: ActionContext, verb: str
) -> None:
    await run_in_our_world(page, BREAK)
    with pytest.raises(SurehandError) as caught:
        await ACTS[verb](session, replace(context, timeout_s=SHORT_S))
    assert caught.value.code == "engine_failed"
    assert "broken on purpose" in caught.value.message
    assert caught.value.evidence["url"] == page.url


@pytest.mark.parametrize("verb", spread(("wait", "click", "expect", "count", "read", "title", "type", "fill"), 4))
async def test_a_fault_that_passes_is_not_told_at_all(
    page: Page, session: PlaywrightSession, context: ActionContext, verb: str
) -> None:
    await run_in_our_world(page, BREAK + f"setTimeout(() => {{ {MEND} }}, 300);")
    await ACTS[verb](session, context)


async def test_the_place_of_a_fault_leads_to_the_function_and_the_line_of_our_script(page: Page) -> None:
    with pytest.raises(ActionError) as caught:
        await probe(page, "no such question", 1500)
    assert caught.value.code == "engine_failed"
    with pytest.raises(PlaywrightError) as failed:
        await page.locator("h1 >> " + engine_selector("part", what="nothing")).count()
    fault = read_failure(failed.value.message).fault
    assert fault is not None
    places = caught.value.evidence["place"], fault.place
    assert f", in {places[0]}. Nothing was done." in caught.value.message
    first, later = find_places(*places).values()
    assert first == f"engine/later.ts:{find_line('engine/later.ts', 'nothing answers')} findLater"
    assert re.fullmatch(r"engine/controls/controls\.ts:\d+ findPart", later)


def find_line(module: str, text: str) -> int:
    lines = (HOME / module).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_what_is_sent_to_each_document_is_ascii() -> None:
    assert ENGINE_SCRIPT.isascii()
    assert CONTEXT_SCRIPT.isascii()
    assert r"\u2212" in ENGINE_SCRIPT


async def test_what_was_never_waited_for_is_not_missing(
    page: Page, session: PlaywrightSession, context: ActionContext
) -> None:
    with pytest.raises(PlaywrightError) as caught:
        await page.locator("h1").evaluate("() => { throw new Error('something else') }")
    assert read_failure(caught.value.message).cause == "unclear"
    with pytest.raises(TargetError) as missed:
        await Hands(session).click(replace(context, timeout_s=SHORT_S), 'button "Never"')
    assert missed.value.code == "target_missing"
