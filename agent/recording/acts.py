"""Acts: what a person did, as far as a flow can say it, with what came of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

ActKind = Literal[
    "back",
    "check",
    "click",
    "close_tab",
    "dialog",
    "download",
    "drag",
    "expect",
    "forward",
    "hover",
    "navigate",
    "press",
    "reload",
    "select",
    "set",
    "type",
    "upload",
]


@dataclass(frozen=True, slots=True)
class ShownPart:
    """Something that a page showed after an act and not before."""

    selector: str
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What came of an act.

    Attributes:
        mutations: How many parts of the page changed; None where that was never told.
        was_open: Whether what it opens was open before; None where it opens nothing.
        url: Where the page went; empty where it stayed.
    """

    mutations: int | None = None
    was_open: bool | None = None
    is_open: bool | None = None
    url: str = ""
    title: str = ""
    headings: tuple[ShownPart, ...] = ()
    notices: tuple[ShownPart, ...] = ()
    opened: tuple[int, ...] = ()
    closed: int | None = None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing at all came of it, as far as that was told."""
        return self.mutations == 0 and not (
            self.url or self.headings or self.notices or self.opened or self.closed is not None
        )


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a person did.

    Attributes:
        kind: What it was: a verb of the browser.
        selector: The element, as a look printed it right before.
        by_place: Whether the selector says only where the element stands.
        value: What was typed, chosen, pressed, ticked or picked; a path, address or answer.
        was: What was there before; None where that isn't known.
        secret: Whether the value is one that nobody may learn; then it isn't here.
        detail: All else that was told.
    """

    kind: ActKind
    tab: int = 0
    ids: tuple[str, ...] = ()
    selector: str = ""
    by_place: bool = False
    value: Any = None
    was: Any = None
    secret: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])
    changes: Changes = field(default_factory=Changes)

    @property
    def element(self) -> tuple[int, str]:
        """What it was done to."""
        return self.tab, self.selector


def read_found(told: Sequence[Mapping[str, Any]]) -> tuple[ShownPart, ...]:
    """Return what a page showed newly, as far as it can be named."""
    return tuple(ShownPart(each["selector"], each["text"] or each["name"]) for each in told if each["selector"])
