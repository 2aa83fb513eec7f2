"""Tabs, and how large they show their pages, by Playwright."""

import asyncio
import weakref
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.looking.looks import list_facts, read_text
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.playwright.verbs.navigation import go_to, read_place
from actuators.browser.playwright.verbs.pointer import PlaywrightPointer
from actuators.browser.ports.navigation import Arrival
from actuators.browser.ports.pages import Done, make_no_page_error
from actuators.browser.ports.tabs import NORMAL_PERCENT, ClosedTabs, OnTab, PickTab, PickTabs, Tab, TabFacts
from actuators.deadlines import Deadline
from core.base.errors import ActionError, SurehandError
from core.tools.ports import ActionContext

NEW_TAB_S = 2.0
LOAD_S = 5.0


class PlaywrightTabs(PlaywrightPointer):
    """Acts on the tabs of a session, and on those that its pages show."""

    def __init__(self, session: PlaywrightSession) -> None:
        super().__init__(session)
        self._zooms: weakref.WeakKeyDictionary[Page, Zoom] = weakref.WeakKeyDictionary()

    async def open_tab(self, context: ActionContext, url: str | None) -> OnTab:
        """Open a tab; if its address can't be reached, close it again."""
        deadline = Deadline(context.timeout_s)
        tab = await self._session.open_tab(context)
        arrival: Arrival | None = None
        if url is not None:
            try:
                arrival = await go_to(self._session, context, tab.page, url, ("load", deadline))
            except SurehandError:
                await self._session.close_tab(tab)
                raise
        return await self._describe_current(context, arrival=arrival)

    async def switch_tab(self, context: ActionContext, pick: PickTab, *, awaits_new: bool) -> OnTab:
        """Make another tab the lane's current one."""
        async with self._session.watch(context) as watch:
            if awaits_new:
                await self._await_new_tab(context, watch)
            strip = self._session.tabs
            before = strip.current(context.lane)
            chosen: Tab[Page] = (await pick(await self.list_tabs(context))).tab
            strip.make_current(context.lane, chosen)
            await _settle(chosen.page)
            return await self._describe_current(context, left=before.page.url if before else "", watch=watch)

    async def close_tabs(self, context: ActionContext, pick: PickTabs | None) -> ClosedTabs:
        """Close tabs, even if their pages ask whether to leave them."""
        strip = self._session.tabs
        async with self._session.watch(context) as watch:
            chosen = await self._choose(context, pick)
            addresses = [each.page.url for each in chosen]
            for each in chosen:
                await self._session.close_tab(each)
            current = strip.current(context.lane)
            return ClosedTabs(addresses, len(strip), current.page.url if current else None, watch.evidence())

    async def list_tabs(self, context: ActionContext) -> Sequence[TabFacts]:
        """Return the tabs of all lanes, in the order in which they were opened."""
        return await list_facts(self._session.tabs, context.lane)

    async def read_tab(self, tab: TabFacts) -> str:
        """Return what a tab shows; nothing of one that doesn't answer."""
        return await read_text(tab.tab)

    async def zoom(self, context: ActionContext, choose: Callable[[float], float]) -> Done:
        """Show the pages of the current tab larger or smaller."""
        page = self._session.current_page(context)
        zoom = self._zooms.setdefault(page, Zoom(page))
        before = zoom.level_percent
        wanted = choose(before)
        async with self._session.watch(context) as watch:
            shown = await zoom.turn(wanted, context.timeout_s)
            facts = {"before_percent": before, "after_percent": shown}
            return Done(facts, abs(shown - wanted) < 1, {"level_percent": wanted}, watch.evidence())

    async def _choose(self, context: ActionContext, pick: PickTabs | None) -> list[Tab[Page]]:
        if pick is not None:
            return [each.tab for each in await pick(await self.list_tabs(context))]
        current = self._session.tabs.current(context.lane)
        if current is None:
            raise make_no_page_error()
        return [current]

    async def _describe_current(
        self, context: ActionContext, *, arrival: Arrival | None = None, left: str = "", watch: Watch | None = None
    ) -> OnTab:
        page = self._session.current_page(context)
        index = [tab.page for tab in self._session.tabs].index(page)
        url, title = await read_place(page)
        return OnTab(index, url, title, arrival, left, watch.evidence() if watch else {})

    async def _await_new_tab(self, context: ActionContext, watch: Watch) -> None:
        strip = self._session.tabs
        if not any(tab.lane == context.lane and not tab.visited for tab in strip):
            await watch.wait_for("opened_tab", min(NEW_TAB_S, context.timeout_s / 2))


async def _settle(page: Page) -> None:
    """Show the page, and give it time to load; one that never ends loading is not waited for."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOAD_S):
            await page.bring_to_front()
            await page.wait_for_load_state("domcontentloaded")


# Puts the style on every later document of the tab, as soon as there is something to put it on.
LATER_SCRIPT = """(() => {
    if (window !== top) return;
    const put = () => document.documentElement?.style.setProperty("zoom", "FACTOR", "important");
    new MutationObserver((_, watcher) => { put(); watcher.disconnect(); }).observe(document, {childList: true});
    put();
})()"""


class Zoom:
    """How large one tab shows its pages, by the style ``zoom`` of documents: a browser's own zoom is out of reach.

    Heights that a page takes from the window grow with it, which they don't in a browser's own zoom.
    """

    def __init__(self, page: Page) -> None:
        self.level_percent: float = NORMAL_PERCENT
        self._page = page
        self._forget: Callable[[], Awaitable[None]] | None = None

    async def turn(self, level_percent: float, timeout_s: float) -> float:
        """Go to a level, here and on later pages; return what is shown; ``not_zoomed`` if the page doesn't answer."""
        factor = f"{level_percent / 100:g}"
        try:
            await probe(self._page, "zoom", timeout_s * 900, factor=factor)
            if self._forget:
                await self._forget()
                self._forget = None
            if level_percent != NORMAL_PERCENT:
                self._forget = (await self._page.add_init_script(LATER_SCRIPT.replace("FACTOR", factor))).close
            shown: float = await probe(self._page, "zoomed")
        except PlaywrightError as error:
            raise ActionError(
                f"The page {self._page.url} was not zoomed: {error.message.splitlines()[0]}",
                code="not_zoomed",
                hint="Wait until the page has loaded.",
            ) from error
        self.level_percent = level_percent
        return round(shown * 100, 2)
