"""Going to pages and waiting for them, simulated."""

from collections.abc import Mapping
from typing import Any, Literal

from actuators.browser.fake.aiming import describe_page
from actuators.browser.fake.browser import Arrival, FakeBrowser
from actuators.browser.fake.pages import FakeRequest
from actuators.browser.fake.selecting import find_anywhere
from actuators.browser.fake.tabs import FakeTab
from actuators.browser.fake.turns import Turn
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.toolset import WaitState, WaitUntil, opens_address
from core.errors import DeadlineError, InputError, NavigationError
from core.matching import fold_space, matches_address
from core.platforms import find_platform
from core.ports import ActionContext
from core.results import ToolOutcome
from core.selectors import parse_single_selector
from core.urls import judge_address


class FakeNavigation(NavigationTools):
    """Goes to pages of a FakeWeb."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is acted on, or which address a search opens."""
        if verb == "search":
            platform = find_platform(args["platform"], self._browser.platforms)
            return {"address": platform.build_search_url(args["query"])}
        return {} if opens_address(verb, args) else describe_page(self._browser, context)

    async def navigate(self, context: ActionContext, url: str, wait_until: WaitUntil = "load") -> ToolOutcome:
        """Open an address in the lane's page."""
        context.policy.check_address(judge_address(url))
        async with Turn(self._browser, context, "navigate", {"url": url, "wait_until": wait_until}) as turn:
            tab = turn.open_tab()
            return open_address(turn, tab, url, wait_until)

    async def back(self, context: ActionContext) -> ToolOutcome:
        """Go back one page."""
        return await self._go_in_history(context, -1)

    async def forward(self, context: ActionContext) -> ToolOutcome:
        """Go forward one page."""
        return await self._go_in_history(context, 1)

    async def reload(self, context: ActionContext) -> ToolOutcome:
        """Ask for the current page again."""
        async with Turn(self._browser, context, "reload", {}) as turn:
            tab = turn.tab
            arrival = _open_again(turn, tab)
            return describe_arrival(turn, tab, arrival, undo="Nothing to take back, unless loading had an effect.")

    async def stop(self, context: ActionContext) -> ToolOutcome:
        """Stop loading the current page."""
        async with Turn(self._browser, context, "stop", {}) as turn:
            output = {"url": turn.tab.url, "title": turn.tab.title}
            return ToolOutcome(output, "confirmed", {**output, **turn.evidence()}, "browser.reload loads it again.")

    async def search(self, context: ActionContext, query: str, platform: str = "google") -> ToolOutcome:
        """Open the results page of a search platform."""
        url = find_platform(platform, self._browser.platforms).build_search_url(query)
        context.policy.check_address(judge_address(url))
        async with Turn(self._browser, context, "search", {"query": query, "platform": platform}) as turn:
            return open_address(turn, turn.open_tab(), url, "load")

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
        """Look until it has come to pass; the time that this takes is simulated."""
        wanted = {"selector": selector, "url": url, "text": text, "load_state": load_state}
        asked = [name for name, value in wanted.items() if value is not None]
        if not asked:
            raise InputError("There is nothing to wait for.", hint="Give a selector, url, text or load_state.")
        async with Turn(self._browser, context, "wait", {**wanted, "state": state, "timeout": timeout}) as turn:
            while (seen := _look_for(turn, wanted, state)) is None:
                if not turn.look(timeout):
                    raise _explain_timeout(turn, asked[0], wanted[asked[0]])
            output = {"waited_s": turn.waited_s, "url": turn.tab.url}
            return ToolOutcome(output, "none", {**seen, **turn.evidence()})

    async def _go_in_history(self, context: ActionContext, step: Literal[-1, 1]) -> ToolOutcome:
        async with Turn(self._browser, context, "back" if step < 0 else "forward", {}) as turn:
            tab = turn.tab
            if not tab.can_go(step):
                raise NavigationError(
                    f"There is no {'earlier' if step < 0 else 'later'} page in the history of this tab; "
                    f"it is still {tab.url}.",
                    code="no_history",
                    hint="Open the page with browser.navigate.",
                    evidence={"url": tab.url, "history": [each.url for each in tab.history]},
                )
            tab.place += step
            arrival = _open_again(turn, tab)
            undo = f"browser.{'forward' if step < 0 else 'back'} returns."
            return describe_arrival(turn, tab, arrival, undo=undo)


