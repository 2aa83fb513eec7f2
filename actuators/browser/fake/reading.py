"""Looking at pages without changing them, simulated."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from actuators.browser.expectations import Expectation
from actuators.browser.fake.aiming import describe_page
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.contents import (
    list_links,
    outline,
    read_document_text,
    read_shown,
    read_table,
    read_value,
    write_html,
)
from actuators.browser.fake.documents import LiveElement
from actuators.browser.fake.expecting import check_expectation
from actuators.browser.fake.extracting import extract_row
from actuators.browser.fake.pictures import PDF, draw_png
from actuators.browser.fake.turns import Turn
from actuators.browser.picture_clipboards import copy_picture, refuse_path
from actuators.browser.picture_files import WrittenFile, find_free_path, write_new_file
from actuators.browser.record_fields import parse_fields
from actuators.browser.several import join_texts
from actuators.browser.text_findings import FOUND_IN_TEXT, MOST_CHARS, check_index, find_in_text
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.toolset import ElementState, PictureTarget, ReadTarget
from core.errors import InputError, TargetError
from core.ports import ActionContext, Advisory
from core.results import ToolOutcome
from core.selectors import parse_selector, parse_single_selector

CHARS_A_TOKEN = 4


class FakeReading(ReadingTools):
    """Looks at declared pages."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is looked at."""
        del verb, args
        return describe_page(self._browser, context)

    async def read(
        self,
        context: ActionContext,
        target: ReadTarget,
        selector: str | None = None,
        attribute: str | None = None,
        index: int | None = None,
        max_chars: Annotated[int, Advisory()] = 200_000,
    ) -> ToolOutcome:
        """Read one thing from the page."""
        check_index(target, index)
        args = {"target": target, "selector": selector, "attribute": attribute, "index": index}
        async with Turn(self._browser, context, "read", args) as turn:
            if target in FOUND_IN_TEXT:
                parse_single_selector(selector or "body")
                whole: str = _read(turn, "text", selector, None)["text"]
                output = find_in_text(target, whole, index, is_whole_page=selector is None)
            else:
                output = _read(turn, target, selector, attribute)
            text: str = output["text"]
            if len(text) > max_chars:
                cut = text[:max_chars]
                output |= {"text": cut, "value": cut if output["value"] == text else output["value"], "truncated": True}
            return ToolOutcome(output, evidence={"url": turn.tab.url, **turn.evidence()})

    async def extract(
        self,
        context: ActionContext,
        fields: dict[str, Any],
        rows: str | None = None,
        max_rows: Annotated[int, Advisory()] = 10_000,
    ) -> ToolOutcome:
        """Read typed records from the page."""
        parsed = parse_fields(fields)
        async with Turn(self._browser, context, "extract", {"fields": fields, "rows": rows}) as turn:
            document = turn.document
            places = [None] if rows is None else turn.find_all(rows)
            records = [extract_row(document, row, number, parsed) for number, row in enumerate(places[:max_rows], 1)]
            return ToolOutcome({"rows": records, "count": len(records)}, evidence={"url": turn.tab.url})

    async def snapshot(
        self,
        context: ActionContext,
        scope: str | None = None,
        depth: int | None = None,
        max_tokens: int = 8000,
    ) -> ToolOutcome:
        """Outline the page, with refs."""
        args = {"scope": scope, "depth": depth, "max_tokens": max_tokens}
        async with Turn(self._browser, context, "snapshot", args) as turn:
            part = turn.find(scope) if scope is not None else None
            lines = outline(turn.document, part, depth)
            kept = lines
            while kept and len("\n".join(kept)) > max_tokens * CHARS_A_TOKEN:
                kept = kept[:-1]
            output = {"text": "\n".join(kept), "truncated": len(kept) < len(lines)}
            return ToolOutcome(output, evidence={"url": turn.tab.url})

    async def screenshot(
        self,
        context: ActionContext,
        path: str | None = None,
        selector: str | None = None,
        full_page: bool = False,
        to: PictureTarget = "file",
    ) -> ToolOutcome:
        """Write a white picture of the right size."""
        if to == "clipboard":
            refuse_path(path)
        args = {"path": path, "selector": selector, "full_page": full_page, "to": to}
        async with Turn(self._browser, context, "screenshot", args) as turn:
            if selector is not None:
                turn.reach(selector, by_pointer=False)
            seen = self._browser.seen
            height_px = max(seen["height"], turn.document.page.height_px) if full_page else seen["height"]
            size_px = (100, 20) if selector else (seen["width"], height_px)
            if to == "clipboard":
                return await copy_picture(self._browser.clipboard, draw_png(*size_px), turn.tab.url)
            written = await self._write(context, path, "screenshot.png", draw_png(*size_px))
            output = {"path": written.path, "width_px": written.width_px, "height_px": written.height_px}
            return _file_outcome(turn, output, written)

    async def pdf(self, context: ActionContext, path: str | None = None) -> ToolOutcome:
        """Write an empty PDF."""
        async with Turn(self._browser, context, "pdf", {"path": path}) as turn:
            _ = turn.tab
            written = await self._write(context, path, "page.pdf", PDF)
            return _file_outcome(turn, {"path": written.path}, written)

    async def expect(
        self,
        context: ActionContext,
        selector: str | None = None,
        state: ElementState | None = None,
        text: str | None = None,
        value: str | None = None,
        count: int | None = None,
        url: str | None = None,
        title: str | None = None,
        timeout: float | None = None,
    ) -> ToolOutcome:
        """Assert something about the page."""
        wanted = Expectation(selector, state, text, value, count, url, title)
        if all(each is None for each in (selector, text, url, title)):
            raise InputError("There is nothing to expect.", hint="Give a selector, text, url or title.")
        if selector is None and not (state is None and value is None and count is None):
            raise InputError("A state, value or count needs the selector of what has it.", hint="Give a selector.")
        async with Turn(self._browser, context, "expect", {**asdict(wanted), "timeout": timeout}) as turn:
            seen = check_expectation(turn, wanted, timeout)
            return ToolOutcome(evidence={**seen, **turn.evidence()})

    async def _write(self, context: ActionContext, path: str | None, name: str, content: bytes) -> WrittenFile:
        """Write a file to a path, or to a new one among the artifacts."""
        if path is not None:
            return await asyncio.to_thread(write_new_file, Path(path), content)
        folder = self._browser.artifacts_dir
        if folder is None:
            raise InputError("There is no folder for files without a path.", hint="Give a path.")
        place = find_free_path(folder, f"{context.action_id}-{Path(name).stem}", Path(name).suffix)
        return await asyncio.to_thread(write_new_file, place, content)


