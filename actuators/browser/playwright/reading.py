"""Looking at a page without changing it, by Playwright."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.expectations import Expectation
from actuators.browser.picture_clipboards import copy_picture, refuse_path
from actuators.browser.picture_files import WrittenFile, find_free_path, write_new_file
from actuators.browser.playwright.aiming import describe_page
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.causes import read_failure
from actuators.browser.playwright.expecting import check_expectation
from actuators.browser.playwright.extracting import extract_records
from actuators.browser.playwright.masks import MASK_COLOR, cover_secrets, list_masks
from actuators.browser.playwright.persisting import explain_fault
from actuators.browser.playwright.probes import count_matches, probe
from actuators.browser.playwright.reaching import Aim, Reacher
from actuators.browser.playwright.scenes import SceneShowing
from actuators.browser.playwright.several import read_each
from actuators.browser.playwright.snapshots import take_snapshot
from actuators.browser.record_fields import parse_fields
from actuators.browser.several import join_texts
from actuators.browser.text_findings import MOST_CHARS, check_index, find_in_text
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.toolset import ElementState, PictureTarget, ReadTarget
from actuators.links import refuse_links_out
from core.errors import ActionError, InputError, TargetError, UnsupportedError
from core.ports import ActionContext, Advisory
from core.results import ToolOutcome
from core.selectors import parse_selector

EXPLAIN_S = 0.5
ROOT = ":root"  # of any document; not all are HTML
PROBES = {"text": "text", "value": "typed", "html": "html", "links": "links", "table": "table"}
JPEG_ENDINGS = frozenset({".jpg", ".jpeg"})


class PlaywrightReading(SceneShowing, ReadingTools):
    """Looks at the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Remember the session.

        Args:
            session: Whose pages to look at.
        """
        self._session = session
        self._reacher = Reacher(session)

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page is looked at."""
        del verb, args
        return describe_page(self._session, context)

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
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            match target:
                case "title":
                    output = _as_text(await self._read_title(context), max_chars)
                case "url":
                    output = _as_text(page.url, max_chars)
                case "count":
                    output = await self._count(context, selector)
                case "attribute":
                    output = await self._read_attribute(context, selector, attribute, max_chars)
                case "word" | "solution":
                    whole = await self._read_element(context, "text", selector, MOST_CHARS)
                    output = find_in_text(target, whole["text"], index, is_whole_page=selector is None)
                case _:
                    output = await self._read_element(context, target, selector, max_chars)
            return ToolOutcome(output, evidence={"url": page.url, **watch.evidence()})

    async def extract(
        self,
        context: ActionContext,
        fields: dict[str, Any],
        rows: str | None = None,
        max_rows: Annotated[int, Advisory()] = 10_000,
    ) -> ToolOutcome:
        """Read typed records from the page."""
        parsed = parse_fields(fields)
        is_page = rows is None
        page = self._session.current_page(context)
        records = await self._reacher.act(
            context, rows or ROOT, lambda aim: extract_records(aim, parsed, max_rows, is_page=is_page), several=True
        )
        return ToolOutcome({"rows": records, "count": len(records)}, evidence={"url": page.url})

    async def snapshot(
        self, context: ActionContext, scope: str | None = None, depth: int | None = None, max_tokens: int = 8000
    ) -> ToolOutcome:
        """Outline the page as its accessibility tree, with refs that ``ref=…`` selectors take."""
        page = self._session.current_page(context)
        text, truncated = await self._reacher.act(
            context, scope or ROOT, lambda aim: take_snapshot(aim, depth, max_tokens, is_page=scope is None)
        )
        return ToolOutcome({"text": text, "truncated": truncated}, evidence={"url": page.url})

    async def screenshot(
        self,
        context: ActionContext,
        path: str | None = None,
        selector: str | None = None,
        full_page: bool = False,
        to: PictureTarget = "file",
    ) -> ToolOutcome:
        """Take a picture of the page or of an element."""
        if to == "clipboard":
            refuse_path(path)
        page = self._session.current_page(context)
        kind = "jpeg" if path and Path(path).suffix.lower() in JPEG_ENDINGS else "png"
        if selector is None:
            content = await _capture(page, kind, context, full_page=full_page)
        else:
            content = await self._reacher.act(
                context,
                selector,
                lambda aim: aim.locator.screenshot(
                    type=kind, timeout=aim.take_ms(), mask=list_masks(page, context.vault), mask_color=MASK_COLOR
                ),
            )
        if to == "clipboard":
            return await copy_picture(self._session.settings.clipboard, content, page.url)
        written = await self._write(context, path, "screenshot", ".png", content)
        output = {"path": written.path, "width_px": written.width_px, "height_px": written.height_px}
        return _file_outcome(page, output, written)

    async def pdf(self, context: ActionContext, path: str | None = None) -> ToolOutcome:
        """Print the page to a PDF."""
        page = self._session.current_page(context)
        try:
            async with cover_secrets(page, context.vault):
                content = await page.pdf(print_background=True)
        except PlaywrightError as error:
            raise UnsupportedError(
                f"This browser can't print to a PDF: {error.message.splitlines()[0]}",
                hint="Run it headless; a browser with a window prints only by its dialog.",
            ) from error
        written = await self._write(context, path, "page", ".pdf", content)
        return _file_outcome(page, {"path": written.path}, written)

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
        """Assert something about the page, giving it time to become true."""
        wanted = Expectation(selector, state, text, value, count, url, title)
        if all(each is None for each in (selector, text, url, title)):
            hint = "Give a selector, text, url or title."
            raise InputError("There is nothing to expect.", hint=hint)
        if selector is None and not (state is None and value is None and count is None):
            raise InputError("A state, value or count needs the selector of what has it.", hint="Give a selector.")
        page = self._session.current_page(context)
        reserve_s = min(EXPLAIN_S, context.timeout_s * 0.15)
        limit_s = context.timeout_s - reserve_s
        async with self._session.watch(context) as watch:
            seen = await check_expectation(
                page, wanted, min(timeout, limit_s) if timeout is not None else limit_s, reserve_s
            )
            return ToolOutcome(evidence={**seen, **watch.evidence()})

    async def _read_title(self, context: ActionContext) -> str:
        return await self._reacher.act(context, ROOT, lambda aim: probe(aim.page, "title", aim.take_ms()))

    async def _count(self, context: ActionContext, selector: str | None) -> dict[str, Any]:
        if selector is None:
            raise InputError("count needs a selector.", hint="Name what to count.")
        count = await self._reacher.act(
            context, selector, lambda aim: count_matches(aim.locator, aim.take_ms()), several=True
        )
        return {"text": str(count), "value": count, "truncated": False}

    async def _read_attribute(
        self, context: ActionContext, selector: str | None, attribute: str | None, max_chars: int
    ) -> dict[str, Any]:
        if not selector or not attribute:
            raise InputError("An attribute needs a selector and its name.", hint='For example attribute: "href".')

        async def read_it(aim: Aim) -> dict[str, Any]:
            value = await aim.locator.get_attribute(attribute, timeout=aim.take_ms())
            if attribute.lower() == "value" and (await probe(aim.locator, "value"))["secret"]:
                value = None
            return {**_as_text(value or "", max_chars), "value": value}

        return await self._reacher.act(context, selector, read_it)

    async def _read_element(
        self, context: ActionContext, target: ReadTarget, selector: str | None, max_chars: int
    ) -> dict[str, Any]:
        if target == "value" and selector is None:
            raise InputError("A value needs the selector of the field.", hint='For example field "Email".')
        place = selector or ("table" if target == "table" else ROOT)
        if target == "text" and parse_selector(place).names_several:
            each = await read_each(self._reacher, context, place, "text", most=max_chars)
            return join_texts([one["text"] for one in each], max_chars)

        what = "whole" if target == "text" and selector is None else PROBES[target]

        async def read_it(aim: Aim) -> Any:
            return await probe(aim.locator, what, aim.take_ms(), most=max_chars)

        found = await self._reacher.act(context, place, read_it)
        if target == "links":
            return _as_links(found, max_chars)
        if target == "table":
            return _as_records(found, place)
        value = found.get("value") if target == "value" else found["text"]
        return {"text": found["text"], "value": value, "truncated": found["truncated"]}

    async def _write(
        self, context: ActionContext, path: str | None, stem: str, suffix: str, content: bytes
    ) -> WrittenFile:
        folder = self._session.settings.artifacts_dir
        if path:
            await asyncio.to_thread(refuse_links_out, path, context.policy)
        place = Path(path) if path else find_free_path(folder, f"{context.action_id}-{stem}", suffix)
        return await asyncio.to_thread(write_new_file, place, content)


