"""Looking at pages without changing them, simulated."""

import asyncio
import itertools
from pathlib import Path
from typing import Annotated, Any

from actuators.browser.fake_browser import FakeBrowser
from actuators.browser.fake_contents import list_links, outline, read_document_text, read_rows, read_value, write_html
from actuators.browser.fake_documents import LiveElement
from actuators.browser.fake_expecting import Expectation, check_expectation
from actuators.browser.fake_extracting import extract_row
from actuators.browser.fake_pictures import PDF, draw_png
from actuators.browser.fake_selecting import find_anywhere
from actuators.browser.fake_turns import Turn
from actuators.browser.files import write_private_file
from actuators.browser.reading_tools import ReadingTools
from actuators.browser.toolset import ElementState, ReadTarget
from core.errors import InputError
from core.ports import ActionContext, Advisory
from core.results import ToolOutcome
from core.selectors import parse_selector

CHARS_A_TOKEN = 4


class FakeReading(ReadingTools):
    """Looks at declared pages."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser
        self._files = itertools.count(1)

    async def read(
        self,
        context: ActionContext,
        target: ReadTarget,
        selector: str | None = None,
        attribute: str | None = None,
        max_chars: Annotated[int, Advisory()] = 200_000,
    ) -> ToolOutcome:
        """Read one thing from the page."""
        args = {"target": target, "selector": selector, "attribute": attribute}
        async with Turn(self._browser, context, "read", args) as turn:
            value = _read(turn, target, selector, attribute)
            text = _as_text(value)
            evidence = {"url": turn.tab.url, "chars": len(text), "truncated": len(text) > max_chars}
            return ToolOutcome({"text": text[:max_chars], "value": value}, "none", {**evidence, **turn.evidence()})

    async def extract(
        self,
        context: ActionContext,
        fields: dict[str, Any],
        rows: str | None = None,
        max_rows: Annotated[int, Advisory()] = 10_000,
    ) -> ToolOutcome:
        """Read typed records from the page."""
        async with Turn(self._browser, context, "extract", {"fields": fields, "rows": rows}) as turn:
            document = turn.document
            places: list[LiveElement | None] = [None]
            if rows is not None:
                places = list(find_anywhere(parse_selector(rows), document))
            records = [extract_row(document, row, number, fields) for number, row in enumerate(places[:max_rows], 1)]
            evidence = {"url": turn.tab.url, "truncated": len(places) > max_rows, **turn.evidence()}
            return ToolOutcome({"rows": records, "count": len(records)}, "none", evidence)

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
            return ToolOutcome(output, "none", {"url": turn.tab.url, "lines": len(kept), **turn.evidence()})

    async def screenshot(
        self,
        context: ActionContext,
        path: str | None = None,
        selector: str | None = None,
        full_page: bool = False,
    ) -> ToolOutcome:
        """Write a white picture of the right size."""
        args = {"path": path, "selector": selector, "full_page": full_page}
        async with Turn(self._browser, context, "screenshot", args) as turn:
            if selector is not None:
                turn.reach(selector, by_pointer=False)
            seen = self._browser.seen
            height_px = max(seen["height"], turn.document.page.height_px) if full_page else seen["height"]
            size_px = (100, 20) if selector else (seen["width"], height_px)
            facts = await self._write(path, ".png", draw_png(*size_px))
            output = {"path": facts["path"], "width_px": size_px[0], "height_px": size_px[1]}
            undo = f"Delete {facts['path']}."
            return ToolOutcome(output, "confirmed", {**facts, **turn.evidence()}, undo, (facts["path"],))

    async def pdf(self, context: ActionContext, path: str | None = None) -> ToolOutcome:
        """Write an empty PDF."""
        async with Turn(self._browser, context, "pdf", {"path": path}) as turn:
            _ = turn.tab
            facts = await self._write(path, ".pdf", PDF)
            undo = f"Delete {facts['path']}."
            return ToolOutcome(
                {"path": facts["path"]}, "confirmed", {**facts, **turn.evidence()}, undo, (facts["path"],)
            )

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
        args = {"selector": selector, "state": state, "text": text, "value": value, "count": count, "url": url}
        async with Turn(self._browser, context, "expect", {**args, "title": title, "timeout": timeout}) as turn:
            compared = check_expectation(turn, wanted, timeout)
            if not compared:
                raise InputError("There is nothing to expect.", hint="Give a selector, text, url or title.")
            evidence = {each.what: each.actual for each in compared}
            return ToolOutcome({}, "none", {**evidence, "waited_s": turn.waited_s, **turn.evidence()})

    async def _write(self, path: str | None, ending: str, content: bytes) -> dict[str, Any]:
        """Write a file to a path, or to a new one among the artifacts; return what was read back."""
        if path is None:
            folder = self._browser.artifacts_dir
            if folder is None:
                raise InputError("There is no folder for files without a path.", hint="Give a path.")
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            path = str(folder / f"simulated-{next(self._files)}{ending}")
        facts = await asyncio.to_thread(write_private_file, Path(path), content)
        return {"path": path, "size": facts.size, "sha256": facts.sha256}


def _read(turn: Turn, target: ReadTarget, selector: str | None, attribute: str | None) -> Any:
    document = turn.document
    if target in ("title", "url"):
        return turn.tab.title if target == "title" else turn.tab.url
    if target == "count":
        return len(find_anywhere(parse_selector(selector), document)) if selector else len(document.elements)
    element = turn.find(selector) if selector is not None else None
    if target == "links":
        return list_links(document, element)
    if target == "text":
        return element.read_text() if element else read_document_text(document)
    if target == "html":
        return write_html(element or document.root)
    if target == "table":
        return read_rows(element or turn.find("table"))
    if element is None:
        raise InputError(f"Reading the {target} needs a selector.", hint='For example selector: field "Email".')
    return read_value(element) if target == "value" else element.attribute(attribute or "")


def _as_text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join("\t".join(each.values() if isinstance(each, dict) else each) for each in value)
    return "" if value is None else str(value)
