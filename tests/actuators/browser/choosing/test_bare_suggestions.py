"""Suggestions that come late, as rows which don't say what they are: found by their text, pressed, and told by what the field holds."""

from urllib.parse import urlencode

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

FIELD = 'field "Town"'
# How a page hears that a row was pressed.
HEARD = {
    "property": "row.onmousedown = choose",
    "listener": "row.addEventListener('mousedown', choose)",
    "above": "list.onmousedown = choose",
    "far above": "document.onmousedown = (event) => event.target.className && choose(event)",
}
PAGE = """<!doctype html><title>Form</title><form action="/forms/echo"><input type="hidden" id="held">
<label>Town <input id="town" autocomplete="off"></label><div id="list" hidden></div><p id="note"></p></form>
<script>
const all = ['Oslo harbour', 'Oslo', 'Bergen', 'Bergen north']; let timer;
function choose(event) { event.preventDefault(); town.value = held.value = event.target.textContent; list.hidden = true; KEPT }
town.oninput = () => { held.value = ''; list.hidden = true; clearTimeout(timer); timer = setTimeout(show, WAIT); };
function show() {
  const rows = all.filter((each) => each.includes(town.value)).map((each) => {
    const row = document.createElement('TAG'); row.className = 'a'; row.style.display = 'block'; row.textContent = each; HEAR; return row; });
  list.replaceChildren(...rows); list.hidden = !rows.length;
}
town.onblur = () => setTimeout(() => { list.hidden = true; if (!held.value) town.value = ''; }, 100);
</script>"""


@pytest.fixture
def context() -> ActionContext:
    """An action that has its time also on a busy machine."""
    return ActionContext("g0_test_1", timeout_s=20.0)


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def show(hands: Hands, context: ActionContext, site: SiteServer, html: str) -> None:
    given = urlencode({"body": html, "type": "text/html; charset=utf-8"})
    await hands.navigate(context, f"{site.url}/slow/given?{given}")


def write(hear: str, wait_ms: int = 600, kept: str = "", tag: str = "div") -> str:
    page = PAGE.replace("HEAR", HEARD[hear]).replace("WAIT", str(wait_ms))
    return page.replace("KEPT", kept).replace("TAG", tag)


async def read_held(session: PlaywrightSession, context: ActionContext) -> list[str]:
    return await session.current_page(context).evaluate("[town.value, held.value]")


@pytest.mark.parametrize(("hear", "tag"), [*((each, "div") for each in HEARD), ("property", "a"), ("above", "li")])
async def test_setting_a_field_presses_the_row_of_that_text_and_not_a_longer_one(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, hands: Hands, hear: str, tag: str
):
    await show(hands, context, site, write(hear, tag=tag))
    outcome = await hands.set(context, FIELD, "Oslo")
    assert (outcome.effect, outcome.output["value"]) == ("confirmed", "Oslo")
    assert await read_held(session, context) == ["Oslo", "Oslo"]


@pytest.mark.parametrize("hear", ["property", "listener", "above"])
async def test_a_single_row_is_chosen_as_well(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, hands: Hands, hear: str
):
    await show(hands, context, site, write(hear, wait_ms=0))
    outcome = await hands.select(context, FIELD, "Oslo harbour")
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", ["Oslo harbour"])
    assert await read_held(session, context) == ["Oslo harbour", "Oslo harbour"]


async def test_what_none_of_the_rows_says_is_refused(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, hands: Hands
):
    await show(hands, context, site, write("property"))
    with pytest.raises(ActionError) as caught:
        await hands.set(context, FIELD, "Trondheim")
    assert caught.value.code == "value_differs"
    assert await read_held(session, context) == ["", ""]


async def test_what_the_page_takes_back_after_the_press_is_not_told_as_set(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, hands: Hands
):
    kept = "setTimeout(() => { town.value = held.value = ''; }, 50)"
    await show(hands, context, site, write("property", kept=kept))
    with pytest.raises(ActionError) as caught:
        await hands.set(context, FIELD, "Oslo")
    assert caught.value.code == "value_differs"


async def test_a_line_that_comes_below_a_field_of_text_is_no_option(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, hands: Hands
):
    say = "note.textContent = 'Two words, please.'"
    await show(hands, context, site, f'<label>Name <input id="name" oninput="{say}"></label><p id="note"></p>')
    with pytest.raises(TargetError) as caught:
        await hands.select(context, 'field "Name"', "Ada")
    assert caught.value.code == "target_unsuitable"
    assert (await hands.set(context, 'field "Name"', "Ada")).effect == "confirmed"
