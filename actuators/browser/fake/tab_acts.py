"""Tabs, and how large they show their pages, simulated."""

from collections.abc import Mapping
from typing import Any

from actuators.browser.fake.aiming import describe_target
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.navigation import open_address
from actuators.browser.fake.tabs import FakeTab, list_lines
from actuators.browser.fake.turns import Turn
from actuators.browser.tab_choices import list_places, refuse_both
from actuators.browser.tools.tabs import TabTools, WhichTabs, ZoomDirection
from actuators.browser.tools.toolset import opens_address
from actuators.browser.zoom_steps import choose_level
from core.errors import InputError, SurehandError
from core.ports import ActionContext
from core.results import ToolOutcome
from core.urls import judge_address


class FakeTabActs(TabTools):
    """Acts on the tabs of the fake browser."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is acted on."""
        return {} if opens_address(verb, args) else describe_target(self._browser, context, args)

    async def open_tab(self, context: ActionContext, url: str | None = None) -> ToolOutcome:
        """Open a tab; if its address can't be reached, close it again."""
        if url is not None:
            context.policy.check_address(judge_address(url))
        async with Turn(self._browser, context, "open_tab", {"url": url}) as turn:
            tabs = self._browser.tabs
            tab = tabs.open(context.lane)
            tabs.enter(context.lane, tab)
            evidence: dict[str, Any] = {}
            if url is not None:
                try:
                    evidence = dict(open_address(turn, tab, url, "load").evidence)
                except SurehandError:
                    tabs.close(tab)
                    raise
            output = _describe_current(turn)
            return ToolOutcome(output, "confirmed", {**evidence, **output}, "browser.close_tab closes it.")

    async def switch_tab(
        self, context: ActionContext, tab: str | int | None = None, contains: str | None = None
    ) -> ToolOutcome:
        """Make another tab the lane's current one."""
        refuse_both(tab=tab, contains=contains)
        async with Turn(self._browser, context, "switch_tab", {"tab": tab, "contains": contains}) as turn:
            tabs = self._browser.tabs
            before = tabs.current(context.lane)
            tabs.enter(context.lane, self._find(context, tab, contains))
            output = _describe_current(turn)
            undo = f'browser.switch_tab "{before.url}" returns.' if before else ""
            return ToolOutcome(output, "confirmed", {**output, **turn.evidence()}, undo)

    async def close_tab(
        self, context: ActionContext, tab: str | int | None = None, which: WhichTabs | None = None
    ) -> ToolOutcome:
        """Close one tab or several."""
        refuse_both(tab=tab, which=which)
        async with Turn(self._browser, context, "close_tab", {"tab": tab, "which": which}) as turn:
            tabs = self._browser.tabs
            chosen = self._choose(turn, tab, which)
            for each in chosen:
                tabs.close(each)
            current = tabs.current(context.lane)
            output = {"closed": "\n".join(each.url for each in chosen), "count": len(chosen), "remaining": len(tabs)}
            evidence = {**output, "now_at": current.url if current else None, **turn.evidence()}
            undo = "".join(f"browser.open_tab opens {each.url} again, without what was on it. " for each in chosen)
            return ToolOutcome(output, "confirmed", evidence, undo.strip())

    async def list_tabs(self, context: ActionContext) -> ToolOutcome:
        """List the tabs of all lanes."""
        async with Turn(self._browser, context, "list_tabs", {}):
            facts = self._browser.tabs.list_facts(context.lane)
            return ToolOutcome({"tabs": facts, "count": len(facts), "text": list_lines(facts)})

    async def zoom(
        self, context: ActionContext, direction: ZoomDirection | None = None, level: float | None = None
    ) -> ToolOutcome:
        """Write down how large the tab shows its pages."""
        async with Turn(self._browser, context, "zoom", {"direction": direction, "level": level}) as turn:
            before = turn.tab.zoom_percent
            turn.tab.zoom_percent = choose_level(before, direction, level)
            evidence = {"before_percent": before, "after_percent": turn.tab.zoom_percent, **turn.evidence()}
            undo = f"browser.zoom to {before:g} percent."
            return ToolOutcome({"level_percent": turn.tab.zoom_percent}, "confirmed", evidence, undo)

    def _find(self, context: ActionContext, tab: str | int | None, contains: str | None) -> FakeTab:
        if contains is not None:
            return self._browser.tabs.pick_by_content(contains, context.lane)
        if tab is None:
            raise InputError("It isn't said which tab.", hint="Give tab, or contains.")
        return self._browser.tabs.pick(tab, context.lane)

    def _choose(self, turn: Turn, tab: str | int | None, which: WhichTabs | None) -> list[FakeTab]:
        """Return the tabs to close."""
        tabs, lane = self._browser.tabs, turn.context.lane
        if tab is not None:
            return [tabs.pick(tab, lane)]
        if which is None:
            return [turn.tab]
        taken = tabs.list_taken(lane)
        places = list_places(which, tabs.index(turn.tab), len(tabs))
        return [each for place, each in enumerate(tabs) if place in places and each not in taken]


def _describe_current(turn: Turn) -> dict[str, Any]:
    tab = turn.tab
    return {"index": turn.browser.tabs.index(tab), "url": tab.url, "title": tab.title}
