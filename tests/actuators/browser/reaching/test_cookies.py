"""What speaks of cookies is answered by the button in it, whatever it is made of; two that fit are an error."""

from dataclasses import replace

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

PRESS = "<button onclick=\"pressed.push('{0}')\">{0}</button>"
INVITED = f"<div>Ada invites you. {PRESS.format('Accept')} {PRESS.format('Decline')}</div><footer>This site uses cookies.</footer>"
BANNERS = {
    "a box over the page": f'<div style="position:fixed;bottom:0">This site uses cookies. {PRESS.format("Accept all")} {PRESS.format("Choices")}</div>',
    "a strip on top": f"<section><p>Cookies help us to remember you.</p><div>{PRESS.format('Accept & continue')}{PRESS.format('More')}</div></section>",
    "a dialog": f"<dialog open><h2>Cookies</h2><p>Choose.</p><div><i>Your choice</i>{PRESS.format('Allow all')}</div></dialog>",
}
ALL = {"a box over the page": "Accept all", "a strip on top": "Accept & continue", "a dialog": "Allow all"}


async def press(session: PlaywrightSession, context: ActionContext, body: str, selector: str) -> list[str]:
    """Click something on a page; return what was pressed."""
    page = await session.open_page(context)
    await page.set_content(f"<!doctype html><script>window.pressed = [];</script><body>{body}</body>")
    await Hands(session).click(replace(context, timeout_s=3.0), selector)
    return await page.evaluate("pressed")


@pytest.mark.parametrize("banner", list(BANNERS))
async def test_cookies_are_accepted_by_the_button_beside_the_words(
    session: PlaywrightSession, context: ActionContext, banner: str
):
    pressed = await press(session, context, INVITED + BANNERS[banner], 'control "accept cookies"')
    assert pressed == [ALL[banner]]


@pytest.mark.parametrize("body", [INVITED, 2 * BANNERS["a box over the page"]], ids=["none", "two"])
async def test_nothing_is_pressed_where_nothing_or_more_than_one_thing_asks(
    session: PlaywrightSession, context: ActionContext, body: str
):
    with pytest.raises(TargetError):
        await press(session, context, body, 'control "accept cookies"')
    assert await session.current_page(context).evaluate("pressed") == []
