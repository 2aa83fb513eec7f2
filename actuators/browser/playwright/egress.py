"""Keeps pages within the hosts that policy allows.

It is installed only where hosts are limited, since every request then passes through this program, twice: a route of the
context sees the requests of all pages, frames and pop-ups, but no redirects; a debugging session of each page sees the
redirects as well, but no frames that have a process of their own. WebSockets, beacons on unload and the redirects of such
frames pass by both: they are the business of an egress proxy, which does not exist yet.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Page, Request, Route
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.pages import TabStrip
from core.errors import SurehandError
from core.policy import Policy
from core.ports import ActionContext
from core.urls import judge_address

LOCAL_SCHEMES = ("data:", "blob:", "about:")


class HostGuard:
    """Judges the requests of a session's pages by the policy of their lane."""

    def __init__(self, tabs: TabStrip, report: Callable[[Page, str], object]) -> None:
        """Keep what is needed to judge.

        Args:
            tabs: Says which lane a page belongs to.
            report: Called with the page and the address of each request that is stopped.
        """
        self._tabs = tabs
        self._report = report
        self._policies: dict[str, Policy] = {}
        self._contexts: set[BrowserContext] = set()
        self._pages: set[Page] = set()
        self._running: set[asyncio.Task[None]] = set()

    async def adopt(self, context: ActionContext, page: Page) -> None:
        """Apply an action's policy to its lane, and start judging requests if it limits hosts."""
        self._policies[context.lane] = context.policy
        if context.policy.hosts is None:
            return
        if page.context not in self._contexts:
            self._contexts.add(page.context)
            await page.context.route("**/*", self._judge_route)
        await self._watch_redirects(page)

    def adopt_popup(self, page: Page) -> None:
        """Judge the redirects of a pop-up too, if its context is judged at all."""
        if page.context in self._contexts:
            self._run(self._watch_redirects(page))

    def forget_page(self, page: Page) -> None:
        """Drop a page that is gone."""
        self._pages.discard(page)

    def forget_context(self, context: BrowserContext) -> None:
        """Drop a context that is gone, with its pages."""
        self._contexts.discard(context)
        self._pages = {page for page in self._pages if page.context is not context}

    async def follow(self, context: BrowserContext, pages: Iterable[Page]) -> None:
        """Judge the requests of a context that takes the place of another one, if any is judged at all."""
        if self._contexts:
            self._contexts.add(context)
            await context.route("**/*", self._judge_route)
            for page in pages:
                await self._watch_redirects(page)

    async def _judge_route(self, route: Route) -> None:
        page = _find_page(route.request)
        if self._allows(page, route.request.url):
            await route.fallback()
            return
        if page:
            self._report(page, route.request.url)
        await route.abort("blockedbyclient")

    async def _watch_redirects(self, page: Page) -> None:
        if page in self._pages:
            return
        self._pages.add(page)
        session = await page.context.new_cdp_session(page)
        session.on("Fetch.requestPaused", lambda event: self._run(self._judge_paused(session, page, event)))
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*", "requestStage": "Request"}]})

    async def _judge_paused(self, session: CDPSession, page: Page, event: dict[str, Any]) -> None:
        request = {"requestId": event["requestId"]}
        url = event["request"]["url"]
        if "redirectedRequestId" not in event or self._allows(page, url):
            await session.send("Fetch.continueRequest", request)
            return
        self._report(page, url)
        await session.send("Fetch.failRequest", {**request, "errorReason": "BlockedByClient"})

    def _allows(self, page: Page | None, url: str) -> bool:
        if url.startswith(LOCAL_SCHEMES):
            return True
        # A request whose page isn't known yet (the first one of a pop-up) must suit every lane.
        lanes = [self._tabs.lane_of(page)] if page else [""]
        policies = [self._policies[lane] for lane in lanes if lane in self._policies] or list(self._policies.values())
        try:
            address = judge_address(url)
            for policy in policies:
                policy.check_address(address)
        except SurehandError:
            return False
        return True

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_finish_unless_gone(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)


async def _finish_unless_gone(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except PlaywrightError:
        # The page or the request went away meanwhile; a request that isn't continued is never sent.
        return


def _find_page(request: Request) -> Page | None:
    try:
        return request.frame.page
    except PlaywrightError:
        return None
