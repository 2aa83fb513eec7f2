"""Fields and lists by what people read beside them, where programs are told something else."""

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from tests.cases import each_case

CHOOSER = """<div id="here-title"><label for="here">Available tags</label><p>Choose tags by selecting them.</p></div>
    <label for="filter">Type here to filter the available tags</label><input id="filter">
    <select id="here" multiple aria-labelledby="here-title"><option id="left">Poetry</option></select>
    <label for="there">Chosen tags</label><select id="there" multiple aria-label="Chosen tags. Take them out again."><option id="right">Poetry</option></select>"""
HINTED = """<label for="mail"><span>Email</span><small>We never share your email</small></label><input id="mail">
    <label for="other">Second email</label><input id="other">"""
RADIOS = """<div><label>Status:</label><div id="status"><div><label><input type="radio" name="s">Draft</label></div>
    <div><label><input type="radio" name="s">Sold</label></div></div></div>"""


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


@each_case(
    ("html", "selector", "ids"),
    [
        (CHOOSER, 'field "Available tags"', ["here"]),
        (CHOOSER, 'field "Chosen tags"', ["there"]),
        (CHOOSER, 'field "filter the available tags"', ["filter"]),
        (CHOOSER, 'option "Poetry" in "Available tags"', ["left"]),
        (CHOOSER, 'option "Poetry" in "Chosen tags"', ["right"]),
        (CHOOSER, 'option "Poetry" in "Refused tags"', []),
        (HINTED, 'field "Email"', ["mail"]),
        (HINTED, 'field "We never share your email"', ["mail"]),
        (RADIOS, 'field "Status"', ["status"]),
    ],
)
async def test_a_label_names_its_field_as_it_is_read(page: Page, html: str, selector: str, ids: list[str]) -> None:
    await page.set_content(html)
    found = await probe_all(build_locator(parse_selector(selector), page), "about")
    assert [match.get("id", "") for match in found] == ids
