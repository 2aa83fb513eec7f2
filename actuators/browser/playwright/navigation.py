"""Going to pages and waiting for them, by Playwright."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Literal
from urllib.parse import urldefrag

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Response
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.aiming import describe_page
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.navigation_errors import ERROR_PAGE, explain_navigation_error
from actuators.browser.playwright.probes import probe
from actuators.browser.playwright.scenes import SceneShowing
from actuators.browser.playwright.waits import WaitTarget, wait_for
from actuators.browser.playwright.watches import Watch
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.toolset import WaitState, WaitUntil, opens_address
from actuators.deadlines import Deadline, allow_s
from core.errors import NavigationError
from core.platforms import find_platform
from core.ports import ActionContext
from core.results import ToolOutcome
from core.urls import judge_address

SETTLE_MS = 1000
LEAST_WAIT_S = 0.05
READ_TRIES = 10
GOTO_TRIES = 5
OVERTAKEN_MS = 1500.0
NEXT_PLACE_MS = 2000.0
TITLE_MS = 60_000.0  # a page that is busy tells its title when it has time; the action ends before that


class PlaywrightNavigation(SceneShowing, NavigationTools):
    """Goes to pages in a session's browser."""

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is acted on, or which address a search opens."""
        if verb == "search":
            platform = find_platform(args["platform"], self._session.settings.platforms)
            return {"address": platform.build_search_url(args["query"])}
        return {} if opens_address(verb, args) else describe_page(self._session, context)

    async def navigate(self, context: ActionContext, url: str, wait_until: WaitUntil = "load") -> ToolOutcome:
        """Open an address in the lane's page."""
        context.policy.check_address(judge_address(url))
        deadline = Deadline(context.timeout_s)
        page = await self._session.open_page(context)
        return await go_to(self._session, context, page, url, (wait_until, deadline))

    async def search(self, context: ActionContext, query: str, platform: str = "google") -> ToolOutcome:
        """Open the results page of a search platform."""
        found = find_platform(platform, self._session.settings.platforms)
        return await self.navigate(context, found.build_search_url(query))

    async def back(self, context: ActionContext) -> ToolOutcome:
        """Go back one page, unless the page is the first that was opened in its tab."""
        return await self._go_in_history(context, -1)

    async def forward(self, context: ActionContext) -> ToolOutcome:
        """Go forward one page."""
        return await self._go_in_history(context, 1)

    async def reload(self, context: ActionContext) -> ToolOutcome:
        """Load the current page again."""
        page = self._session.current_page(context)
        deadline = Deadline(context.timeout_s)
        async with self._session.watch(context) as watch:
            with self._session.wall.reloading(context, page):
                response = await self._travel(page, page.url, watch, lambda: page.reload(timeout=deadline.remaining_ms))
            undo = "Nothing to take back, unless loading had an effect."
            return _check_served(await _describe_arrival(page, response, watch, undo))

    async def stop(self, context: ActionContext) -> ToolOutcome:
        """Stop loading the current page."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            cdp = await page.context.new_cdp_session(page)
            await cdp.send("Page.stopLoading")
            await cdp.detach()
            url, title = await read_place(page)
            output = {"url": url, "title": title}
            return ToolOutcome(output, "confirmed", {**output, **watch.evidence()}, "browser.reload loads it again.")

    async def wait(
        self,
        context: ActionContext,
        selector: str | None = None,
        state: WaitState = "visible",
        url: str | None = None,
        text: str | None = None,
        load_state: Literal["domcontentloaded", "load", "networkidle"] | None = None,
        timeout: float | None = None,
    ) -> ToolOutcome:
        """Wait for one thing, and say how long it took."""
        page = self._session.current_page(context)
        limit_s = context.timeout_s if timeout is None else min(context.timeout_s, allow_s(max(timeout, LEAST_WAIT_S)))
        within = replace(context, timeout_s=limit_s)
        started_s = time.monotonic()
        async with self._session.watch(context) as watch:
            seen = await wait_for(self._session, within, WaitTarget(selector, state, url, text, load_state))
            waited = {"waited_s": round(time.monotonic() - started_s, 3)}
            return ToolOutcome({**waited, "url": page.url}, "none", {**seen, **watch.evidence()})

    async def _go_in_history(self, context: ActionContext, step: Literal[-1, 1]) -> ToolOutcome:
        page = self._session.current_page(context)
        deadline = Deadline(context.timeout_s)
        await _check_history(page, step)
        move = page.go_back if step < 0 else page.go_forward
        async with self._session.watch(context) as watch:
            response = await self._travel(page, page.url, watch, lambda: move(timeout=deadline.remaining_ms))
            undo = f"browser.{'forward' if step < 0 else 'back'} returns."
            return await _describe_arrival(page, response, watch, undo)

    async def _travel(
        self, page: Page, url: str, watch: Watch, act: Callable[[], Awaitable[Response | None]]
    ) -> Response | None:
        return await travel(self._session, page, url, watch, act)


async def go_to(
    session: PlaywrightSession, context: ActionContext, page: Page, url: str, how: tuple[WaitUntil, Deadline]
) -> ToolOutcome:
    """Open an address that was judged in a page, and say what was opened.

    Raises:
        NavigationError: If it can't be reached, isn't a page, or answers 4xx or 5xx.
        PolicyError: If it leads outside the hosts that policy allows.
    """
    before = page.url
    async with session.watch(context) as watch:
        with session.wall.heading(context, page, url):
            response = await travel(session, page, url, watch, lambda: _go(page, url, how, watch))
        context.policy.check_address(judge_address(page.url))
        return _check_served(await _describe_arrival(page, response, watch, f"browser.back returns to {before}."))


async def travel(
    session: PlaywrightSession, page: Page, url: str, watch: Watch, act: Callable[[], Awaitable[Response | None]]
) -> Response | None:
    """Leave a page for another one, even if it asks whether to; turn Playwright's errors into ours."""
    session.dialogs.allow_leaving(page)
    try:
        return await watch.run(act())
    except PlaywrightError as error:
        await _settle(page, error, watch)
        raise explain_navigation_error(error, url, page, watch) from error
    finally:
        session.dialogs.forbid_leaving(page)


