"""Going to pages, waiting for them, and tabs, simulated."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from actuators.browser.fake.acting import FakePointer
from actuators.browser.fake.browser import FakeView, Fetched
from actuators.browser.fake.documents import find_matches
from actuators.browser.fake.pages import FakeRequest
from actuators.browser.fake.turns import FakePart, Turn
from actuators.browser.ports.navigation import Arrival, WaitResult, WaitTarget
from actuators.browser.ports.pages import make_no_page_error
from actuators.browser.ports.tabs import ClosedTabs, OnTab, PickTab, PickTabs, TabFacts
from actuators.browser.ports.values import ValueCondition
from core.addresses.platforms import SearchPlatform
from core.base.errors import DeadlineError, NavigationError, SurehandError
from core.base.matching import fold_space, matches_address
from core.rules.browser_choices import WaitUntil
from core.selectors.selectors import parse_single_selector
from core.tools.ports import ActionContext


class FakeNavigation(FakePart):
    """Goes to pages of a FakeWeb."""

    @property
    def platforms(self) -> Mapping[str, SearchPlatform]:
        """Search platforms beside the built-in ones."""
        return self._browser.platforms

    async def navigate(self, context: ActionContext, url: str, wait_until: WaitUntil) -> Arrival:
        """Open an address in the lane's page."""
        async with Turn(self._browser, context, "navigate", travels=True) as turn:
            tab = self._browser.tabs.current(context.lane)
            return _open_address(turn, tab.page if tab else _open_tab(turn), url, wait_until)

    async def go_in_history(self, context: ActionContext, step: Literal[-1, 1]) -> Arrival:
        """Go one page back or forward, and ask for that page again."""
        async with Turn(self._browser, context, "back" if step < 0 else "forward", travels=True) as turn:
            view = turn.view
            if not 1 <= view.place + step < len(view.history):  # nobody returns to the empty page that a tab starts on
                raise NavigationError(
                    f"There is no {'earlier' if step < 0 else 'later'} page in the history of this tab; "
                    f"it is still {view.url}.",
                    code="no_history",
                    hint="Open the page with browser.navigate.",
                    evidence={"url": view.url, "history": [each.url for each in view.history]},
                )
            left, view.place = view.url, view.place + step
            return self._ask_again(turn, left)

    async def reload(self, context: ActionContext) -> Arrival:
        """Ask for the current page again."""
        async with Turn(self._browser, context, "reload", travels=True) as turn:
            return self._ask_again(turn, turn.view.url)

    async def stop(self, context: ActionContext) -> Arrival:
        """Stop loading the current page."""
        async with Turn(self._browser, context, "stop") as turn:
            return Arrival(turn.view.url, turn.view.title, None, evidence=turn.meanwhile())

    async def wait(self, context: ActionContext, target: WaitTarget) -> WaitResult:
        """Look until it has come to pass; the time that this takes is simulated."""
        async with Turn(self._browser, context, "wait") as turn:
            while (seen := _look_for(turn, target)) is None:
                if not turn.look(context.timeout_s):
                    raise _explain_timeout(turn, target)
            return WaitResult({**seen, **turn.meanwhile()}, turn.waited_s, turn.view.url)

    def _ask_again(self, turn: Turn, left: str) -> Arrival:
        view = turn.view
        fetched = self._browser.fetch(FakeRequest("GET", view.url), turn.context.policy)
        if fetched.document:
            view.history[view.place] = fetched.document
        return _tell_arrival(turn, view, fetched, left)


