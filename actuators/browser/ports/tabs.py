"""Tabs: which of them each lane is on, the same for every back end; and what tools and back ends say of them."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from actuators.browser.ports.navigation import Arrival
from core.base.late_dataclasses import dataclass

NORMAL_PERCENT = 100
"""The size that a page was made for."""


@dataclass(frozen=True, slots=True)
class TabFacts:
    """A tab as it is now."""

    tab: Any
    index: int
    url: str
    title: str
    is_current: bool
    is_new: bool
    is_taken: bool

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"index": self.index, "url": self.url, "title": self.title, "current": self.is_current}

    def __str__(self) -> str:
        return f'{self.index}{"*" if self.is_current else ""} "{self.title}" {self.url}'


PickTab = Callable[[Sequence[TabFacts]], Awaitable[TabFacts]]
PickTabs = Callable[[Sequence[TabFacts]], Awaitable[Sequence[TabFacts]]]


@dataclass(frozen=True, slots=True)
class OnTab:
    """The tab that the lane is on now, how its page was reached if one was opened, and the address that the lane was on before."""

    index: int
    url: str
    title: str
    arrival: Arrival | None
    left: str
    meanwhile: Mapping[str, Any]

    @property
    def place(self) -> dict[str, Any]:
        """Index, address and title."""
        return {"index": self.index, "url": self.url, "title": self.title}


@dataclass(frozen=True, slots=True)
class ClosedTabs:
    """Addresses of the tabs that were closed, how many are left, where the lane is now, and what happened meanwhile."""

    addresses: Sequence[str]
    remaining: int
    now_at: str | None
    meanwhile: Mapping[str, Any]


Page = TypeVar("Page")
"""A back end's own page."""


@dataclass(eq=False, slots=True)
class Tab(Generic[Page]):
    """An open page, and the lane that opened it, or whose page did."""

    page: Page
    lane: str
    opener: "Tab[Page] | None" = None
    crashed: bool = False
    visited: bool = False


class TabStrip(Generic[Page]):
    """All tabs of a session in the order in which they were opened, and the current one of each lane.

    A new tab never takes a lane's place by itself: a lane moves only by ``make_current``, or when its tab is gone.
    """

    def __init__(self) -> None:
        self._tabs: dict[Page, Tab[Page]] = {}
        self._trails: dict[str, list[Tab[Page]]] = {}

    def __iter__(self) -> Iterator[Tab[Page]]:
        return iter(tuple(self._tabs.values()))

    def __len__(self) -> int:
        return len(self._tabs)

    def add(self, page: Page, lane: str, opener: Tab[Page] | None = None) -> Tab[Page]:
        """Add a page, or complete what is known of one that was added already."""
        tab = self._tabs.setdefault(page, Tab(page, lane, opener))
        tab.lane, tab.opener = lane, opener or tab.opener
        return tab

    def find(self, page: Page) -> Tab[Page] | None:
        """Return the tab of a page."""
        return self._tabs.get(page)

    def current(self, lane: str) -> Tab[Page] | None:
        """Return the tab that a lane is on."""
        trail = self._trails.get(lane)
        return trail[-1] if trail else None

    def lane_of(self, page: Page) -> str:
        """Return the lane that is on the page, else the one that opened it, else an empty name."""
        tab = self._tabs.get(page)
        if tab is None:
            return ""
        current = self.current(tab.lane)
        if current is tab:
            return tab.lane
        return next((lane for lane, trail in self._trails.items() if trail and trail[-1] is tab), tab.lane)

    def lanes_beside(self, lane: str) -> list[str]:
        """Return the other lanes that are on a tab."""
        return [other for other in self.list_lanes() if other != lane]

    def list_lanes(self) -> list[str]:
        """Return the lanes that are on a tab."""
        return [lane for lane, trail in self._trails.items() if trail]

    def make_current(self, lane: str, tab: Tab[Page]) -> None:
        """Move a lane to a tab."""
        trail = self._trails.setdefault(lane, [])
        if tab in trail:
            trail.remove(tab)
        trail.append(tab)
        tab.visited = True

    def remove(self, page: Page) -> Tab[Page] | None:
        """Forget a closed page. A lane that was on it moves to its opener, else to where it was before."""
        tab = self._tabs.pop(page, None)
        if tab is None:
            return None
        for lane, trail in self._trails.items():
            was_current = bool(trail) and trail[-1] is tab
            if tab in trail:
                trail.remove(tab)
            if was_current and tab.opener and tab.opener.page in self._tabs:
                self.make_current(lane, tab.opener)
        return tab

    def replace_pages(self, pages: dict[Page, Page]) -> None:
        """Put new pages in the place of old ones; order, openers and lanes stay. Pages without a successor are dropped."""
        tabs = [tab for tab in self._tabs.values() if tab.page in pages]
        for tab in tabs:
            tab.page, tab.crashed = pages[tab.page], False
        self._tabs = {tab.page: tab for tab in tabs}
        for trail in self._trails.values():
            trail[:] = [tab for tab in trail if tab in tabs]

    def end_lane(self, lane: str) -> tuple[Tab[Page], ...]:
        """Forget where a lane is; return the tabs that it opened and no other lane is on."""
        self._trails.pop(lane, None)
        elsewhere = {id(trail[-1]) for trail in self._trails.values() if trail}
        return tuple(tab for tab in self._tabs.values() if tab.lane == lane and id(tab) not in elsewhere)

    def list_facts(self, lane: str, places: Sequence[tuple[str, str]]) -> list[TabFacts]:
        """Return what a lane knows of every tab, by address and title of each."""
        current = self.current(lane)
        taken = [self.current(other) for other in self.lanes_beside(lane)]
        return [
            TabFacts(
                tab,
                index,
                url,
                title,
                is_current=tab is current,
                is_new=tab.lane == lane and not tab.visited,
                is_taken=tab in taken,
            )
            for index, (tab, (url, title)) in enumerate(zip(self, places, strict=True))
        ]

    def clear(self) -> None:
        """Forget everything."""
        self._tabs.clear()
        self._trails.clear()
