"""Tabs of the fake browser, and which of them each lane is on."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from actuators.browser.fake.contents import read_document_text
from actuators.browser.fake.documents import Document
from actuators.browser.fake.pages import Act, Ask, FakePage
from core.base.errors import TargetError
from core.base.matching import fold_space

BLANK = FakePage(title="")


@dataclass(eq=False, slots=True)
class HeldDialog:
    """An open dialog that waits for ``browser.dialog``: what it asks, where, and what its page does afterwards."""

    ask: Ask
    document: Document
    rest: tuple[Act, ...]
    detail: dict[str, Any]


@dataclass(eq=False, slots=True)
class FakeTab:
    """An open page with its history.

    Attributes:
        lane: The lane that opened it.
        opener: The tab whose page opened it.
        history: Documents that were open in it, oldest first; the first is empty and nobody returns to it.
        place: Which of them is open now.
        visited: Whether a lane has been on it.
        dialog: The dialog that is open on it.
        zoom_percent: How large it shows its pages.
    """

    lane: str
    opener: "FakeTab | None" = None
    history: list[Document] = field(default_factory=lambda: [Document("about:blank", BLANK)])
    place: int = 0
    visited: bool = False
    dialog: HeldDialog | None = None
    zoom_percent: float = 100

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

    def can_go(self, step: int) -> bool:
        """Tell whether there is a page that many steps on."""
        place = self.place + step
        return 1 <= place < len(self.history)  # nobody wants to return to the empty page that a tab starts on


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

    def index(self, tab: FakeTab) -> int:
        """Return a tab's place."""
        return self._tabs.index(tab)

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

    def list_taken(self, lane: str) -> list[FakeTab]:
        """Return the tabs that other lanes are on."""
        return [trail[-1] for other, trail in self._trails.items() if trail and other != lane]

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

    def list_facts(self, lane: str) -> list[dict[str, Any]]:
        """Return index, url, title and whether the lane is on it, of every tab."""
        current = self.current(lane)
        return [
            {"index": index, "url": tab.url, "title": tab.title, "current": tab is current}
            for index, tab in enumerate(self._tabs)
        ]

    def pick(self, wanted: str | int, lane: str) -> FakeTab:
        """Return the one tab that is meant.

        Args:
            wanted: Index, ``first``, ``last``, ``next``, ``previous``, ``new``, or a part of its title or address.
            lane: Where ``next``, ``previous`` and ``new`` are seen from.

        Raises:
            TargetError: If none or more than one matches; lists the tabs.
        """
        return self._take_only(self._find(wanted, lane), f'"{wanted}"', lane)

    def pick_by_content(self, text: str, lane: str) -> FakeTab:
        """Return the one tab that shows a text on its page or in a frame of it.

        Args:
            text: The text; case and white space are ignored.
            lane: For the list of tabs in an error.

        Raises:
            TargetError: If none or more than one shows it; lists the tabs.
        """
        wanted = fold_space(text).casefold()
        found = [tab for tab in self._tabs if wanted in _read_all(tab.document)]
        return self._take_only(found, f'a page with "{text}" on it', lane)

    def _take_only(self, found: list[FakeTab], wanted: str, lane: str) -> FakeTab:
        if len(found) == 1:
            return found[0]
        facts = self.list_facts(lane)
        raise TargetError(
            f"{'More than one tab matches' if found else 'No tab matches'} {wanted}. "
            f"Open tabs: {list_lines(facts, '; ') or 'none'}.",
            code="target_ambiguous" if found else "target_missing",
            hint="Name a tab by its index, or by a unique part of its title or address.",
            evidence={"tabs": facts},
        )

    def _find(self, wanted: str | int, lane: str) -> list[FakeTab]:
        if wanted == "new":
            return [tab for tab in self._tabs if tab.lane == lane and not tab.visited][-1:]
        current = self.current(lane)
        here = self._tabs.index(current) if current else -1
        places = {"first": 0, "last": len(self._tabs) - 1, "next": here + 1, "previous": here - 1}
        place = places.get(wanted) if isinstance(wanted, str) else wanted
        if place is None and isinstance(wanted, str) and wanted.isdecimal():
            place = int(wanted)
        if place is not None:
            return self._tabs[place : place + 1] if place >= 0 else []
        words = str(wanted)
        exact = [tab for tab in self._tabs if words in (tab.title, tab.url)]
        folded = words.casefold()
        return exact or [tab for tab in self._tabs if folded in tab.title.casefold() or folded in tab.url.casefold()]


def _read_all(document: Document) -> str:
    """Return what a document and its frames show, folded."""
    return " ".join(read_document_text(each) for each in (document, *document.frames)).casefold()


def list_lines(facts: list[dict[str, Any]], joint: str = "\n") -> str:
    """Write tabs as people read them, a line each."""
    return joint.join(
        f'{each["index"]}{"*" if each["current"] else ""} "{each["title"]}" {each["url"]}' for each in facts
    )
