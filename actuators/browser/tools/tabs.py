"""Tools for tabs, and how large a tab shows its page."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Protocol

from actuators.browser.ports.pages import Done, PagePort, make_no_page_error
from actuators.browser.ports.tabs import NORMAL_PERCENT, ClosedTabs, OnTab, PickTab, PickTabs, TabFacts
from actuators.browser.tools.toolset import CLICK_UNDO, BrowserToolset, tell
from core.addresses.urls import judge_address
from core.base.errors import ActionError, InputError, TargetError
from core.base.matching import fold_space
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import WhichTabs, ZoomDirection
from core.rules.param_types import TAB, HttpAddress
from core.rules.type_makers import number
from core.selectors.selectors import quote_name
from core.tools.ports import ActionContext

_PLACES = frozenset({"first", "last", "next", "previous", "new"})


def choose_tabs(tabs: Sequence[TabFacts], which: WhichTabs) -> Sequence[TabFacts]:
    """Return the tabs that are meant, seen from the current one (else ``no_page``), without other lanes' own."""
    here = next((each for each in tabs if each.is_current), None)
    if here is None:
        raise make_no_page_error()
    meant: dict[WhichTabs, Callable[[int], bool]] = {
        "all": lambda _: True,
        "others": lambda index: index != here.index,
        "left": lambda index: index < here.index,
        "right": lambda index: index > here.index,
    }
    return [each for each in tabs if meant[which](each.index) and not each.is_taken]


def refuse_both(**said: object) -> None:
    """Refuse two ways to say which tab is meant."""
    if sum(each is not None for each in said.values()) > 1:
        raise InputError(f"Only one of {' and '.join(said)} can be given.", hint="Leave one of them out.")


def pick_tab(tabs: Sequence[TabFacts], wanted: str | int) -> TabFacts:
    """Return the one tab that is meant: by index, place, or a part of title or address; TargetError lists all."""
    is_place = isinstance(wanted, int) or wanted.isdecimal() or wanted in _PLACES
    found = _find_by_place(tabs, wanted) if is_place else _find_by_words(tabs, str(wanted))
    return _take_only(found, tabs, f'"{wanted}"')


def pick_by_content(tabs: Sequence[TabFacts], texts: Sequence[str], wanted: str) -> TabFacts:
    """Return the one tab that shows a text; TargetError if none or more than one shows it; lists the tabs."""
    folded = fold_space(wanted).casefold()
    found = [each for each, shown in zip(tabs, texts, strict=True) if folded in fold_space(shown).casefold()]
    return _take_only(found, tabs, f'a page with "{wanted}" on it')


def _take_only(found: Sequence[TabFacts], tabs: Sequence[TabFacts], wanted: str) -> TabFacts:
    if len(found) == 1:
        return found[0]
    listing = "; ".join(str(each) for each in tabs) or "none"
    raise TargetError(
        f"{'More than one tab matches' if found else 'No tab matches'} {wanted}. Open tabs: {listing}.",
        code="target_ambiguous" if found else "target_missing",
        hint="Name a tab by its index, or by a unique part of its title or address.",
        evidence={"tabs": [each.as_json() for each in tabs]},
    )


def _find_by_place(tabs: Sequence[TabFacts], wanted: str | int) -> Sequence[TabFacts]:
    if wanted == "new":
        return [each for each in tabs if each.is_new][-1:]
    here = next((each.index for each in tabs if each.is_current), -1)
    places = {"first": 0, "last": len(tabs) - 1, "next": here + 1, "previous": here - 1}
    place = places[wanted] if isinstance(wanted, str) and wanted in places else int(wanted)
    return tabs[place : place + 1] if place >= 0 else []


def _find_by_words(tabs: Sequence[TabFacts], words: str) -> Sequence[TabFacts]:
    exact = [each for each in tabs if words in {each.title, each.url}]
    folded = words.casefold()
    return exact or [each for each in tabs if folded in each.title.casefold() or folded in each.url.casefold()]


STEPS_PERCENT = (25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500)


def choose_level(now_percent: float, direction: ZoomDirection | None, level_percent: float | None) -> float:
    """Return the level to go to, in percent; InputError unless one is given, ``zoom_limit`` at the last step."""
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
    """Acts on tabs, and on those that a page shows of its own."""

    async def click(self, context: ActionContext, selector: str) -> Done:
        """Click an element of the lane's page."""
        ...

    async def open_tab(self, context: ActionContext, url: str | None) -> OnTab:
        """Open a tab and make it the lane's current one; if its address can't be reached, close it again."""
        ...

    async def switch_tab(self, context: ActionContext, pick: PickTab, *, awaits_new: bool) -> OnTab:
        """Make another tab the lane's current one; wait a moment for a new one that is on its way, if asked to."""
        ...

    async def close_tabs(self, context: ActionContext, pick: PickTabs | None) -> ClosedTabs:
        """Close tabs, the lane's current one where none are picked, even if their pages ask whether to leave them."""
        ...

    async def list_tabs(self, context: ActionContext) -> Sequence[TabFacts]:
        """Return the tabs of all lanes, in the order of opening."""
        ...

    async def read_tab(self, tab: TabFacts) -> str:
        """Return what a tab shows, with its frames; nothing of one that doesn't answer."""
        ...

    async def zoom(self, context: ActionContext, choose: Callable[[float], float]) -> Done:
        """Show the lane's page, and its tab's later ones, at a size; facts ``before_percent``, ``after_percent``."""
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
        self,
        context: ActionContext,
        tab: Annotated[str | int, TAB] | None = None,
        contains: str | None = None,
        own: bool = False,
    ) -> ToolOutcome:
        """Make another tab the current one.

        Args:
            tab: Zero-based index; ``first``, ``last``, ``next``, ``previous``, ``new`` (the latest opened); or a part
                of the title or address that only one tab has.
            contains: Instead of ``tab``, a text that only one tab shows on its page; case and white space are ignored.
            own: Whether ``tab`` rather names a tab that the page itself shows, which is then pressed.

        Returns:
            Output ``index``, ``url`` and ``title``.

        Raises:
            TargetError: If no tab or more than one matches; lists the tabs.
        """
        refuse_both(tab=tab, contains=contains)

        async def pick(tabs: Sequence[TabFacts]) -> TabFacts:
            return await self._pick(tabs, tab, contains)

        if own:
            try:
                return tell(await self._port.click(context, f"tab {quote_name(str(tab))}"), CLICK_UNDO)
            except TargetError as error:
                if error.code != "target_missing":
                    raise
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