def open_address(turn: Turn, tab: FakeTab, url: str, wait_until: WaitUntil) -> ToolOutcome:
    """Open an address that was judged, and say what was opened.

    Raises:
        NavigationError: If it can't be reached, isn't a page, never finishes loading, or answers 4xx or 5xx.
        PolicyError: If it leads outside the hosts that policy allows.
    """
    before = tab.url
    arrival = turn.browser.fetch(FakeRequest("GET", judge_address(url).href), turn.context.policy)
    if arrival.document:
        tab.show(arrival.document)
    if not arrival.trouble and not tab.document.page.finishes and wait_until in ("load", "networkidle"):
        raise NavigationError(
            f"{url} was opened, but did not finish loading in time.",
            code="navigation_timeout",
            hint='Navigate with wait_until "domcontentloaded", or give it more time.',
            evidence={"url": url, "current_url": tab.url, "arrived": True},
        )
    return describe_arrival(turn, tab, arrival, undo=f"browser.back returns to {before}.")


def describe_arrival(turn: Turn, tab: FakeTab, arrival: Arrival, *, undo: str) -> ToolOutcome:
    """Say where a page is now.

    Raises:
        NavigationError: If it was not reached.
        PolicyError: If it may not be reached.
    """
    if arrival.trouble:
        arrival.trouble.evidence.setdefault("current_url", tab.url)
        raise arrival.trouble
    output: dict[str, Any] = {"url": tab.url, "title": tab.title, "status": arrival.status}
    evidence = {**output, **turn.evidence()}
    if arrival.redirects:
        evidence["redirects"] = list(arrival.redirects)
    return ToolOutcome(output, "confirmed", evidence, undo)


def _open_again(turn: Turn, tab: FakeTab) -> Arrival:
    """Ask for the page at the current place of the history again; if none comes, the old one stays."""
    arrival = turn.browser.fetch(FakeRequest("GET", tab.url), turn.context.policy)
    if arrival.document:
        tab.history[tab.place] = arrival.document
    return arrival


def _look_for(turn: Turn, wanted: dict[str, Any], state: WaitState) -> dict[str, Any] | None:
    """Return evidence of what is waited for, or None while it isn't there."""
    if wanted["selector"] is not None:
        found = find_anywhere(parse_single_selector(wanted["selector"]), turn.document)
        shown = [each for each in found if each.is_visible]
        reached = {"attached": bool(found), "detached": not found, "visible": bool(shown), "hidden": not shown}
        return {"selector": wanted["selector"], "state": state} if reached[state] else None
    if wanted["url"] is not None:
        return {"url": turn.tab.url} if matches_address(turn.tab.url, wanted["url"]) else None
    if wanted["text"] is not None:
        return _look_for_text(turn, wanted["text"])
    finished = turn.document.page.finishes or wanted["load_state"] == "domcontentloaded"
    return {"load_state": wanted["load_state"], "url": turn.tab.url} if finished else None


def _look_for_text(turn: Turn, text: str) -> dict[str, Any] | None:
    folded = fold_space(text).lower()
    for document in (turn.document, *turn.document.frames):
        for each in document.elements:
            if each.is_visible and folded in each.read_text().lower():
                return {"text": each.read_text(), "frame": document.url}
    return None


def _explain_timeout(turn: Turn, what: str, value: Any) -> DeadlineError:
    tab = turn.tab
    return DeadlineError(
        f'Waited {turn.waited_s:.1f} s for the {what} {value}; the page is {tab.url} with the title "{tab.title}".',
        hint="Give it more time with timeout, or check what to wait for.",
        evidence={"url": tab.url, "title": tab.title, "nearest": [], "waited_s": turn.waited_s},
    )
