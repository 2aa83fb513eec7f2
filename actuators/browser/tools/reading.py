"""Tools that look at a page without changing it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Protocol

from actuators.browser.ports.expectations import Expectation
from actuators.browser.ports.pages import PagePort
from actuators.browser.ports.reading import (
    Field,
    LookRequest,
    PageOutline,
    PagePicture,
    PictureKind,
    ReadRequest,
    ReadResult,
    parse_fields,
)
from actuators.browser.saved.picture_files import WrittenFile, copy_picture, find_free_path, refuse_path, write_new_file
from actuators.browser.tools.read_shapes import MOST_CHARS, pick_word, shape
from actuators.browser.tools.toolset import BrowserToolset
from actuators.clipboard.ports import PictureClipboard
from actuators.links import refuse_links_out
from actuators.numbered_pictures import draw_numbers
from core.base.errors import InputError
from core.outlines.items import OutlineRequest
from core.results.tool_results import ToolOutcome
from core.rules.browser_choices import ElementState, PictureTarget, ReadTarget
from core.rules.param_types import (
    FIELDS,
    INDEX,
    NAME,
    PLACE_IN_LINE,
    SELECTOR,
    SELECTORS,
    WORD,
    AddressPattern,
    Limit,
    LongText,
    NewFilePath,
    PlainText,
    Selector,
    Selectors,
    TimeLimit,
)
from core.rules.type_makers import beside, integer, needing
from core.tools.ports import ActionContext

_JPEG_ENDINGS = frozenset({".jpg", ".jpeg"})

_USUAL_CHARS = 200_000
_USUAL_ROWS = 10_000


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
        """Print the page to a PDF; UnsupportedError if this browser can't print."""
        ...

    async def expect(self, context: ActionContext, wanted: "Expectation", timeout_s: float | None) -> Mapping[str, Any]:
        """Compare until all holds, at most the seconds or the action's time; ExpectationError if it doesn't."""
        ...