def _file_outcome(turn: Turn, output: dict[str, Any], written: WrittenFile) -> ToolOutcome:
    evidence = {"size": written.size, "sha256": written.sha256, "url": turn.tab.url}
    return ToolOutcome(output, "confirmed", evidence, undo="Delete the file.", artifacts=(written.path,))


def _read(turn: Turn, target: ReadTarget, selector: str | None, attribute: str | None) -> dict[str, Any]:
    if target in ("title", "url"):
        return _as_text(turn.tab.title if target == "title" else turn.tab.url)
    if target == "count":
        count = len(turn.find_all(_require(selector, "count needs a selector."), wait=False))
        return {"text": str(count), "value": count, "truncated": False}
    if target == "table":
        return _as_records(turn.find(selector or "table"), selector or "table")
    if target in ("value", "attribute"):
        return _read_state(turn.find(_require(selector, f"The {target} needs a selector.")), attribute, target)
    if selector is not None and target == "text" and parse_selector(selector).names_several:
        return join_texts([read_shown(each) for each in turn.find_each(selector)], MOST_CHARS)
    element = turn.find(selector) if selector is not None else None
    if target == "links":
        return _as_links(list_links(turn.document, element))
    if target == "html":
        return _as_text(write_html(element or turn.document.root))
    return _as_text(read_shown(element) if element else read_document_text(turn.document))


def _require(value: str | None, message: str) -> str:
    if not value:
        raise InputError(message, hint='For example field "Email".')
    return value


def _read_state(element: LiveElement, attribute: str | None, target: ReadTarget) -> dict[str, Any]:
    if target == "value":
        return {"text": read_shown(element), "value": read_value(element), "truncated": False}
    value = element.attribute(_require(attribute, "An attribute needs its name."))
    return {"text": value or "", "value": value, "truncated": False}


def _as_text(text: str) -> dict[str, Any]:
    return {"text": text, "value": text, "truncated": False}


def _as_links(links: list[dict[str, str]]) -> dict[str, Any]:
    lines = [f"{link['text']} <{link['url']}>" for link in links]
    return {"text": "\n".join(lines), "value": links, "truncated": False, "count": len(links)}


def _as_records(element: LiveElement, named: str) -> dict[str, Any]:
    around = (element, *element.ancestors(), *element.descend())
    table = next((each for each in around if each.role == "table"), None)
    if table is None:
        raise TargetError(f"{named} is not in a table and has none in it.", code="target_unsuitable")
    found = read_table(table)
    headers, rows = found["headers"], found["rows"]
    lines = ["\t".join(line) for line in (headers, *rows)]
    records = [dict(zip(headers, row, strict=False)) for row in rows]
    more = {"headers": headers, "caption": found["caption"], "count": len(rows)}
    return {"text": "\n".join(lines), "value": records, "truncated": False, **more}
