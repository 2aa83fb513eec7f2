"""Tools that go to pages and wait for them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Protocol

from actuators.browser.ports.navigation import Arrival, WaitResult, WaitTarget
from actuators.browser.ports.pages import PagePort
from actuators.browser.ports.values import parse_condition
from actuators.browser.tools.toolset import BrowserToolset, judge
from actuators.deadlines import allow_s
from core.addresses.platforms import SearchPlatform, find_platform
from core.addresses.urls import judge_address
from core.base.errors import InputError
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import LoadState, WaitState, WaitUntil
from core.rules.param_types import AddressPattern, Duration, HttpAddress, Selector, TimeLimit
from core.rules.rule_types import FromWorld
from core.tools.ports import ActionContext

_LEAST_WAIT_S = 0.05


class NavigationPort(PagePort, Protocol):
    """Goes to pages."""

    @property
    def platforms(self) -> Mapping[str, SearchPlatform]:
        """Search platforms beside the built-in ones."""
        ...

    async def navigate(self, context: ActionContext, url: str, wait_until: WaitUntil) -> Arrival:
        """Open an address that policy allows in the lane's page, and a browser first if none is open."""
        ...

    async def go_in_history(self, context: ActionContext, step: Literal[-1, 1]) -> Arrival:
        """Go one page back or forward."""
        ...

    async def reload(self, context: ActionContext) -> Arrival:
        """Load the lane's page again."""
        ...

    async def stop(self, context: ActionContext) -> Arrival:
        """Stop loading the lane's page."""
        ...

    async def wait(self, context: ActionContext, target: WaitTarget) -> WaitResult:
        """Wait until it has come to pass, at most the action's time; DeadlineError says what was there instead."""
        ...


class NavigationTools(BrowserToolset[NavigationPort]):
    """Going to pages and waiting for them."""

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is acted on, or which address a search opens."""
        if verb == "search":
            return {"address": self._find_results(args["query"], args["platform"])}
        return await super().identify(verb, context, args)

    async def navigate(self, context: ActionContext, url: HttpAddress, wait_until: WaitUntil = "load") -> ToolOutcome:
        """Open an address in the current page, and a browser first if none is open.

        Args:
            url: Absolute http or https address, or about:blank.
            wait_until: How far the page must have loaded.

        Returns:
            Output ``url``, ``title`` and ``status`` (the HTTP status, or null); evidence the same, read from the page.

        Raises:
            NavigationError: If the page can't be reached, or answers with a status of 400 or more (``http_status``).
            PolicyError: If the address, or the one that it redirects to, is outside the policy.
        """
        context.policy.check_address(judge_address(url))
        arrival = await self._port.navigate(context, url, wait_until)
        return _tell(arrival, f"browser.back returns to {arrival.left}.")

    async def back(self, context: ActionContext) -> ToolOutcome:
        """Go back one page in the history.

        Returns:
            Output ``url`` and ``title`` of the page arrived at.

        Raises:
            NavigationError: If there is no earlier page.
        """
        return _tell(await self._port.go_in_history(context, -1), "browser.forward returns.")

    async def forward(self, context: ActionContext) -> ToolOutcome:
        """Go forward one page in the history.

        Returns:
            Output ``url`` and ``title`` of the page arrived at.

        Raises:
            NavigationError: If there is no later page.
        """
        return _tell(await self._port.go_in_history(context, 1), "browser.back returns.")

    async def reload(self, context: ActionContext) -> ToolOutcome:
        """Load the current page again.

        Returns:
            Output ``url``, ``title`` and ``status``.

        Raises:
            NavigationError: If the page can't be reached any more.
        """
        return _tell(await self._port.reload(context), "Nothing to undo, unless loading had an effect.")

    async def stop(self, context: ActionContext) -> ToolOutcome:
        """Stop loading the current page.

        Returns:
            Output ``url`` and ``title`` of the page as it is now.
        """
        arrival = await self._port.stop(context)
        output = {"url": arrival.url, "title": arrival.title}
        return ToolOutcome(output, "confirmed", {**output, **arrival.evidence}, "browser.reload loads it again.")

    async def search(
        self, context: ActionContext, query: str, platform: Annotated[str, FromWorld("platforms")] = "google"
    ) -> ToolOutcome:
        """Open the results page of a search platform.

        Args:
            query: What to search for, sent exactly as given.
            platform: Name of the search platform.

        Returns:
            Output ``url``, ``title`` and ``status`` of the results page.

        Raises:
            NavigationError: If the platform can't be reached.
            PolicyError: If the platform's host is outside the policy.
        """
        return await self.navigate(context, self._find_results(query, platform), "load")

    async def wait(
        self,
        context: ActionContext,
        selector: Selector | None = None,
        state: WaitState | None = None,
        value: str | None = None,
        url: AddressPattern | None = None,
        text: str | None = None,
        load_state: LoadState | None = None,
        seconds: Duration | None = None,
        timeout: TimeLimit | None = None,
    ) -> ToolOutcome:
        """Wait until an element has a state or value, the address matches, a text shows, or the page has loaded; or just some time.

        Args:
            selector: Element to wait for.
            state: State that the element must reach.
            url: Address to wait for: exact, a glob with ``*``, or a part of it.
            text: Text that must be visible somewhere on the page or in a frame; case is ignored.
            load_state: How far the page must have loaded.
            seconds: Time to wait, 0 to 3600, instead of anything else.
            timeout: Seconds to wait at most, 0 to 3600; where absent, a page on which nothing can happen by itself is given up early.
            value: What the element must show: ``below 38.50``, ``above 3``, ``at least 3``, ``at most 3``, ``even``, ``odd``,
                ``not Pending``, or a number or text itself.

        Returns:
            Output ``waited_s`` and, for an address, ``url``; evidence what was seen.

        Raises:
            DeadlineError: If it didn't come to pass in time; says what was there instead.
            InputError: If there is nothing to wait for.
        """
        if all(each is None for each in (selector, url, text, load_state, seconds)):
            raise InputError("No condition to wait for.", hint="Give a selector, url, text, load_state or seconds.")
        if value is not None and selector is None:
            raise InputError("value needs a selector.", hint="Name what shall have the value.")
        condition = None if value is None else parse_condition(value)
        limit_s = context.timeout_s if timeout is None else min(context.timeout_s, allow_s(max(timeout, _LEAST_WAIT_S)))
        within = replace(context, timeout_s=limit_s)
        is_timed = timeout is not None
        target = WaitTarget(selector, state or "visible", url, text, load_state, condition, seconds, is_timed)
        waited = await self._port.wait(within, target)
        return ToolOutcome({"waited_s": waited.waited_s, "url": waited.url}, "none", waited.seen)

    def _find_results(self, query: str, platform: str) -> str:
        return find_platform(platform, self._port.platforms).build_search_url(query)


def _tell(arrival: Arrival, undo: str) -> ToolOutcome:
    return ToolOutcome(arrival.place, judge(is_sure=arrival.is_read), {**arrival.place, **arrival.evidence}, undo)
