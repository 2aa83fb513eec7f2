"""Tools for tabs, and how large a tab shows its page."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Protocol

from actuators.browser.ports.pages import Done, PagePort
from actuators.browser.ports.tabs import NORMAL_PERCENT, ClosedTabs, OnTab, PickTab, PickTabs, TabFacts
from actuators.browser.tools.tab_choices import choose_tabs, pick_by_content, pick_tab, refuse_both
from actuators.browser.tools.toolset import BrowserToolset, tell
from core.addresses.urls import judge_address
from core.base.errors import ActionError, InputError
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import WhichTabs, ZoomDirection
from core.rules.param_types import TAB, HttpAddress
from core.rules.type_makers import number
from core.tools.ports import ActionContext

STEPS_PERCENT = (25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500)


def choose_level(now_percent: float, direction: ZoomDirection | None, level_percent: float | None) -> float:
    """Return the level to go to, in percent.

    Args:
        level_percent: The level that was asked for, instead of a direction.

    Raises:
        InputError: If both are given, or neither.
        ActionError: ``zoom_limit`` if there is no further step.
    """
    if (direction is None) == (level_percent is None):
        raise InputError("zoom needs either a direction or a level.", hint="For example direction: in, or level: 150.")
    if level_percent is not None:
        return level_percent
    if direction == "reset":
        return NORMAL_PERCENT
    further = [each for each in STEPS_PERCENT if (each > now_percent if direction == "in" else each < now_percent)]
    if not further:
        raise ActionError(
            f"The page is at {now_percent:g} %, the limit for zooming {direction}.",
            code="zoom_limit",
            hint="Give a level, or zoom the other way.",
            evidence={"level_percent": now_percent},
        )
    return further[0] if direction == "in" else further[-1]


class TabPort(PagePort, Protocol):
    """Acts on tabs."""

    async def open_tab(self, context: ActionContext, url: str | None) -> OnTab:
        """Open a tab and make it the lane's current one; if its address can't be reached, close it again.

        Raises:
            NavigationError: If the address can't be reached, or answers with a status of 400 or more.
            PolicyError: If it leads outside the hosts that policy allows.
        """
        ...

    async def switch_tab(self, context: ActionContext, pick: PickTab, *, awaits_new: bool) -> OnTab:
        """Make another tab the lane's current one.

        Args:
            awaits_new: Whether to wait a moment for a tab that is on its way.
        """
        ...

    async def close_tabs(self, context: ActionContext, pick: PickTabs | None) -> ClosedTabs:
        """Close tabs, even if their pages ask whether to leave them.

        Args:
            pick: Says which; None for the lane's current one.
        """
        ...

    async def list_tabs(self, context: ActionContext) -> Sequence[TabFacts]:
        """Return the tabs of all lanes, in the order of opening."""
        ...

    async def read_tab(self, tab: TabFacts) -> str:
        """Return what a tab shows, with its frames; nothing of one that doesn't answer."""
        ...

    async def zoom(self, context: ActionContext, choose: Callable[[float], float]) -> Done:
        """Show the lane's page, and those that its tab goes to, at another size.

        Facts ``before_percent`` and ``after_percent``, output ``level_percent``.

        Args:
            choose: Says which size in percent, by what it is now.
        """
        ...