async def _go(page: Page, url: str, how: tuple[WaitUntil, Deadline], watch: Watch) -> Response | None:
    """Go to an address; again, if where the page before was still going comes between."""
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
    """Tell whether a navigation failed because the page itself went elsewhere after so many earlier moves."""
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


async def _describe_arrival(page: Page, response: Response | None, watch: Watch, undo: str) -> ToolOutcome:
    # A page that waits for the answer to a dialog tells no title.
    url, title = (page.url, None) if watch.held_dialog else await read_place(page)
    went_on = response is not None and urldefrag(response.url)[0] != urldefrag(url)[0]
    if went_on and title is not None:
        url, title = await _read_next_place(page)
    output: dict[str, Any] = {"url": url, "title": title, "status": response.status if response else None}
    evidence = {**output, **watch.evidence()}
    evidence.pop("navigated_to", None)
    if response:
        redirects = list_redirects(response)
        evidence |= {"redirects": redirects} if redirects else {}
        # The page has gone on by itself: the status is that of where it came from.
        evidence |= {"status_of": response.url} if went_on else {}
    return ToolOutcome(output, "unverified" if watch.held_dialog else "confirmed", evidence, undo)


def _check_served(outcome: ToolOutcome) -> ToolOutcome:
    status = outcome.output["status"]
    if status is None or status < 400 or "status_of" in outcome.evidence:
        return outcome
    raise NavigationError(
        f'{outcome.output["url"]} answered with status {status} and the page "{outcome.output["title"]}".',
        code="http_status",
        hint="Check the address." if status < 500 else "Try again later, or look at the server's log.",
        evidence=outcome.evidence,
    )


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
    """Read the place that a page has gone on to by itself, once there is something to read."""
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
    try:
        await page.wait_for_url(ERROR_PAGE, wait_until="commit", timeout=SETTLE_MS)
    except PlaywrightError:
        return  # no error page, so nothing to wait for


async def _check_history(page: Page, step: Literal[-1, 1]) -> None:
    cdp = await page.context.new_cdp_session(page)
    history = await cdp.send("Page.getNavigationHistory")
    await cdp.detach()
    index, entries = history["currentIndex"] + step, history["entries"]
    # Each tab starts on an empty page of ours, to which nobody wants to return.
    if index < 0 or index >= len(entries) or (index == 0 and entries[0]["url"] == "about:blank"):
        raise NavigationError(
            f"There is no {'earlier' if step < 0 else 'later'} page in the history of this tab; it is still {page.url}.",
            code="no_history",
            hint="Open the page with browser.navigate.",
            evidence={"url": page.url, "history": [entry["url"] for entry in entries]},
        )
