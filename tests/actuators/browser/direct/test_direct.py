"""What lies open is acted on directly, in the same world as by Playwright's way, and never on another document than was meant."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.direct.world import TALLY, find_place, find_world, read_parts
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

FORM = """<title>Form</title><label>Name <input id=name></label><label><input type=checkbox> Agree</label>
<button onclick="this.textContent='Sent'">Send</button><a href="/status/204">Nothing</a><p>Ready</p>
<form action="/slow/"><input type=hidden name=ms value=300><button>Post</button></form>"""

PLAIN: dict[str, Any] = {
    "query": {"op": "role", "name": "", "roles": ["button"]},
    "regions": [],
    "exceptions": [],
    "placements": [],
    "quantity": "all",
}


@pytest.fixture
async def hands(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    page = await session.open_page(context)
    await page.goto(site.url + "/elements/settling")
    await page.set_content(FORM)
    return Hands(session)


async def count_left(act: Awaitable[object]) -> int:
    before = TALLY["left"]
    await act
    return TALLY["left"] - before


async def test_what_lies_open_is_acted_on_without_playwrights_way(hands: Hands, context: ActionContext) -> None:
    assert await count_left(hands.type(context, selector='field "Name"', text="Ada")) == 0
    assert await count_left(hands.check(context, 'checkbox "Agree"')) == 0
    assert await count_left(hands.click(context, 'button "Send"')) == 0
    assert await count_left(hands.read(context, target="text", selector='button "Sent"')) == 0
    assert await count_left(hands.read(context, target="count", selector="css=label input")) == 0
    assert await count_left(hands.wait(context, selector='text "Ready"')) == 0


async def test_what_is_covered_is_left_to_playwrights_way_which_says_why(
    hands: Hands, session: PlaywrightSession, context: ActionContext
) -> None:
    page = session.current_page(context)
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<dialog>Wait</dialog>')")
    await page.evaluate("document.querySelector('dialog').showModal()")
    before = TALLY["left"]
    with pytest.raises(TargetError) as caught:
        await hands.click(replace(context, timeout_s=1.0), 'button "Send"')
    assert caught.value.code == "target_covered"
    assert TALLY["left"] > before


async def test_both_ways_ask_the_same_engine(hands: Hands, session: PlaywrightSession, context: ActionContext) -> None:
    page = session.current_page(context)
    part = engine_selector("hold", token="held", form=PLAIN)
    place = await find_place(page.locator(part))
    assert place
    assert await place.order("count", 1000) == {"count": 2}
    assert await page.locator(engine_selector("held", token="held", at=1, form=PLAIN)).text_content() == "Post"


async def test_the_parts_of_a_selector_are_read_from_its_locator(
    hands: Hands, session: PlaywrightSession, context: ActionContext
) -> None:
    page = session.current_page(context)
    assert read_parts(page.locator("form").locator("button").first) == ("form", "button", "nth=0")
    assert read_parts(page.frame_locator("iframe").locator("button")) is None


async def test_pages_see_nothing_of_it(hands: Hands, session: PlaywrightSession, context: ActionContext) -> None:
    await hands.click(context, 'button "Send"')
    page = session.current_page(context)
    seen = await page.evaluate("Object.getOwnPropertyNames(globalThis).filter((name) => /surehand/i.test(name))")
    assert seen == []


async def test_an_order_for_a_document_that_is_gone_is_not_carried_out(
    hands: Hands, session: PlaywrightSession, context: ActionContext
) -> None:
    await hands.click(context, 'button "Send"')
    page = session.current_page(context)
    world = await find_world(page)
    assert world
    before = world.document
    await page.reload()
    assert await world.order("count", 1000, document=before, parts=["button"]) is None
    place = await find_place(page.locator("body"))
    assert place
    assert (await place.order("count", 1000)) == {"count": 1}


async def test_a_form_that_was_sent_is_waited_for(
    hands: Hands, session: PlaywrightSession, context: ActionContext
) -> None:
    await hands.click(context, 'button "Post"')
    assert session.current_page(context).url.endswith("/slow/?ms=300")


async def test_a_link_to_nothing_is_clicked_and_ends_in_time(hands: Hands, context: ActionContext) -> None:
    outcome = await hands.click(context, 'link "Nothing"')
    assert outcome.effect == "confirmed"
    assert "navigated_to" not in outcome.evidence


async def test_a_selector_of_playwrights_in_a_page_with_shadow_trees_is_left_to_it(
    hands: Hands, session: PlaywrightSession, context: ActionContext
) -> None:
    page = session.current_page(context)
    await page.evaluate("document.querySelector('p').attachShadow({ mode: 'open' }).innerHTML = '<b id=inner>Deep</b>'")
    assert (await hands.read(context, target="text", selector="#inner")).output["text"] == "Deep"
    assert 1 in (await hands.read(context, target="count", selector="#inner")).output.values()
    await hands.wait(context, selector="#inner")
    await hands.expect(context, selector="#inner", text="Deep")
