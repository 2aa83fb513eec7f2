"""What texts name on pages that mark little up: what follows them, and never by what a control changes itself."""

from urllib.parse import quote

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands
from tests.cases import each_case

CONTEXT = ActionContext("g0_name_1", timeout_s=8.0)


@pytest.fixture
async def page(session: PlaywrightSession) -> Page:
    return await session.open_page(CONTEXT)


async def show(page: Page, html: str) -> None:
    await page.goto("data:text/html;charset=utf-8," + quote(html))


async def find_ids(page: Page, selector: str) -> list[str]:
    return [match.get("id", "") for match in await probe_all(build_locator(parse_selector(selector), page), "about")]


async def look(session: PlaywrightSession) -> list[str]:
    return [line["text"] for line in (await Hands(session).snapshot(CONTEXT)).output["lines"]]


SLIDER = '<div role="slider" tabindex="0" {} aria-valuenow="20" style="width:90px;height:20px" id="slider"></div>'
EDITOR = '<div><div id="editor" contenteditable="true" role="textbox" style="min-height:40px"></div></div>'


@each_case(
    ("html", "selector", "ids"),
    [
        (
            f'<div><p>Budget</p><div role="group">{SLIDER.format("aria-label=Least")}</div>{EDITOR}</div>',
            "Budget",
            ["slider"],
        ),
        (f'<div><p>Budget</p><div role="group">{SLIDER.format("")}</div>{EDITOR}</div>', "Budget", ["slider"]),
        (
            f'<div><p>Budget</p><div><input type="checkbox" aria-label="Any"><button>Reset</button></div>{EDITOR}</div>',
            "Budget",
            [],
        ),
        (
            f'<div><h3>Remarks</h3><div role="toolbar"><button>B</button><select></select></div>{EDITOR}</div>',
            "Remarks",
            ["editor"],
        ),
        (f"<div><h3>Remarks</h3><div><p>For everybody</p></div>{EDITOR}</div>", "Remarks", ["editor"]),
        (
            '<p>Volume</p><div><output>40</output></div><div><input id="it" type="range" value="40"></div>',
            "Volume",
            ["it"],
        ),
        ('<div>Width <span>12 px</span> <input id="it" type="range" value="12"></div>', "Width", ["it"]),
        ('<div><input value="Ada" aria-label="Name"></div><div><input id="it"></div>', "Ada", []),
        ('<p>Shade</p><div><div><span id="v">Dark</span></div><div><input id="it"></div></div>', "Dark", ["it"]),
        (
            """<p>Shade</p><div style="position:relative;width:200px;height:30px"><div style="position:absolute">Dark</div>
            <div style="position:absolute"><input id="it" role="combobox" aria-autocomplete="list" style="width:150px"></div></div>""",
            "Dark",
            [],
        ),
    ],
)
async def test_a_text_names_the_field_that_follows_it(page: Page, html: str, selector: str, ids: list[str]) -> None:
    await show(page, html)
    assert await find_ids(page, f'field "{selector}"') == ids


ROWS = """<table><thead><tr><th>Name</th><th>State</th><th>Actions</th></tr></thead><tbody>
<tr><td>api-1</td><td><button>Ready</button></td><td><button id="one" onclick="document.title = 'api-1'"><svg width="4" height="16"></svg></button></td></tr>
<tr><td>api-2</td><td><button>Asleep</button></td><td><button id="two" onclick="document.title = 'api-2'"><svg width="4" height="16"></svg></button></td></tr>
<tr><td>api-3</td><td></td><td><button><svg width="4" height="16"></svg></button><button><svg width="4" height="16"></svg></button></td></tr></tbody></table>"""


@each_case(
    ("selector", "ids"),
    [
        ('control "actions" in (record "api-2")', ["two"]),
        ('button "Actions" in (record "api-1")', ["one"]),
        ('control "more options" in (record "api-1")', ["one"]),
        ('control "menu" in (record "api-2")', ["two"]),
        ('control "archive" in (record "api-2")', []),
        ('control "actions" in (record "api-3")', []),
    ],
)
async def test_a_heading_names_the_only_button_without_a_name_below_it(
    page: Page, selector: str, ids: list[str]
) -> None:
    await show(page, ROWS)
    assert await find_ids(page, selector) == ids


VALUES = """<div><span>10</span><input type="range" min="0" max="100" value="10" oninput="this.previousElementSibling.textContent = this.value"></div>
<ul><li><span>3</span><input type="number" value="3"><button>Add</button></li><li><span>5</span><input type="number" value="5"><button>Add</button></li></ul>
<h3>Remarks</h3><div contenteditable="true" style="min-height:40px"></div>
<p><button aria-expanded="false">Show all</button><input></p>"""


async def test_no_line_of_an_outline_rests_on_a_value(page: Page, session: PlaywrightSession) -> None:
    await show(page, VALUES)
    selectors = [line.split(" # ")[0].strip() for line in await look(session)]
    fields = [each for each in selectors if each.startswith("field")]
    assert len(fields) == 5, selectors
    assert 'field "Remarks"' in fields
    assert not [each for each in fields if any(value in each for value in ('"10"', '"3"', '"5"', "Show all"))], fields


DRAWN = """<div style="position:relative;width:300px;height:150px"><a href="#" title="Zoom in" role="button"><span aria-hidden="true">+</span></a>
<a href="#" aria-label="Zoom out"><span aria-hidden="true">−</span></a><button title="Closer" style="width:30px;height:30px"></button>
<div title="Reset the view" onclick="1" style="width:20px;height:20px"></div></div>
<table role="grid" aria-label="May 2031"><tr><th>Mo</th><th>Tu</th></tr><tr><td role="gridcell" tabindex="-1" id="one">1</td><td role="gridcell" tabindex="0" id="two">2</td></tr></table>
<span style="cursor:pointer" tabindex="-1" aria-label="June 3, 2031">3</span>"""


async def test_days_and_the_buttons_of_maps_have_lines(page: Page, session: PlaywrightSession) -> None:
    await show(page, DRAWN)
    lines = {line.split(" # ")[0].strip() for line in await look(session)}
    assert {
        'button "Zoom in"',
        'link "Zoom out"',
        'button "Closer"',
        'control "Reset the view"',
        'cell "1"',
        'cell "2"',
        'control "June 3, 2031"',
    } <= lines, lines


LISTED = """<label id="of">Kind</label> <button role="combobox" aria-labelledby="of" aria-haspopup="listbox" aria-expanded="false" aria-controls="plants" onclick="plants.hidden = false">Pick</button>
<div role="listbox" id="plants" hidden><div role="option" data-disabled="false" data-value="Fern">Fern</div>
<div role="option" data-disabled="true" data-value="Moss">Moss</div></div>
<script>document.querySelectorAll("[role=option]").forEach((each) => each.addEventListener("click", () => {
  document.querySelector("button").textContent = each.textContent; plants.hidden = true }))</script>"""


async def test_an_entry_that_says_that_it_is_not_disabled_is_chosen(page: Page, session: PlaywrightSession) -> None:
    await show(page, LISTED)
    outcome = await Hands(session).select(CONTEXT, 'field "Kind"', value="Fern")
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", ["Fern"])
    with pytest.raises(TargetError) as caught:
        await Hands(session).select(CONTEXT, 'field "Kind"', value="Moss")
    assert "disabled" in caught.value.message