class TabTools(BrowserToolset[TabPort]):
    """Tabs, and how large they show their pages."""

    async def open_tab(self, context: ActionContext, url: HttpAddress | None = None) -> ToolOutcome:
        """Open a new tab and make it the current one.

        Args:
            url: Address to open in it.

        Returns:
            Output ``index``, ``url`` and ``title``.

        Raises:
            NavigationError: If the address can't be reached.
        """
        if url is not None:
            context.policy.check_address(judge_address(url))
        opened = await self._port.open_tab(context, url)
        arrival = {**opened.arrival.place, **opened.arrival.evidence} if opened.arrival else {}
        return ToolOutcome(opened.place, "confirmed", {**arrival, **opened.place}, "browser.close_tab closes it.")

    async def switch_tab(
        self, context: ActionContext, tab: Annotated[str | int, TAB] | None = None, contains: str | None = None
    ) -> ToolOutcome:
        """Make another tab the current one.

        Args:
            tab: Zero-based index; ``first``, ``last``, ``next``, ``previous``, ``new`` (the latest opened); or a part
                of the title or address that only one tab has.
            contains: Instead of ``tab``, a text that only one tab shows on its page; case and white space are ignored.

        Returns:
            Output ``index``, ``url`` and ``title``.

        Raises:
            TargetError: If no tab or more than one matches; lists the tabs.
        """
        refuse_both(tab=tab, contains=contains)

        async def pick(tabs: Sequence[TabFacts]) -> TabFacts:
            return await self._pick(tabs, tab, contains)

        entered = await self._port.switch_tab(context, pick, awaits_new=tab == "new")
        undo = f'browser.switch_tab "{entered.left}" returns.' if entered.left else ""
        return ToolOutcome(entered.place, "confirmed", {**entered.place, **entered.meanwhile}, undo)

    async def close_tab(
        self, context: ActionContext, tab: Annotated[str | int, TAB] | None = None, which: WhichTabs | None = None
    ) -> ToolOutcome:
        """Close a tab, or several. What another branch of the run is on stays open.

        Args:
            tab: As for ``switch_tab``; the current one where absent.
            which: Instead of ``tab``: ``all``, the ``others`` than the current one, or those to its ``left`` or
                ``right``, in the order of ``list_tabs``. That there are none is no error.

        Returns:
            Output ``closed`` (addresses of the closed tabs, a line each), ``count`` and ``remaining``.

        Raises:
            TargetError: If no tab or more than one matches ``tab``; lists the tabs.
        """
        refuse_both(tab=tab, which=which)

        async def pick(tabs: Sequence[TabFacts]) -> Sequence[TabFacts]:
            return choose_tabs(tabs, which) if which else [await self._pick(tabs, tab, None)]

        closed = await self._port.close_tabs(context, pick if tab is not None or which else None)
        output = {"closed": "\n".join(closed.addresses), "count": len(closed.addresses), "remaining": closed.remaining}
        evidence = {**output, "now_at": closed.now_at, **closed.meanwhile}
        undo = "".join(f"browser.open_tab opens {each} again, without what was on it. " for each in closed.addresses)
        return ToolOutcome(output, "confirmed", evidence, undo.strip())

    async def list_tabs(self, context: ActionContext) -> ToolOutcome:
        """List the open tabs.

        Returns:
            Output ``tabs``: index, url, title and which is current; ``count``; ``text``: a line each.
        """
        tabs = await self._port.list_tabs(context)
        text = "\n".join(str(each) for each in tabs)
        return ToolOutcome({"tabs": [each.as_json() for each in tabs], "count": len(tabs), "text": text})

    async def zoom(
        self,
        context: ActionContext,
        direction: ZoomDirection | None = None,
        level: Annotated[float, number(25, 500)] | None = None,
    ) -> ToolOutcome:
        """Show the pages of the current tab larger or smaller, this one and those that it goes to.

        Args:
            direction: ``in`` or ``out`` to the next of the usual steps, or ``reset`` to 100 percent.
            level: Percent, 25 to 500, instead of a direction; 100 is the size that the page was made for.

        Returns:
            Output ``level_percent``; evidence ``before_percent`` and ``after_percent``, as the page shows it.

        Raises:
            ActionError: ``zoom_limit`` if it can't go further in this direction.
        """
        done = await self._port.zoom(context, lambda now_percent: choose_level(now_percent, direction, level))
        return tell(done, f"browser.zoom to {done.facts['before_percent']:g} percent.")

    async def _pick(self, tabs: Sequence[TabFacts], tab: str | int | None, contains: str | None) -> TabFacts:
        if contains is not None:
            return pick_by_content(tabs, await asyncio.gather(*map(self._port.read_tab, tabs)), contains)
        if tab is None:
            raise InputError("Which tab is not said.", hint="Give tab, or contains.")
        return pick_tab(tabs, tab)
