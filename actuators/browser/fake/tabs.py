"""Tabs of the fake browser: where each has been, and where it is."""

from dataclasses import dataclass, field

from actuators.browser.fake.documents import FakeDocument
from actuators.browser.fake.pages import FakePage
from actuators.browser.ports.tab_strip import TabStrip
from actuators.browser.ports.tabs import TabFacts

BLANK = FakePage(title="")


@dataclass(eq=False, slots=True)
class FakeView:
    """What a tab shows.

    Attributes:
        history: Documents that were open in it, oldest first; the first is empty and nobody returns to it.
    """

    history: list[FakeDocument] = field(default_factory=lambda: [FakeDocument("about:blank", BLANK)])
    place: int = 0

    @property
    def document(self) -> FakeDocument:
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

    def show(self, document: FakeDocument) -> None:
        """Go on to a document; what was later in the history is gone."""
        self.history[self.place + 1 :] = [document]
        self.place += 1


class FakeTabs(TabStrip[FakeView]):
    """All tabs in the order in which they were opened, and the current one of each lane."""

    def list_all(self, lane: str) -> list[TabFacts]:
        """Return what a lane knows of every tab."""
        return self.list_facts(lane, [(tab.page.url, tab.page.title) for tab in self])

    def close_lane(self, lane: str) -> None:
        """Close the tabs that a lane opened and no other lane is on."""
        for tab in self.end_lane(lane):
            self.remove(tab.page)
