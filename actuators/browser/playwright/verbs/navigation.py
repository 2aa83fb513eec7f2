"""Going to pages and waiting for them, by Playwright."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Literal
from urllib.parse import urldefrag

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Response
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.finding.batch import PlaywrightPages
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.looking.waits import wait_for
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.navigation_errors import ERROR_PAGE, explain_navigation_error
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.ports.navigation import Arrival, WaitResult, WaitTarget
from actuators.deadlines import Deadline
from core.addresses.platforms import SearchPlatform
from core.addresses.urls import judge_address
from core.base.errors import NavigationError
from core.rules.browser_choices import WaitUntil
from core.tools.ports import ActionContext

SETTLE_MS = 1000
READ_TRIES = 10
GOTO_TRIES = 5
OVERTAKEN_MS = 1500.0
NEXT_PLACE_MS = 2000.0
TITLE_MS = 60_000.0  # a page that is busy tells its title when it has time; the action ends before that


class PlaywrightNavigation(PlaywrightPages):
    """Goes to pages in a session's browser."""

    @property
    def platforms(self) -> Mapping[str, SearchPlatform]:
        """Search platforms beside the built-in ones."""
        return self._session.settings.platforms

    async def navigate(self, context: ActionContext, url: str, wait_until: WaitUntil) -> Arrival:
        """Open an address in the lane's page."""
        deadline = Deadline(context.timeout_s)
        page = await self._session.open_page(context)
        return await go_to(self._session, context, page, url, (wait_until, deadline))

    async def reload(self, context: ActionContext) -> Arrival:
        """Load the current page again."""
        page = self._session.current_page(context)
        deadline = Deadline(context.timeout_s)
        async with self._session.watch(context) as watch:
            with self._session.wall.reloading(context, page):
                response = await travel(page, page.url, watch, lambda: page.reload(timeout=deadline.remaining_ms))
            return (await _describe_arrival(page, response, watch)).check_served()

    async def stop(self, context: ActionContext) -> Arrival:
        """Stop loading the current page."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            cdp = await page.context.new_cdp_session(page)
            await cdp.send("Page.stopLoading")
            await cdp.detach()
            url, title = await read_place(page)
            return Arrival(url, title, None, evidence=watch.evidence())

    async def wait(self, context: ActionContext, target: WaitTarget) -> WaitResult:
        """Wait for one thing, and say how long it took."""
        page = self._session.current_page(context)
        started_s = time.monotonic()
        async with self._session.watch(context) as watch:
            seen = await wait_for(self._session, context, target)
            waited_s = round(time.monotonic() - started_s, 3)
            return WaitResult({**seen, **watch.evidence()}, waited_s, page.url)

    async def go_in_history(self, context: ActionContext, step: Literal[-1, 1]) -> Arrival:
        """Go one page back, unless the page is the first that was opened in its tab, or one forward."""
        page = self._session.current_page(context)
        deadline = Deadline(context.timeout_s)
        await _check_history(page, step)
        move = page.go_back if step < 0 else page.go_forward
        async with self._session.watch(context) as watch:
            response = await travel(page, page.url, watch, lambda: move(timeout=deadline.remaining_ms))
            return await _describe_arrival(page, response, watch)


async def go_to(
    session: PlaywrightSession, context: ActionContext, page: Page, url: str, how: tuple[WaitUntil, Deadline]
) -> Arrival:
    """Open a judged address, and say what was opened; NavigationError, or PolicyError where it leads outside."""
    await session.wall.refuse_services(url)
    before = page.url
    async with session.watch(context) as watch:
        with session.wall.heading(context, page, url):
            response = await travel(page, url, watch, lambda: _go(page, url, how, watch))
        context.policy.check_address(judge_address(page.url))
        return replace(await _describe_arrival(page, response, watch), left=before).check_served()


async def travel(page: Page, url: str, watch: Watch, act: Callable[[], Awaitable[Response | None]]) -> Response | None:
    """Leave a page for another one; turn Playwright's errors into ours."""
    try:
        return await watch.run(act())
    except PlaywrightError as error:
        await _settle(page, error, watch)
        raise explain_navigation_error(error, url, page, watch) from error


