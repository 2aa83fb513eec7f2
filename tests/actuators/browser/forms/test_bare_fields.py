"""Fields without labels on real pages: by the text in front of them, by a word of their id, and as the only text field."""

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from tests.cases import each_case

FORM = """<p>Date: <input id="a"></p><div><div>Departure</div><div><input id="b"></div></div>
    <label>to: </label><input id="c"><br><input id="returnPicker"><textarea id="e"></textarea>"""

# Each button has a name of its own, so that HTML knows of no group.
RADIOS = """<fieldset><span>Size</span><div id="sizes"><label><input type="radio" name="r1" value="S">Small</label>
    <label><input type="radio" name="r2" value="L">Large</label></div></fieldset>"""


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


async def find_ids(page: Page, selector: str) -> list[str]:
    return [match.get("id", "") for match in await probe_all(build_locator(parse_selector(selector), page), "about")]


@each_case(
    ("html", "selector", "ids"),
    [
        (FORM, 'field "date"', ["a"]),
        (FORM, 'field "Departure"', ["b"]),
        (FORM, 'field "to"', ["c"]),
        (FORM, 'field "return"', ["returnPicker"]),
        ('<textarea id="a"></textarea><input id="b">', 'field "text"', ["b"]),
        ('<textarea id="a"></textarea>', 'field "text"', ["a"]),
        ('<input id="a" type="text"><input id="b" type="email">', 'field "text"', ["a"]),
        ("<p>Slide: <div class='slider' id='a'><i class='handle'></i></div></p>", "slider", ["a"]),
        ('<p>Day</p><div><input id="a" placeholder="YYYY-MM-DD"> <button>\u25be</button></div>', 'field "Day"', ["a"]),
        ('<p>Day</p><div><input id="a"><input id="b"></div>', 'field "Day"', []),
        (RADIOS, 'field "Size"', ["sizes"]),
    ],
)
async def test_fields_without_labels_are_found(page: Page, html: str, selector: str, ids: list[str]) -> None:
    await page.set_content(html)
    assert await find_ids(page, selector) == ids
