"""Zooming: what the page really shows, here and on the pages that its tab goes to."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.tools.tabs import STEPS_PERCENT, choose_level
from core.base.errors import ActionError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

SHOWN = "Number(getComputedStyle(document.documentElement).zoom)"


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def show(session: PlaywrightSession, context: ActionContext, html: str) -> None:
    page = await session.open_page(context)
    await page.set_content(html)


async def read_shown(session: PlaywrightSession, context: ActionContext) -> float:
    return await session.current_page(context).evaluate(SHOWN)


async def test_what_is_on_the_page_grows_and_shrinks_back(
    session: PlaywrightSession, hands: Hands, context: ActionContext
) -> None:
    await show(session, context, "<html style='color: red'><button style='width: 100px'>Go</button>")
    box = session.current_page(context).locator("button")
    await hands.zoom(context, level=250)
    grown = await box.bounding_box()
    await hands.zoom(context, direction="reset")
    shrunk = await box.bounding_box()
    assert grown
    assert shrunk
    assert (round(grown["width"]), round(shrunk["width"])) == (250, 100)
    assert await session.current_page(context).locator("html").get_attribute("style") == "color: red;"


async def test_later_pages_of_the_tab_are_zoomed_before_they_are_read_and_no_longer_after_a_reset(
    session: PlaywrightSession, hands: Hands, context: ActionContext, site: SiteServer
) -> None:
    go = Hands(session)
    await go.navigate(context, f"{site.url}/table/small")
    await hands.zoom(context, level=150)
    await go.navigate(context, f"{site.url}/shop/")
    assert await read_shown(session, context) == 1.5
    await hands.zoom(context, level=80)
    await go.reload(context)
    assert await read_shown(session, context) == 0.8
    await hands.zoom(context, direction="reset")
    await go.reload(context)
    assert await read_shown(session, context) == 1


async def test_frames_inside_are_not_zoomed_twice(
    session: PlaywrightSession, hands: Hands, context: ActionContext
) -> None:
    await show(session, context, "<iframe srcdoc='<p>Words</p>'></iframe>")
    await hands.zoom(context, level=200)
    inner = session.current_page(context).frames[1]
    assert await inner.evaluate("document.documentElement.style.zoom") == ""


async def test_a_new_context_starts_at_the_normal_size(
    session: PlaywrightSession, hands: Hands, context: ActionContext, site: SiteServer
) -> None:
    await Hands(session).navigate(context, f"{site.url}/table/small")
    await hands.zoom(context, level=200)
    await Hands(session).emulate(context, locale="de-DE")
    assert await read_shown(session, context) == 1
    assert (await hands.zoom(context, direction="in")).evidence["before_percent"] == 100


async def test_a_page_that_keeps_its_own_size_leaves_the_zoom_unverified(
    session: PlaywrightSession, hands: Hands, context: ActionContext
) -> None:
    keep = "new MutationObserver(() => document.documentElement.removeAttribute('style'))"
    await show(session, context, "<p>Mine</p>")
    page = session.current_page(context)
    await page.evaluate(f"{keep}.observe(document.documentElement, {{attributes: true}})")
    outcome = await hands.zoom(context, level=200)
    assert (outcome.effect, outcome.evidence["after_percent"]) == ("unverified", 100)


async def test_zooming_needs_a_page(hands: Hands, context: ActionContext) -> None:
    with pytest.raises(ActionError) as caught:
        await hands.zoom(context, direction="in")
    assert caught.value.code == "no_page"


def test_all_steps_are_gone_through_in_both_directions() -> None:
    level: float = STEPS_PERCENT[0]
    up = [level := choose_level(level, "in", None) for _ in STEPS_PERCENT[1:]]
    down = [level := choose_level(level, "out", None) for _ in STEPS_PERCENT[1:]]
    assert [STEPS_PERCENT[0], *up] == [*reversed(down), STEPS_PERCENT[-1]] == list(STEPS_PERCENT)
