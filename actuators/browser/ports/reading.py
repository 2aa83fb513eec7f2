"""ReadingPort: looking at a page without changing it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from actuators.browser.ports.pages import PagePort
from core.rules.browser_choices import ReadTarget
from core.tools.ports import ActionContext

if TYPE_CHECKING:
    from actuators.browser.ports.expectations import Expectation
    from actuators.browser.ports.record_fields import Field
    from actuators.clipboard.ports import PictureClipboard
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


class ReadingPort(PagePort, Protocol):
    """Looks at pages."""

    @property
    def artifacts_dir(self) -> Path:
        """Folder for files that no goal gave a path."""
        ...

    @property
    def clipboard(self) -> "PictureClipboard | None":
        """Where pictures are copied to; None where they can't be."""
        ...

    async def read(self, context: ActionContext, request: ReadRequest) -> ReadResult:
        """Read one thing from the page."""
        ...

    async def extract(
        self, context: ActionContext, rows: str | None, fields: Sequence["Field"], most_rows: int
    ) -> ReadResult:
        """Read typed records, one from each row, or one from the page."""
        ...

    async def snapshot(self, context: ActionContext, wanted: LookRequest) -> PageOutline:
        """Outline the page, or a part of it."""
        ...

    async def take_picture(
        self, context: ActionContext, selector: str | None, kind: PictureKind, *, full_page: bool
    ) -> PagePicture:
        """Take a picture of the page or of an element."""
        ...

    async def print_page(self, context: ActionContext) -> PagePicture:
        """Print the page to a PDF.

        Raises:
            UnsupportedError: If this browser can't print.
        """
        ...

    async def expect(self, context: ActionContext, wanted: "Expectation", timeout_s: float | None) -> Mapping[str, Any]:
        """Compare until everything holds, at most the seconds or the action's time; return what was compared.

        Raises:
            ExpectationError: If it doesn't hold in time.
        """
        ...
