"""The browser's family on declared pages."""

from importlib import import_module
from typing import TYPE_CHECKING

from actuators.base import Availability
from actuators.undoing import refuse_record
from actuators.verb_table import load_toolsets
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import MAIN_LANE, ActionContext, Toolset

if TYPE_CHECKING:
    from actuators.browser.fake.browser import FakeBrowser


class FakeFamily:
    """The browser tools on declared pages: for dry runs, simulation and fault injection."""

    domain = "browser"
    capabilities: tuple[str, ...] = ("browser",)

    def __init__(self, browser: "FakeBrowser") -> None:
        self._browser = browser
        self._tools: dict[type[Toolset], Toolset] = {}

    @property
    def toolsets(self) -> tuple[type[Toolset], ...]:
        """What the family publishes."""
        return load_toolsets(self.domain)

    def assess(self, capability: str) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability(capability, available=True, reason="A simulated browser on declared pages.")

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset."""
        if not self._tools:
            self._tools = import_module("actuators.browser.fake.back_end").make_fake_toolsets(self._browser)
        return self._tools[toolset]

    def open_sessions(self) -> frozenset[str]:
        """Return ``{"page"}`` if the session's own lane has a page."""
        return frozenset({"page"}) if self._browser.tabs.current(MAIN_LANE) else frozenset()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Refuse: what was done to a page ends with the page, or is with the site that it belongs to."""
        del context
        raise refuse_record(record, "changes to a page stay with its site, or end with the page")

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        self._browser.tabs.close_lane(lane)

    async def close(self) -> None:
        """Close all tabs; what the web received stays."""
        self._browser.tabs.clear()
