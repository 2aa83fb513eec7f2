"""The page engine assumes nothing about the document that it looks at."""

import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.async_api import Page

from actuators.browser.playwright.engine.scripts import engine_selector, find_fault
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import count_matches, probe, probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from fixtures.site_handlers.documents_site import KINDS
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

SELECTORS = [
    "button", 'button "Go on"', "heading", "Dashboard", 'field "Email"', "field", 'text "Dashboard"', 'value "Email"', 'label="Email"',
    'placeholder="Email"', 'icon "search"', 'look "red circle"', 'row "Ada"', "testid=card", 'button in "Dashboard"', 'link near "Dashboard"',
    "checkbox", "table", "image", 'record with lowest "Price"',
]  # fmt: skip
QUESTIONS = [
    "page", "title", "lines", "whole", "candidates", "valued", "looked", "iconed", "fillable", "secrets", "focused", "active", "content",
    "opener", "scroll_on", "scroll_back", "scroll", "at", "trouble", "aim", "about", "text", "typed", "html", "links", "table", "state", "place",
    "control", "gauge", "calendar", "tick", "value", "sight", "way", "hovered", "cover", "uncover", "zoomed",
]  # fmt: skip
OPTIONS: dict[str, Any] = {
    "most": 1000, "limit": 10, "token": "t", "by": ["menus", "tabs", "pages"], "values": ["hunter2"], "x_px": 5, "y_px": 5,
    "direction": "down", "amount": 1, "unit": "page", "to": None,
}  # fmt: skip


@pytest.mark.parametrize("kind", [each for each in KINDS if each != "written"])
async def test_every_question_about_any_document_is_answered(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, kind: str
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/documents/{kind}")
    for selector in SELECTORS:
        await count_matches(build_locator(parse_selector(selector), page), 1)
    for question in QUESTIONS:
        await probe(page, question, 500, **OPTIONS)
    assert await probe_all(page.locator("nothing"), "about") == []


SEEN = ["plain", "svg", "xml", "styled-xml", "xhtml", "text", "json", "written", "broken"]


@pytest.mark.parametrize("kind", SEEN)
async def test_a_text_is_found_in_a_document_of_any_kind(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, kind: str
) -> None:
    hands = Hands(session)
    await hands.navigate(context, f"{site.url}/documents/{kind}", "commit")
    await hands.wait(context, selector='text "Dashboard"', state="attached")


@pytest.mark.parametrize("kind", ["plain", "svg", "xml", "xhtml", "text", "json"])
async def test_the_text_of_a_document_of_any_kind_is_read(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, kind: str
) -> None:
    await Hands(session).navigate(context, f"{site.url}/documents/{kind}")
    reading = Hands(session)
    assert "Dashboard" in (await reading.read(context, "text")).output["text"]
    assert (await reading.expect(context, text="Dashboard")).evidence
    assert (await reading.snapshot(context)).output["text"]


async def test_controls_of_an_xhtml_page_have_roles_and_names(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/documents/xhtml")
    for selector in ('button "Go on"', 'field "Email"', 'checkbox "Agree"', 'image "A mug"', 'cell "Ada"', "combobox"):
        assert await count_matches(build_locator(parse_selector(selector), page)) == 1, selector


Waiting = Callable[[Hands, ActionContext], Awaitable[Any]]
WAITS: dict[str, Waiting] = {
    "an element": lambda hands, context: hands.wait(context, selector='heading "Dashboard"'),
    "an attached element": lambda hands, context: hands.wait(context, selector='text "All is well."', state="attached"),
    "a text": lambda hands, context: hands.wait(context, text="All is well."),
    "an address": lambda hands, context: hands.wait(context, url="/documents/late"),
    "a load state": lambda hands, context: hands.wait(context, load_state="load"),
    "a hidden element": lambda hands, context: hands.wait(context, selector='button "Never"', state="hidden"),
    "a detached element": lambda hands, context: hands.wait(context, selector='button "Never"', state="detached"),
}


@pytest.mark.parametrize("waiting", WAITS.values(), ids=WAITS.keys())
async def test_a_wait_that_begins_before_the_document_has_an_element_sees_what_comes(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, waiting: Waiting
) -> None:
    hands = Hands(session)
    await hands.navigate(context, f"{site.url}/documents/late?ms=700", "commit")
    page = session.current_page(context)
    assert await page.evaluate("document.documentElement === null")
    await waiting(hands, context)


async def test_a_wait_goes_on_while_the_page_goes_elsewhere_again_and_again(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    hands = Hands(session)
    await hands.navigate(context, f"{site.url}/documents/text", "commit")
    page = session.current_page(context)
    await page.add_init_script(
        """{ const last = Number(location.search.slice(1)) || 0;
        if (last < 10) setTimeout(() => { location.href = `/documents/${last < 9 ? 'text' : 'plain'}?${last + 1}` }, 15); }"""
    )
    await page.evaluate("location.href = '/documents/text?1'")
    await hands.wait(context, selector='heading "Dashboard"')
    assert page.url.endswith("/documents/plain?10")


LIST_NAMES = """() => {
  const names = new Set();
  for (const kind of [HTMLFormElement, HTMLElement, Element, Node, EventTarget, Document, HTMLInputElement])
    for (const name of Object.getOwnPropertyNames(kind.prototype)) names.add(name);
  return [...names].sort();
}"""


def _write_page(names: list[str]) -> str:
    fields = "".join(f'<input name="{name}">' for name in names)
    others = "".join(f'<img name="{name}" id="{name}" alt=""><form name="{name}"></form>' for name in names)
    form = f'<form aria-label="Order">{fields}<label>Your answer <input value="yes"></label><button type="button">Send</button></form>'
    return f"<!doctype html><title>Arrived</title>{others}{form}"


async def _find_names(page: Page) -> list[str]:
    return await page.evaluate(LIST_NAMES)


@pytest.mark.timeout(240)
async def test_no_name_in_a_page_stands_before_what_the_engine_reads(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/documents/plain")
    names = await _find_names(page)
    assert len(names) > 300
    for at in range(0, len(names), 20):
        await page.goto("about:blank")
        await page.set_content(_write_page(names[at : at + 20]))
        chosen = parse_selector('button "Send" in form "Order"')
        assert await count_matches(build_locator(chosen, page)) == 1, names[at : at + 20]
        assert await count_matches(build_locator(parse_selector('field "Your answer" in "Order"'), page)) == 1
        assert (await probe(page.locator(engine_selector("control", name="Send")), "about"))["in"] == "Order"
        assert (await probe(page, "page"))["title"] == "Arrived", names[at : at + 20]
        assert await probe(page, "candidates", limit=50)
        assert (await probe(page.locator("form").last, "about"))["role"] == "form"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=st.text(max_size=40), line=st.integers(0, 5000))
def test_a_fault_is_read_whatever_its_message(message: str, line: int) -> None:
    told = quote(
        json.dumps({"message": message, "script": "core", "line": line, "column": 1, "url": "u"}),
        safe="!~*'()",
    )
    fault = find_fault(f"Locator.count: Error: surehand-fault:{told}\n    at mark (surehand-shell.js:1:1)")
    assert fault is not None
    assert (fault.message, fault.line) == (message, line)
