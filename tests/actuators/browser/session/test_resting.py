"""Pages that nothing is asked of let go of memory, and act as before afterwards."""

import asyncio

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.resting import PageRest
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

WASTE = "() => { window.kept = [1, 2, 3]; for (let i = 0; i < 200; i++) new Array(20000).fill({}) }"


async def measure_heap(session: PlaywrightSession, context: ActionContext) -> float:
    page = session.current_page(context)
    told = await (await page.context.new_cdp_session(page)).send("Runtime.getHeapUsage")
    return float(told["usedSize"])


async def test_a_page_at_rest_has_no_garbage_and_everything_else(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await Hands(session).navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    await page.evaluate(WASTE)
    before = await measure_heap(session, context)
    await PageRest(session.tabs).collect()
    assert await measure_heap(session, context) < before
    assert await page.evaluate("window.kept") == [1, 2, 3]


async def test_a_page_that_went_away_disturbs_nobody(session: PlaywrightSession, context: ActionContext):
    page = await session.open_page(context)
    rest = PageRest(session.tabs)
    collecting = asyncio.create_task(rest.collect())
    await page.close()
    await collecting
    rest.await_rest()
    rest.interrupt()
