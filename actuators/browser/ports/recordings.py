"""RecordingPort: the pages of a person who shows how something is done, and what they do there."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

from core.base.late_dataclasses import dataclass, field

PageEventKind = Literal[
    "arrived",
    "changed",
    "choose",
    "click",
    "dialog",
    "dialog_opened",
    "download",
    "drag",
    "expect",
    "fault",
    "files",
    "hover",
    "input",
    "key",
    "navigated",
    "slide",
    "tab_closed",
    "tab_opened",
    "ticked",
]


@dataclass(frozen=True, slots=True)
class PageEvent:
    """Something that a person did on a page, or that a page made of it.

    Attributes:
        tab: The tab's number, from 0, in the order in which tabs were opened.
        act: Name of the act that it is, or tells more about; empty where it is of none.
        selector: The element as a look printed it right before; empty where nothing names it.
        by_place: Whether the selector says only where the element stands.
        detail: All else, by kind.
    """

    kind: PageEventKind
    tab: int = 0
    act: str = ""
    selector: str = ""
    by_place: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])


TellEvent = Callable[[PageEvent], None]


class RecordingPort(Protocol):
    """A browser in a person's hands."""

    async def open(self, url: str) -> None:
        """Show an address in the first tab, or raise NavigationError; notice from now on what is done."""

    async def go(self, url: str) -> None:
        """Show an address in the tab used last, for a person without an address bar, or raise NavigationError."""

    async def answer_dialog(self, *, accept: bool, text: str | None = None) -> None:
        """Answer the dialog that is open, where the person can't do so on the page itself."""

    async def settle(self) -> None:
        """Wait until all that has been noticed was told."""

    @property
    def is_over(self) -> bool:
        """Whether the person has closed the last tab, or the browser."""
        ...