class FakeTabActs(FakePointer):
    """Acts on the tabs of a fake browser; it knows no sizes."""

    async def open_tab(self, context: ActionContext, url: str | None) -> OnTab:
        """Open a tab; if its address can't be reached, close it again."""
        async with Turn(self._browser, context, "open_tab", travels=True) as turn:
            view, arrival = _open_tab(turn), None
            try:
                arrival = _open_address(turn, view, url, "load") if url is not None else None
            except SurehandError:
                self._browser.tabs.remove(view)
                raise
            return self._tell_tab(turn, "", arrival)

    async def switch_tab(self, context: ActionContext, pick: PickTab, *, awaits_new: bool) -> OnTab:
        """Make another tab the lane's current one; tabs come at once here, so that none is awaited."""
        del awaits_new
        async with Turn(self._browser, context, "switch_tab") as turn:
            left = self.find_address(context) or ""
            chosen = await pick(self._browser.tabs.list_all(context.lane))
            self._browser.tabs.make_current(context.lane, chosen.tab)
            return self._tell_tab(turn, left, None)

    async def close_tabs(self, context: ActionContext, pick: PickTabs | None) -> ClosedTabs:
        """Close tabs."""
        async with Turn(self._browser, context, "close_tab") as turn:
            facts = self._browser.tabs.list_all(context.lane)
            chosen = [each for each in facts if each.is_current] if pick is None else await pick(facts)
            if pick is None and not chosen:
                raise make_no_page_error()
            for each in chosen:
                self._browser.tabs.remove(each.tab.page)
            addresses = [each.url for each in chosen]
            return ClosedTabs(addresses, len(self._browser.tabs), self.find_address(context), turn.meanwhile())

    async def list_tabs(self, context: ActionContext) -> Sequence[TabFacts]:
        """Return the tabs of all lanes, in the order of opening."""
        async with Turn(self._browser, context, "list_tabs"):
            return self._browser.tabs.list_all(context.lane)

    async def read_tab(self, tab: TabFacts) -> str:
        """Return what a tab shows."""
        return tab.tab.page.document.root.read_text()

    def _tell_tab(self, turn: Turn, left: str, arrival: Arrival | None) -> OnTab:
        here = next(each for each in self._browser.tabs.list_all(turn.context.lane) if each.is_current)
        return OnTab(here.index, here.url, here.title, arrival, left, turn.meanwhile())


def _look_for(turn: Turn, target: WaitTarget) -> dict[str, Any] | None:
    if target.seconds is not None:
        return {"seconds": target.seconds} if turn.waited_s >= target.seconds else None
    if target.selector is not None and target.value is not None:
        return _look_at_value(turn, target.selector, target.value)
    if target.selector is not None:
        found = find_matches(parse_single_selector(target.selector), turn.document)
        is_shown = any(each.is_visible for each in found)
        reached = {"attached": bool(found), "detached": not found, "visible": is_shown, "hidden": not is_shown}
        return {"selector": target.selector, "state": target.state} if reached[target.state] else None
    if target.url is not None:
        return {"url": turn.view.url} if matches_address(turn.view.url, target.url) else None
    if target.text is not None:
        text = turn.document.root.read_text()
        is_there = fold_space(target.text).casefold() in text.casefold()
        return {"text": target.text, "frame": turn.view.url} if is_there else None
    is_loaded = turn.document.page.finishes or target.load_state == "domcontentloaded"
    return {"load_state": target.load_state, "url": turn.view.url} if is_loaded else None


def _look_at_value(turn: Turn, selector: str, condition: ValueCondition) -> dict[str, Any] | None:
    found = [each for each in find_matches(parse_single_selector(selector), turn.document) if not each.is_secret]
    shown = [each.value or each.read_text() for each in found]
    return {"selector": selector, "shown": shown[0]} if len(shown) == 1 and condition.holds(shown[0]) else None


def _explain_timeout(turn: Turn, target: WaitTarget) -> DeadlineError:
    view = turn.view
    return DeadlineError(
        f'Waited {turn.waited_s:.1f} s for {target.describe()}; the page is {view.url} with the title "{view.title}".',
        hint="Give it more time with timeout, or check the condition.",
        evidence={"url": view.url, "title": view.title, "nearest": [], "waited_s": turn.waited_s},
    )


def _open_tab(turn: Turn) -> FakeView:
    tab = turn.browser.tabs.add(FakeView(), turn.context.lane)
    turn.browser.tabs.make_current(turn.context.lane, tab)
    return tab.page


def _open_address(turn: Turn, view: FakeView, url: str, wait_until: WaitUntil) -> Arrival:
    left = view.url
    fetched = turn.browser.fetch(FakeRequest("GET", url), turn.context.policy)
    if fetched.document:
        view.show(fetched.document)
    if not fetched.trouble and not view.document.page.finishes and wait_until in ("load", "networkidle"):
        raise NavigationError(
            f"{url} was opened, but did not finish loading in time.",
            code="navigation_timeout",
            hint='Navigate with wait_until "domcontentloaded", or give it more time.',
            evidence={"url": url, "current_url": view.url, "arrived": True},
        )
    return _tell_arrival(turn, view, fetched, left)


def _tell_arrival(turn: Turn, view: FakeView, fetched: Fetched, left: str) -> Arrival:
    if fetched.trouble:
        fetched.trouble.evidence.setdefault("current_url", view.url)
        raise fetched.trouble
    redirects = {"redirects": list(fetched.redirects)} if fetched.redirects else {}
    status = None if view.url == "about:blank" else view.document.page.status
    return Arrival(view.url, view.title, status, left, evidence={**redirects, **turn.meanwhile()}).check_served()
