"""What is said of looking at a page between tools and back ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.rules.browser_choices import ReadTarget

if TYPE_CHECKING:
    from actuators.numbered_pictures import NumberedBox
    from core.outlines.items import Outline, OutlineRequest

PictureKind = Literal["png", "jpeg"]


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What to read from the page.

    Attributes:
        selector: From which element, or which several; the page itself where None.
    """

    target: ReadTarget
    selector: str | None
    attribute: str | None
    most_chars: int


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What was read.

    Attributes:
        found: For ``title`` and ``url`` a text; for ``text``, ``html`` and ``value`` a mapping with ``text``, ``truncated`` and, for a
            value, ``value``; a list of texts where the selector names several; for ``attribute`` a text or None, for ``count`` a
            number, for ``colour`` a mapping with ``text`` and ``name`` or None, for ``links`` a list of ``text`` and ``url``, for ``table`` headers, rows, caption and total, or None.
    """

    found: Any
    url: str
    meanwhile: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LookRequest:
    """What of a page is wanted in an outline.

    Attributes:
        scope: The part; the page itself where None.
        since: Whether only what has changed since the last look is told.
    """

    scope: str | None
    outline: "OutlineRequest"
    since: bool


@dataclass(frozen=True, slots=True)
class NumberedPicture:
    """A picture of a page, secrets covered, and where on it the things are that an outline numbers."""

    content: bytes
    boxes: Sequence["NumberedBox"]


@dataclass(frozen=True, slots=True)
class PageOutline:
    """The outline of a page, and the address of the page; with a picture where the lines are numbered."""

    outline: "Outline"
    url: str
    picture: NumberedPicture | None = None


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture or print of a page, and the address of the page."""

    content: bytes
    url: str
