"""Tabs, and how large they show their pages, by Playwright."""

import asyncio
import weakref
from collections.abc import Mapping
from typing import Any

from playwright.async_api import Page

from actuators.browser.playwright.aiming import describe_target
from actuators.browser.playwright.browser_session import PlaywrightSession, make_no_page_error
from actuators.browser.playwright.navigation import go_to, read_place
from actuators.browser.playwright.pages import Tab
from actuators.browser.playwright.scenes import SceneShowing
from actuators.browser.playwright.tab_picking import list_facts, pick_by_content, pick_tab
from actuators.browser.playwright.watches import Watch
from actuators.browser.playwright.zooming import Zoom
from actuators.browser.tab_choices import list_places, refuse_both
from actuators.browser.tools.tabs import TabTools, WhichTabs, ZoomDirection
from actuators.browser.tools.toolset import opens_address
from actuators.browser.zoom_steps import choose_level
from actuators.deadlines import Deadline
from core.errors import InputError, SurehandError
from core.ports import ActionContext
from core.results import ToolOutcome
from core.urls import judge_address

NEW_TAB_S = 2.0
LOAD_S = 5.0


class PlaywrightTabs(SceneShowing, TabTools):
    """Acts on the tabs of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Remember the session.

        Args:
            session: Whose tabs to act on.
        """
        self._session = session
        self._zooms: weakref.WeakKeyDictionary[Page, Zoom] = weakref.WeakKeyDictionary()

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is acted on."""
        return {} if opens_address(verb, args) else await describe_target(self._session, context, args)

    async def open_tab(self, context: ActionContext, url: str | None = None) -> ToolOutcome:
        """Open a tab; if its address can't be reached, close it again."""
        if url is not None:
            context.policy.check_address(judge_address(url))
        deadline = Deadline(context.timeout_s)
        tab = await self._session.open_tab(context)
        evidence: dict[str, Any] = {}
        if url is not None:
            try:
                arrival = await go_to(self._session, context, tab.page, url, ("load", deadline))
            except SurehandError:
                await self._session.close_tab(tab)
                raise
            evidence = dict(arrival.evidence)
        output = await self._describe_current(context)
        return ToolOutcome(output, "confirmed", {**evidence, **output}, "browser.close_tab closes it.")

    async def switch_tab(
        self, context: ActionContext, tab: str | int | None = None, contains: str | None = None
    ) -> ToolOutcome:
        """Make another tab the lane's current one; for ``new``, wait a moment for a pop-up that is on its way."""
        refuse_both(tab=tab, contains=contains)
        async with self._session.watch(context) as watch:
            if tab == "new":
                await self._await_new_tab(context, watch)
            strip = self._session.tabs
            before = strip.current(context.lane)
            chosen = await self._find(context, tab, contains)
            strip.make_current(context.lane, chosen)
            await _settle(chosen.page)
            output = await self._describe_current(context)
            undo = f'browser.switch_tab "{before.page.url}" returns.' if before else ""
            return ToolOutcome(output, "confirmed", {**output, **watch.evidence()}, undo)

    async def close_tab(
        self, context: ActionContext, tab: str | int | None = None, which: WhichTabs | None = None
    ) -> ToolOutcome:
        """Close one tab or several, even if their pages ask whether to leave them."""
        refuse_both(tab=tab, which=which)
        strip = self._session.tabs
        async with self._session.watch(context) as watch:
            chosen = await self._choose(context, tab, which)
            addresses = [each.page.url for each in chosen]
            for each in chosen:
                await self._session.close_tab(each)
            current = strip.current(context.lane)
            output = {"closed": "\n".join(addresses), "count": len(chosen), "remaining": len(strip)}
            evidence = {"now_at": current.page.url if current else None, **watch.evidence()}
            undo = "".join(f"browser.open_tab opens {each} again, without what was on it. " for each in addresses)
            return ToolOutcome(output, "confirmed", {**output, **evidence}, undo.strip())

    async def list_tabs(self, context: ActionContext) -> ToolOutcome:
        """List the tabs of all lanes, in the order in which they were opened."""
        facts = await list_facts(self._session.tabs, context.lane)
        text = "\n".join(str(entry) for entry in facts)
        return ToolOutcome({"tabs": [entry.as_json() for entry in facts], "count": len(facts), "text": text})

    async def zoom(
        self, context: ActionContext, direction: ZoomDirection | None = None, level: float | None = None
    ) -> ToolOutcome:
        """Show the pages of the current tab larger or smaller."""
        page = self._session.current_page(context)
        zoom = self._zooms.setdefault(page, Zoom(page))
        before = zoom.level_percent
        wanted = choose_level(before, direction, level)
        async with self._session.watch(context) as watch:
            shown = await zoom.turn(wanted, context.timeout_s)
            evidence = {"before_percent": before, "after_percent": shown, **watch.evidence()}
        effect = "confirmed" if abs(shown - wanted) < 1 else "unverified"
        return ToolOutcome({"level_percent": wanted}, effect, evidence, f"browser.zoom to {before:g} percent.")

    async def _find(self, context: ActionContext, tab: str | int | None, contains: str | None) -> Tab:
        facts = await list_facts(self._session.tabs, context.lane)
        if contains is not None:
            return await pick_by_content(facts, contains)
        if tab is None:
            raise InputError("It isn't said which tab.", hint="Give tab, or contains.")
        return pick_tab(facts, tab, context.lane)

    async def _choose(self, context: ActionContext, tab: str | int | None, which: WhichTabs | None) -> list[Tab]:
        """Return the tabs to close."""
        strip = self._session.tabs
        if tab is not None:
            return [await self._find(context, tab, None)]
        current = strip.current(context.lane)
        if current is None:
            raise make_no_page_error()
        if which is None:
            return [current]
        tabs = list(strip)
        taken = [strip.current(lane) for lane in strip.lanes_beside(context.lane)]
        chosen = [tabs[place] for place in list_places(which, tabs.index(current), len(tabs))]
        return [each for each in chosen if each not in taken]

    async def _describe_current(self, context: ActionContext) -> dict[str, Any]:
        page = self._session.current_page(context)
        index = [tab.page for tab in self._session.tabs].index(page)
        url, title = await read_place(page)
        return {"index": index, "url": url, "title": title}

    async def _await_new_tab(self, context: ActionContext, watch: Watch) -> None:
        strip = self._session.tabs
        if not any(tab.lane == context.lane and not tab.visited for tab in strip):
            await watch.wait_for("opened_tab", min(NEW_TAB_S, context.timeout_s / 2))


async def _settle(page: Page) -> None:
    """Show the page, and give it time to load; one that never ends loading is not waited for."""
    try:
        async with asyncio.timeout(LOAD_S):
            await page.bring_to_front()
            await page.wait_for_load_state("domcontentloaded")
    except TimeoutError:
        return