async def _go(page: Page, url: str, how: tuple[WaitUntil, Deadline], watch: Watch) -> Response | None:
    wait_until, deadline = how
    for _ in range(GOTO_TRIES):
        moves = len(watch.happenings("navigated_to"))
        try:
            return await page.goto(url, wait_until=wait_until, timeout=deadline.remaining_ms)
        except PlaywrightError as error:
            if not await _was_overtaken(page, error, watch, moves):
                raise
    return await page.goto(url, wait_until=wait_until, timeout=deadline.remaining_ms)


async def _was_overtaken(page: Page, error: PlaywrightError, watch: Watch, moves: int) -> bool:
    if "interrupted by another navigation" in error.message:
        return True
    if "ERR_ABORTED" not in error.message:
        return False
    # The same error comes of an answer without a page, which goes nowhere.
    try:
        if len(watch.happenings("navigated_to")) == moves:
            await page.wait_for_event("framenavigated", timeout=OVERTAKEN_MS)
    except PlaywrightTimeoutError:
        return False
    return True


async def _describe_arrival(page: Page, response: Response | None, watch: Watch) -> Arrival:
    # A page that waits for the answer to a dialog tells no title.
    url, title = (page.url, None) if watch.held_dialog else await read_place(page)
    went_on = response is not None and urldefrag(response.url)[0] != urldefrag(url)[0]
    if went_on and title is not None:
        url, title = await _read_next_place(page)
    evidence = watch.evidence()
    evidence.pop("navigated_to", None)
    if response:
        redirects = list_redirects(response)
        evidence |= {"redirects": redirects} if redirects else {}
        # The page has gone on by itself: the status is that of where it came from.
        evidence |= {"status_of": response.url} if went_on else {}
    status = response.status if response else None
    return Arrival(url, title, status, is_read=not watch.held_dialog, evidence=evidence)


def list_redirects(response: Response) -> list[str]:
    """Return the addresses that led to a response, in order, without the last one; empty if it came directly."""
    addresses: list[str] = []
    request = response.request.redirected_from
    while request:
        addresses.insert(0, request.url)
        request = request.redirected_from
    return addresses


async def read_place(page: Page) -> tuple[str, str]:
    """Return a page's address and title, which belong together also while the page goes on to another one."""
    title = ""
    for _ in range(READ_TRIES):
        url = page.url
        try:
            title = await probe(page, "title", TITLE_MS)
        except PlaywrightError as error:
            if "context was destroyed" not in error.message and "navigat" not in error.message:
                raise
            continue
        if page.url == url:
            return url, title
    return page.url, title


async def _read_next_place(page: Page) -> tuple[str, str]:
    try:
        await page.wait_for_load_state("domcontentloaded", timeout=NEXT_PLACE_MS)
    except PlaywrightTimeoutError:
        return page.url, ""  # what it went on to takes its time; its address is what is known
    return await read_place(page)


async def _settle(page: Page, error: PlaywrightError, watch: Watch) -> None:
    """Wait for what follows a failure: news of the download, or the browser's error page.

    The error page comes a little later, and would interrupt the next navigation.
    """
    if "Download is starting" in error.message:
        await watch.wait_for("download", SETTLE_MS / 1000)
    if "net::ERR_" not in error.message or "ERR_ABORTED" in error.message or page.url == ERROR_PAGE:
        return
    await unless_gone(page.wait_for_url(ERROR_PAGE, wait_until="commit", timeout=SETTLE_MS), None)


async def _check_history(page: Page, step: Literal[-1, 1]) -> None:
    cdp = await page.context.new_cdp_session(page)
    history = await cdp.send("Page.getNavigationHistory")
    await cdp.detach()
    index, entries = history["currentIndex"] + step, history["entries"]
    # Each tab starts on an empty page of ours, to which nobody wants to return.
    if index < 0 or index >= len(entries) or (index == 0 and entries[0]["url"] == "about:blank"):
        raise NavigationError(
            f"There is no {'earlier' if step < 0 else 'later'} page in this tab's history; it still shows {page.url}.",
            code="no_history",
            hint="Open the page with browser.navigate.",
            evidence={"url": page.url, "history": [entry["url"] for entry in entries]},
        )