class ReadingTools(BrowserToolset[ReadingPort]):
    """Looking at a page without changing it."""

    async def read(
        self,
        context: ActionContext,
        target: Annotated[ReadTarget, NAME],
        selector: Selectors | None = None,
        attribute: str | None = None,
        index: Annotated[int, PLACE_IN_LINE] | None = None,
        max_chars: Annotated[int, integer(1, 1000000)] | None = None,
    ) -> ToolOutcome:
        """Read one thing from the page.

        Args:
            target: What to read. ``word`` is one word of a text, without the punctuation around it; ``colour`` what colour a
                thing is, such as ``#ff8800``.
            selector: Element to read from; the page itself where absent. For ``text`` and ``count`` it may name several.
            attribute: Name of the attribute for target ``attribute``.
            index: Which word for target ``word``: 1 for the first, -1 for the last.
            max_chars: Most characters of text to return, 1 to 1,000,000.

        Returns:
            Output ``text`` (always, as a string) and ``value`` (typed: a string, number, list of links or list of rows);
            for a colour also ``name``, what people call the nearest one.

        Raises:
            TargetError: If the element is missing or ambiguous (not for ``count`` and ``links``); if it has no such word
                (``word_missing``).
            InputError: If ``word`` comes without ``index``, or ``index`` with another target; if a value, attribute or count
                comes without its selector.
        """
        _check_params(target, selector, attribute, index)
        is_word = target == "word"
        request = ReadRequest(
            "text" if is_word else target, selector, attribute, MOST_CHARS if is_word else max_chars or _USUAL_CHARS
        )
        read = await self._port.read(context, request)
        output = shape(request, read.found)
        if is_word:
            word = pick_word(output["text"], index or 0)
            output = {"text": word, "value": word, "truncated": False}
        return ToolOutcome(output, evidence={"url": read.url, **read.meanwhile})

    async def extract(
        self,
        context: ActionContext,
        fields: Annotated[dict[str, Any], FIELDS],
        rows: Annotated[str, beside(SELECTORS)] | None = None,
        max_rows: Limit | None = None,
    ) -> ToolOutcome:
        """Read typed records from the page.

        Args:
            fields: By name a selector, or ``{selector, attribute, type}`` with type ``text``, ``number``, ``integer``,
                ``boolean``, ``url`` or ``html``; selectors are relative to the row.
            rows: Selector of the repeated element; one record from the whole page where absent.
            max_rows: Most records to return, 1 to 100,000.

        Returns:
            Output ``rows``: the records, and ``count``.

        Raises:
            TargetError: If a field is missing or ambiguous.
            ActionError: If a value doesn't have its type; names row, field and text.
        """
        read = await self._port.extract(context, rows, parse_fields(fields), max_rows or _USUAL_ROWS)
        return ToolOutcome({"rows": read.found, "count": len(read.found)}, evidence={"url": read.url})

    async def snapshot(
        self,
        context: ActionContext,
        scope: Annotated[str, beside(SELECTOR)] | None = None,
        depth: Annotated[int, integer(1, 100)] | None = None,
        max_tokens: Annotated[int, integer(50, 200000)] = 2000,
        find: LongText | None = None,
        since: bool = False,
        picture: bool | None = None,
    ) -> ToolOutcome:
        """Outline the page: a line for each thing to act on, which is its selector, with what it holds and what it takes.

        Args:
            scope: Selector of the part to outline, such as the table or dialog that a fold names.
            depth: Levels to go down, at least 1.
            find: Words; only the lines nearest to them are shown.
            max_tokens: Most tokens (o200k) of the text; what has no room is folded, and a fold says how to open it.
            since: Whether to show only what was added, is gone or has changed since the last look at this tab.
            picture: Whether to take a picture with the numbers of the lines on it: of the whole page, or of what is visible of a very long one.

        Returns:
            Output ``text``: the outline, ``truncated``: whether anything is folded, ``tokens``, and ``lines``: each with
            ``text``, and where it shows something that can be named with ``selector``, ``ref`` and ``number``. With a picture
            also ``picture``: its path; evidence size and sha256, and ``not_on_picture``: numbers of things that it doesn't show.

        Raises:
            TargetError: If the scope is missing or ambiguous.
        """
        request = OutlineRequest(max_tokens, depth, find or "", numbered=bool(picture))
        looked = await self._port.snapshot(context, LookRequest(scope, request, since))
        outline = looked.outline
        output: dict[str, Any] = {"text": outline.text, "truncated": outline.has_folds, "tokens": outline.tokens}
        output["lines"] = [asdict(line) for line in outline.lines]
        if looked.picture is None:
            return ToolOutcome(output, evidence={"url": looked.url})
        content = await asyncio.to_thread(draw_numbers, looked.picture, looked.boxes)
        written = await self._write(context, None, "outline.png", content)
        numbered = {line.number for line in outline.lines if line.number}
        missing = sorted(numbered - {box.number for box in looked.boxes})
        evidence = {"url": looked.url, "size": written.size, "sha256": written.sha256, "not_on_picture": missing}
        return ToolOutcome(output | {"picture": written.path}, evidence=evidence, artifacts=(written.path,))

    async def screenshot(
        self,
        context: ActionContext,
        path: NewFilePath | None = None,
        selector: Selector | None = None,
        full_page: bool = False,
        to: Annotated[PictureTarget, needing(WORD, {"clipboard": ("clipboard",)})] | None = None,
    ) -> ToolOutcome:
        """Take a picture of the page or of an element as a PNG (or JPEG, by the ending).

        Args:
            path: Absolute path to write; a new file among the run's artifacts where absent.
            selector: Element to show.
            full_page: Whether to show the whole page rather than what is visible.
            to: ``file``, or ``clipboard`` for a PNG that other programs can paste; then there is no path.

        Returns:
            Output ``path`` (null for the clipboard), ``width_px``, ``height_px``; evidence size and sha256, read back.

        Raises:
            TargetError: If the element is missing or ambiguous.
            ActionError: If the file exists already or can't be written.
            UnsupportedError: If pictures can't be put on the clipboard here.
        """
        if to == "clipboard":
            refuse_path(path)
        kind = "jpeg" if path and Path(path).suffix.lower() in _JPEG_ENDINGS else "png"
        picture = await self._port.take_picture(context, selector, kind, full_page=full_page)
        if to == "clipboard":
            return await copy_picture(self._port.clipboard, picture.content, picture.url)
        written = await self._write(context, path, "screenshot.png", picture.content)
        output = {"path": written.path, "width_px": written.width_px, "height_px": written.height_px}
        return _tell_file(output, written, picture.url)

    async def pdf(self, context: ActionContext, path: NewFilePath | None = None) -> ToolOutcome:
        """Print the page to a PDF.

        Args:
            path: Absolute path to write; a new file among the run's artifacts where absent.

        Returns:
            Output ``path``; evidence size and sha256, read back from the file.

        Raises:
            ActionError: If the file exists already or can't be written.
            UnsupportedError: If this browser can't print (a headed one).
        """
        printed = await self._port.print_page(context)
        written = await self._write(context, path, "page.pdf", printed.content)
        return _tell_file({"path": written.path}, written, printed.url)

    async def expect(
        self,
        context: ActionContext,
        selector: Selectors | None = None,
        state: ElementState | None = None,
        text: PlainText | None = None,
        value: PlainText | None = None,
        count: Annotated[int, INDEX] | None = None,
        url: AddressPattern | None = None,
        title: PlainText | None = None,
        timeout: TimeLimit | None = None,
    ) -> ToolOutcome:
        """Assert something about the page, giving it time to become true.

        Args:
            selector: Element that the assertion is about; with a count it may name several.
            state: State that it must have; ``visible`` where nothing else is asked of it.
            text: Text that the element, or the page, must contain.
            value: Value that the field must have, exactly.
            count: How many elements must match, 0 or more.
            url: Address: exact, a glob with ``*``, or a part of it.
            title: Title that the page must have, exactly or with ``*``.
            timeout: Seconds to give it, 0 to 3600.

        Returns:
            Evidence: what was compared.

        Raises:
            ExpectationError: If it didn't become true in time; shows expected and actual, and the difference of texts.
        """
        wanted = Expectation(selector, state, text, value, count, url, title)
        if all(each is None for each in (selector, text, url, title)):
            raise InputError("No condition to check.", hint="Give a selector, text, url or title.")
        if selector is None and not (state is None and value is None and count is None):
            raise InputError("state, value and count need a selector.", hint="Give a selector.")
        return ToolOutcome(evidence=await self._port.expect(context, wanted, timeout))

    async def _write(self, context: ActionContext, path: str | None, name: str, content: bytes) -> WrittenFile:
        if path:
            await asyncio.to_thread(refuse_links_out, path, context.policy)
        stem, suffix = f"{context.action_id}-{Path(name).stem}", Path(name).suffix
        place = Path(path) if path else find_free_path(self._port.artifacts_dir, stem, suffix)
        return await asyncio.to_thread(write_new_file, place, content)


def _check_params(target: ReadTarget, selector: str | None, attribute: str | None, index: int | None) -> None:
    if (target == "word") != (index is not None):
        raise InputError("index works only with target: word, which needs it.", hint="Write target: word, index: 3.")
    if target == "count" and selector is None:
        raise InputError("count needs a selector.", hint="Name what to count.")
    if target == "attribute" and not (selector and attribute):
        raise InputError("An attribute needs a selector and its name.", hint='For example attribute: "href".')
    if target == "value" and selector is None:
        raise InputError("A value needs the selector of the field.", hint='For example field "Email".')


def _tell_file(output: dict[str, Any], written: WrittenFile, url: str) -> ToolOutcome:
    evidence = {"size": written.size, "sha256": written.sha256, "url": url}
    return ToolOutcome(output, "confirmed", evidence, undo="Delete the file.", artifacts=(written.path,))
