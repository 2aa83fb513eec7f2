"""What is said of tabs between tools and back ends, and of how large they show their pages."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from actuators.browser.ports.navigation import Arrival

NORMAL_PERCENT = 100
"""The size that a page was made for."""


@dataclass(frozen=True, slots=True)
class TabFacts:
    """A tab as it is now.

    Attributes:
        index: Its place in the order of opening, from 0.
    """

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
    """The tab that the lane is on now.

    Attributes:
        index: Its place in the order of opening, from 0.
        arrival: How its page was reached; None where none was opened.
        left: Address of the tab that the lane was on before; empty where it was on none.
    """

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


@dataclass(frozen=True, slots=True)
class Zoomed:
    """How large a page was, should be, and is shown, in percent; and what happened meanwhile."""

    before_percent: float
    wanted_percent: float
    shown_percent: float
    meanwhile: Mapping[str, Any]