async def _capture(page: Page, kind: Any, context: ActionContext, *, full_page: bool) -> bytes:
    masks = list_masks(page, context.vault)
    timeout_ms = context.timeout_s * 900
    try:
        return await page.screenshot(
            type=kind, full_page=full_page, timeout=timeout_ms, mask=masks, mask_color=MASK_COLOR
        )
    except PlaywrightError as error:
        if fault := read_failure(error.message).fault:
            raise explain_fault(fault, page.url) from None
        raise ActionError(
            f"No picture of {page.url} could be taken: {error.message.splitlines()[0]}",
            code="screenshot_failed",
            hint="Wait until the page has loaded.",
        ) from error


def _as_text(text: str, max_chars: int) -> dict[str, Any]:
    cut = text[:max_chars]
    return {"text": cut, "value": cut, "truncated": len(text) > max_chars}


def _as_links(links: list[dict[str, str]], max_chars: int) -> dict[str, Any]:
    lines = [f"{link['text']} <{link['url']}>" for link in links]
    kept, size = 0, 0
    for line in lines:
        size += len(line) + 1
        if size > max_chars + 1:
            break
        kept += 1
    return {"text": "\n".join(lines[:kept]), "value": links[:kept], "truncated": kept < len(links), "count": len(links)}


def _as_records(table: dict[str, Any] | None, place: str) -> dict[str, Any]:
    if table is None:
        raise TargetError(
            f"{place} is not in a table and has none in it.",
            code="target_unsuitable",
            hint="Name the table, or leave the selector out where the page has only one.",
        )
    headers: list[str] = table["headers"]
    records = [dict(zip(headers, row, strict=True)) for row in table["rows"]]
    lines = ["\t".join(headers), *("\t".join(row) for row in table["rows"])]
    more = {"headers": headers, "caption": table["caption"], "count": table["total"]}
    return {"text": "\n".join(lines), "value": records, "truncated": table["truncated"], **more}


def _file_outcome(page: Page, output: dict[str, Any], written: WrittenFile) -> ToolOutcome:
    evidence = {"size": written.size, "sha256": written.sha256, "url": page.url}
    return ToolOutcome(output, "confirmed", evidence, undo="Delete the file.", artifacts=(written.path,))
