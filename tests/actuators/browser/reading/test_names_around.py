"""What people call things that their authors have named otherwise: by a label of the part around them, by one of several texts, by the text beside them."""

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.rules.browser_choices import RevealMethod
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands
from tests.cases import each_case

CONTEXT = ActionContext("g0_click_1", timeout_s=3.0)
CLICKED = "<script>addEventListener('click', (event) => { document.title = event.composedPath()[0].closest('[id]')?.id; }, true)</script>"
VOLUME = '<label for="a">Volume</label><div id="a"><b id="b" role="slider">o</b></div>'
BUDGET = '<b role="slider">o</b><label for="a">Budget:</label><div id="a"><b id="b" role="slider">o</b></div>'
RANGE = """<b id="all">Range</b><b id="a" role="slider" aria-label="From" aria-labelledby="a all">o</b>
<b id="b" role="slider" aria-label="To" aria-labelledby="b all">o</b>"""
BOXES = """<ul><li role="menuitem"><label><input id="a" type="checkbox"></label><span>Lima</span></li>
<li role="menuitem"><label><input type="checkbox"></label><span>Oslo</span></li></ul>"""
TOLD = """<div style="height: 0; overflow: hidden"><div role="option">Blue</div></div>
<div id="a" style="cursor: pointer"><div>Blue</div></div>"""
HOST = """<code-box aria-label="Code"></code-box><code-box aria-label="Name"></code-box><script>
customElements.define('code-box', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = `<input id="${this.ariaLabel}">`; } });</script>"""
OPENED = """<div class="popup" style="position: fixed; top: 300px">Towels are on sale</div>
<p><button aria-expanded="true">Towels</button><span id="a" style="position: absolute; top: 100px">White</span></p>"""
SHORTCUTS = """<div role="menu"><div id="b" role="menuitem"><span>Save</span><span>Ctrl+S</span></div>
<div id="a" role="menuitem"><span>Save as…</span><span>Ctrl+Shift+S</span></div></div>"""
OPENING = """<style>body { margin: 0 } button { display: block; width: 100px; height: 40px }</style>
<button aria-expanded="false">Edit</button>
<script>document.querySelector('button').addEventListener('pointerdown', (event) => {
  event.target.setAttribute('aria-expanded', 'true');
  const cover = document.body.appendChild(document.createElement('div'));
  cover.style = 'position: fixed; inset: 0';
});</script>"""
TREE = """<div role="tree"><div role="treeitem" aria-expanded="false" onclick="document.title = 'selected'">
<span id="open" style="cursor: pointer" onclick="event.stopPropagation(); this.parentElement.setAttribute('aria-expanded', 'true');
document.getElementById('inner').hidden = false">▸</span><span>Pictures</span></div><div id="inner" role="treeitem" hidden>Summer</div></div>"""


@pytest.fixture
async def page(session: PlaywrightSession) -> Page:
    return await session.open_page(CONTEXT)


@each_case(
    ("html", "selector", "clicked"),
    [
        (VOLUME, 'slider "Volume"', "b"),
        (VOLUME, 'field "Volume"', "b"),
        (BUDGET, 'slider in "Budget"', "b"),
        (RANGE, 'slider "To"', "b"),
        ('<label><input id="a" type="checkbox">Letter</label>', 'switch "Letter"', "a"),
        ('<b id="a" role="switch" aria-checked="false">Letter</b>', 'checkbox "Letter"', "a"),
        (BOXES, 'checkbox "Lima"', "a"),
        (TOLD, 'option "Blue"', "a"),
        (HOST, 'field "Code"', "Code"),
        (OPENED, 'dialog "Towels"', "a"),
        (SHORTCUTS, 'menuitem "Save"', "b"),
    ],
)
async def test_what_people_call_it_is_found(
    page: Page, session: PlaywrightSession, html: str, selector: str, clicked: str
):
    await page.set_content(CLICKED + html)
    await Hands(session).click(CONTEXT, selector)
    assert await page.title() == clicked


async def test_a_label_of_its_own_comes_before_that_of_the_part_around_it(page: Page, session: PlaywrightSession):
    await page.set_content(
        '<label for="a">Size</label><div id="a"><label>Width <input></label><label>Height <input></label></div>'
    )
    with pytest.raises(TargetError, match='field "Size"'):
        await Hands(session).type(CONTEXT, "3", selector='field "Size"')


async def test_a_press_that_opened_what_it_should_is_told_as_that_without_a_click(
    page: Page, session: PlaywrightSession
):
    await page.set_content(OPENING)
    outcome = await Hands(session).click(CONTEXT, 'button "Edit"')
    assert (outcome.effect, outcome.evidence["changed"]) == ("unverified", ["opened"])


@pytest.mark.parametrize("by", ["sections", "any"])
async def test_a_branch_of_a_tree_is_opened_and_not_selected(page: Page, session: PlaywrightSession, by: RevealMethod):
    await page.set_content(TREE)
    outcome = await Hands(session).reveal(CONTEXT, 'treeitem "Summer"', by)
    assert (outcome.output["by"], await page.title()) == ("sections", "")


async def test_ticking_an_entry_ticks_the_box_in_it(page: Page, session: PlaywrightSession):
    await page.set_content(
        '<div role="treeitem"><b role="checkbox" aria-checked="false" onclick="this.ariaChecked = \'true\'">o</b> Pictures</div>'
    )
    outcome = await Hands(session).check(CONTEXT, 'treeitem "Pictures"')
    assert (outcome.effect, outcome.output["checked"]) == ("confirmed", True)
    assert await page.locator("[role=checkbox]").get_attribute("aria-checked") == "true"
