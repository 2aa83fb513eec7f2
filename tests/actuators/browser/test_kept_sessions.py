"""A session that one test after another gets is as good as new, or it is another one."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.launching import BrowserSettings
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.kept_sessions import SessionKeeper

LASTING: list[Callable[[Page], Awaitable[object]]] = [
    lambda page: page.add_init_script("1"),
    lambda page: page.context.route("**/*", lambda route: route.abort()),
    lambda page: page.set_viewport_size({"width": 200, "height": 200}),
    lambda page: page.close(),
]


async def test_who_gets_it_next_finds_nothing_of_what_was_done(
    keeper: SessionKeeper, context: ActionContext, site: SiteServer
) -> None:
    async with keeper.lend(BrowserSettings()) as session:
        page = await session.open_page(context)
        await Hands(session).navigate(context, f"{site.url}/table/small")
        await page.evaluate("document.cookie = 'who=ada'")
        await Hands(session).open_tab(context, f"{site.url}/elements/links")
    async with keeper.lend(BrowserSettings()) as again:
        assert again is session
        assert (len(again.tabs), again.open_sessions(), list(again.log.entries)) == (0, frozenset(), [])
        assert await again.open_page(context) is page
        assert (page.url, await page.evaluate("history.length")) == ("about:blank", 1)
        assert await page.context.cookies() == []


@pytest.mark.parametrize("lasting", LASTING, ids=range(len(LASTING)))
async def test_what_nobody_can_take_back_is_the_end_of_it(
    keeper: SessionKeeper, context: ActionContext, lasting: Callable[[Page], Awaitable[object]]
) -> None:
    async with keeper.lend(BrowserSettings()) as session:
        await lasting(await session.open_page(context))
    async with keeper.lend(BrowserSettings()) as other:
        assert other is not session
