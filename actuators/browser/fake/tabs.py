"""Tabs of the fake browser, and which of them each lane is on."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from actuators.browser.fake.documents import Document
from actuators.browser.fake.pages import FakePage
from actuators.browser.ports.tabs import TabFacts

BLANK = FakePage(title="")


@dataclass(eq=False, slots=True)
class FakeTab:
    """An open page with its history.

    Attributes:
        lane: The lane that opened it.
        opener: The tab whose page opened it.
        history: Documents that were open in it, oldest first; the first is empty and nobody returns to it.
        place: Which of them is open now.
        visited: Whether a lane has been on it.
    """

    lane: str
    opener: "FakeTab | None" = None
    history: list[Document] = field(default_factory=lambda: [Document("about:blank", BLANK)])
    place: int = 0
    visited: bool = False

    @property
    def document(self) -> Document:
        """The document that is open now."""
        return self.history[self.place]

    @property
    def url(self) -> str:
        """Its address."""
        return self.document.url

    @property
    def title(self) -> str:
        """Its title."""
        return self.document.page.title

    def show(self, document: Document) -> None:
        """Go on to a document; what was later in the history is gone."""
        self.history[self.place + 1 :] = [document]
        self.place += 1


class FakeTabs:
    """All tabs in the order in which they were opened, and the trail of each lane."""

    def __init__(self) -> None:
        """Start without tabs."""
        self._tabs: list[FakeTab] = []
        self._trails: dict[str, list[FakeTab]] = {}

    def __len__(self) -> int:
        """Return how many tabs are open."""
        return len(self._tabs)

    def __iter__(self) -> Iterator[FakeTab]:
        """Yield the tabs in the order in which they were opened."""
        return iter(tuple(self._tabs))

    def current(self, lane: str) -> FakeTab | None:
        """Return the tab that a lane is on."""
        trail = self._trails.get(lane)
        return trail[-1] if trail else None

    def open(self, lane: str, opener: FakeTab | None = None) -> FakeTab:
        """Open an empty tab; no lane moves to it by itself."""
        tab = FakeTab(lane, opener)
        self._tabs.append(tab)
        return tab

    def enter(self, lane: str, tab: FakeTab) -> None:
        """Move a lane to a tab."""
        trail = self._trails.setdefault(lane, [])
        if tab in trail:
            trail.remove(tab)
        trail.append(tab)
        tab.visited = True

    def close(self, tab: FakeTab) -> None:
        """Close a tab. A lane that was on it moves to its opener, else to where it was before."""
        self._tabs.remove(tab)
        for lane, trail in self._trails.items():
            was_current = bool(trail) and trail[-1] is tab
            if tab in trail:
                trail.remove(tab)
            if was_current and tab.opener and tab.opener in self._tabs:
                self.enter(lane, tab.opener)

    def end_lane(self, lane: str) -> None:
        """Close the tabs that a lane opened and no other lane is on."""
        self._trails.pop(lane, None)
        elsewhere = {id(trail[-1]) for trail in self._trails.values() if trail}
        for tab in [each for each in self._tabs if each.lane == lane and id(each) not in elsewhere]:
            self.close(tab)

    def clear(self) -> None:
        """Close everything."""
        self._tabs.clear()
        self._trails.clear()

    def list_facts(self, lane: str) -> list[TabFacts]:
        """Return what a lane knows of every tab."""
        current = self.current(lane)
        taken = [trail[-1] for other, trail in self._trails.items() if trail and other != lane]
        return [
            TabFacts(
                tab,
                index,
                tab.url,
                tab.title,
                is_current=tab is current,
                is_new=tab.lane == lane and not tab.visited,
                is_taken=tab in taken,
            )
            for index, tab in enumerate(self._tabs)
        ]
