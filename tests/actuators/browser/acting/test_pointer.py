"""Hovering, focusing, dragging and scrolling, as the server and the page saw it."""

import asyncio

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import InputError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
async def pointer(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/elements/pointer")
    return Hands(session)


async def test_hovering_opens_a_menu_that_can_then_be_clicked(
    pointer: Hands, context: ActionContext, site: SiteServer
) -> None:
    outcome = await pointer.hover(context, 'button "Products"')
    assert outcome.effect == "confirmed"
    assert outcome.evidence["hovered"] is True
    await pointer.click(context, 'menuitem "Menu plates"')
    (clicked,) = await asyncio.to_thread(site.received.wait_for_events, "clicked", 1)
    assert clicked.detail["id"] == "menu-plates"


async def test_hovering_is_noticed_by_the_page(pointer: Hands, context: ActionContext, site: SiteServer) -> None:
    await pointer.hover(context, 'button "Rest here"')
    (hovered,) = await asyncio.to_thread(site.received.wait_for_events, "hovered", 1)
    assert hovered.detail["trusted"] is True


async def test_what_takes_the_focus_has_it_and_what_does_not_is_refused(
    pointer: Hands, context: ActionContext, session: PlaywrightSession
) -> None:
    outcome = await pointer.focus(context, 'button "Products"')
    assert outcome.effect == "confirmed"
    assert await session.current_page(context).evaluate("document.activeElement.id") == "menu-button"
    with pytest.raises(TargetError) as caught:
        await pointer.focus(context, 'heading "Pointer"')
    assert caught.value.code == "target_unsuitable"
    assert caught.value.evidence["active"]["id"] == "menu-button"


async def test_a_parcel_is_dropped_on_a_lorry(pointer: Hands, context: ActionContext, site: SiteServer) -> None:
    outcome = await pointer.drag(context, 'button "Parcel"', target='region "Lorry"')
    (dropped,) = await asyncio.to_thread(site.received.wait_for_events, "dropped", 1)
    assert dropped.detail["data"] == "parcel 7"
    assert dropped.detail["trusted"] is True
    assert outcome.effect == "confirmed"
    assert outcome.evidence["received_by"]["id"] == "lorry"
    assert outcome.evidence["after"]["inside"] == "Lorry"


async def test_a_target_that_takes_nothing_is_an_error(
    pointer: Hands, context: ActionContext, site: SiteServer
) -> None:
    with pytest.raises(TargetError) as caught:
        await pointer.drag(context, 'button "Parcel"', target='region "Ship"')
    assert caught.value.code == "target_unsuitable"
    assert site.events("dropped") == []


async def test_a_slider_is_dragged_by_a_distance(pointer: Hands, context: ActionContext, site: SiteServer) -> None:
    outcome = await pointer.drag(context, 'slider "Slider"', offset=(60, 0))
    (slid,) = await asyncio.to_thread(site.received.wait_for_events, "slid", 1)
    assert outcome.evidence["before"]["value"] == "0"
    assert outcome.evidence["after"]["value"] == str(slid.detail["value"]) != "0"
    assert outcome.evidence["received_by"]["id"] == "thumb"


async def test_a_drag_needs_either_a_target_or_a_distance(pointer: Hands, context: ActionContext) -> None:
    with pytest.raises(InputError):
        await pointer.drag(context, 'slider "Slider"')
    with pytest.raises(InputError):
        await pointer.drag(context, 'slider "Slider"', target="#x", offset=(1, 1))


async def test_a_drag_onto_something_that_is_missing_names_it(pointer: Hands) -> None:
    with pytest.raises(TargetError) as caught:
        await pointer.drag(ActionContext("a", timeout_s=1.0), 'button "Parcel"', target='region "Lory"')
    assert 'region "Lory"' in str(caught.value)


async def test_the_page_scrolls_to_its_ends_and_says_where_it_is(
    pointer: Hands, context: ActionContext, session: PlaywrightSession, site: SiteServer
) -> None:
    page = session.current_page(context)
    await page.goto(f"{site.url}/elements/place")
    down = await pointer.scroll(context)
    assert down.output == {"x_px": 0, "y_px": 720, "at_end": False}
    assert down.effect == "confirmed"
    assert (await pointer.scroll(context, "down", 150, "pixel")).output["y_px"] == 870
    assert (await pointer.scroll(context, "right", 100, "pixel")).output["x_px"] == 100
    bottom = await pointer.scroll(context, to="bottom")
    assert bottom.output["at_end"] is True
    assert bottom.output["y_px"] == await page.evaluate("Math.round(scrollY)")
    further = await pointer.scroll(context)
    assert further.effect == "unverified"
    assert further.output["at_end"] is True
    assert (await pointer.scroll(context, to="top")).output["y_px"] == 0
    assert (await pointer.scroll(context, "left", 5)).output["x_px"] == 0


async def test_a_box_scrolls_by_itself_or_by_anything_in_it(
    pointer: Hands, context: ActionContext, session: PlaywrightSession, site: SiteServer
) -> None:
    page = session.current_page(context)
    await page.goto(f"{site.url}/elements/place")
    outcome = await pointer.scroll(context, selector='region "Scrolling box"')
    assert outcome.evidence["element"]["id"] == "scroller"
    assert outcome.output["y_px"] > 0
    outcome = await pointer.scroll(context, selector='button "In a scrolling box"', to="bottom")
    assert outcome.output["at_end"] is True
    assert outcome.output["y_px"] == await page.evaluate("document.getElementById('scroller').scrollTop")
    assert (await pointer.scroll(context, "right", 40, "pixel", 'region "Inner box"')).output["x_px"] == 40


async def test_what_does_not_scroll_is_refused(
    pointer: Hands, context: ActionContext, session: PlaywrightSession
) -> None:
    await session.current_page(context).set_content("<p>Short</p>")
    with pytest.raises(TargetError) as caught:
        await pointer.scroll(context, selector='text "Short"')
    assert caught.value.code == "target_unsuitable"


async def test_a_page_whose_content_scrolls_in_a_box_scrolls_that_box(
    pointer: Hands, context: ActionContext, session: PlaywrightSession
) -> None:
    await session.current_page(context).set_content(
        '<body style="margin:0"><main id="box" style="height:100vh;overflow:auto"><div style="height:5000px"></div></main>'
    )
    outcome = await pointer.scroll(context)
    assert outcome.evidence["element"]["id"] == "box"
    assert outcome.output["y_px"] > 0
