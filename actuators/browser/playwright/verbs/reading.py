"""Looking at a page without changing it, by Playwright."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.batch import PlaywrightPages, read_each
from actuators.browser.playwright.finding.causes import explain_fault, read_failure
from actuators.browser.playwright.finding.failure_snapshots import MASK_COLOR, cover_secrets, list_masks, take_masked
from actuators.browser.playwright.finding.locators import build_in_row
from actuators.browser.playwright.finding.probes import count_matches, probe, probe_all
from actuators.browser.playwright.finding.witnessing import note_match, tell_miss
from actuators.browser.playwright.looking.expecting import check_expectation
from actuators.browser.playwright.looking.looks import PageLooks, list_facts, place_numbers
from actuators.browser.playwright.looking.outlines import RefNumbers
from actuators.browser.playwright.looking.waits import read_patiently
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.expectations import Expectation
from actuators.browser.ports.reading import (
    Field,
    LookRequest,
    PageOutline,
    PagePicture,
    PictureKind,
    ReadRequest,
    ReadResult,
    split_nth,
)
from actuators.browser.ports.values import convert_cell
from actuators.browser.saved.picture_files import measure_picture
from actuators.clipboard.ports import PictureClipboard
from core.base.errors import ActionError, ExpectationError, TargetError, UnsupportedError
from core.outlines.tokens import bound_tokens
from core.outlines.writing import write_tabs
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext

EXPLAIN_S = 0.5
ROOT = ":root"  # of any document; not all are HTML
PROBES = {"text": "text", "value": "typed", "html": "html", "links": "links", "table": "table", "colour": "colour"}


class PlaywrightReading(PlaywrightPages):
    """Looks at the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        super().__init__(session)
        self._looks = PageLooks()

    @property
    def numbers(self) -> RefNumbers:
        """Where refs of looks are numbered, for whoever looks as well."""
        return self._looks.numbers

    @property
    def artifacts_dir(self) -> Path:
        """Folder for files that no goal gave a path."""
        return self._session.settings.artifacts_dir

    @property
    def clipboard(self) -> PictureClipboard | None:
        """Where pictures are copied to; None where they can't be."""
        return self._session.settings.clipboard

    async def read(self, context: ActionContext, request: ReadRequest) -> ReadResult:
        """Read one thing from the page."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            found, notes = await read_patiently(
                page,
                request,
                lambda left_s: self._read(replace(context, timeout_s=left_s), page, request),
                context.timeout_s,
            )
            return ReadResult(found, page.url, {**watch.evidence(), **notes})

    async def _read(self, context: ActionContext, page: Page, request: ReadRequest) -> Any:
        match request.target:
            case "title":
                return await self._reacher.act(context, ROOT, lambda aim: probe(aim.page, "title", aim.take_ms()))
            case "url":
                return page.url
            case "count":
                place = request.selector or ROOT
                return await self._reacher.act(
                    context, place, lambda aim: count_matches(aim.locator, aim.take_ms()), several=True
                )
            case "attribute":
                return await self._read_attribute(context, request)
            case _:
                return await self._read_element(context, request)

    async def extract(
        self, context: ActionContext, rows: str | None, fields: Sequence[Field], most_rows: int
    ) -> ReadResult:
        """Read typed records from the page."""
        is_page = rows is None
        page = self._session.current_page(context)
        records = await self._reacher.act(
            context,
            rows or ROOT,
            lambda aim: extract_records(aim, list(fields), most_rows, is_page=is_page),
            several=True,
        )
        return ReadResult(records, page.url, {})

    async def snapshot(self, context: ActionContext, wanted: LookRequest) -> PageOutline:
        """Outline the page, or a part of it; every line that can be acted on is a selector."""
        page = self._session.current_page(context)
        beside = "" if wanted.scope or wanted.outline.find else await self._tell_other_tabs(context)
        cost = bound_tokens(f"\n{beside}") if beside else 0
        left = wanted.outline.max_tokens - cost
        if 0 < left < wanted.outline.max_tokens:
            wanted = replace(wanted, outline=replace(wanted.outline, max_tokens=left))
        outline, look = await self._reacher.act(
            context, wanted.scope or ROOT, lambda aim: self._looks.outline(aim, wanted, context.vault.list_revealed())
        )
        if beside and left > 0:
            outline = replace(outline, tokens=outline.tokens + cost, note=beside)
        if not wanted.outline.numbered:
            return PageOutline(outline, page.url)
        view = await self._reacher.act(context, ROOT, lambda aim: place_numbers(aim.page, look, outline))
        content = await _capture(page, "png", context, full_page=view.is_whole)
        return PageOutline(outline, page.url, content, view.scale_to(measure_picture(content)[0]))

    async def _tell_other_tabs(self, context: ActionContext) -> str:
        strip = self._session.tabs
        if len(strip) < 2:
            return ""
        titles = [
            context.vault.redact(each.title or each.url)
            for each in await list_facts(strip, context.lane)
            if not (each.is_current or each.is_taken)
        ]
        return write_tabs(titles)

    async def take_picture(
        self, context: ActionContext, selector: str | None, kind: PictureKind, *, full_page: bool
    ) -> PagePicture:
        """Take a picture of the page or of an element."""
        page = self._session.current_page(context)
        if selector is None:
            return PagePicture(await _capture(page, kind, context, full_page=full_page), page.url)
        content = await self._reacher.act(
            context,
            selector,
            lambda aim: aim.locator.screenshot(
                type=kind, timeout=aim.take_ms(), mask=list_masks(page, context.vault), mask_color=MASK_COLOR
            ),
        )
        return PagePicture(content, page.url)

    async def print_page(self, context: ActionContext) -> PagePicture:
        """Print the page to a PDF."""
        page = self._session.current_page(context)
        try:
            async with cover_secrets(page, context.vault):
                return PagePicture(await page.pdf(print_background=True), page.url)
        except PlaywrightError as error:
            raise UnsupportedError(
                f"This browser can't print PDFs: {error.message.splitlines()[0]}",
                hint="Run it without a window; with a window it prints only through its dialog.",
            ) from error

    async def expect(self, context: ActionContext, wanted: Expectation, timeout_s: float | None) -> Mapping[str, Any]:
        """Compare until everything holds."""
        page = self._session.current_page(context)
        reserve_s = min(EXPLAIN_S, context.timeout_s * 0.15)
        limit_s = context.timeout_s - reserve_s
        async with self._session.watch(context) as watch:
            limit_s = min(timeout_s, limit_s) if timeout_s is not None else limit_s
            try:
                seen = await check_expectation(page, wanted, limit_s, reserve_s)
            except (ExpectationError, TargetError) as error:
                raise await tell_miss(self._session, context, wanted.selector or "", error, reserve_s) from None
            await note_match(self._session, context, wanted.selector or "")
            return {**seen, **watch.evidence()}

    async def _read_attribute(self, context: ActionContext, request: ReadRequest) -> str | None:
        attribute = request.attribute or ""

        async def read_it(aim: ActionTarget) -> str | None:
            value = await aim.locator.get_attribute(attribute, timeout=aim.take_ms())
            is_secret = attribute.lower() == "value" and (await probe(aim.locator, "value"))["secret"]
            return None if is_secret else value

        return await self._reacher.act(context, request.selector or ROOT, read_it)

    async def _read_element(self, context: ActionContext, request: ReadRequest) -> Any:
        target, selector, most = request.target, request.selector, request.most_chars
        place = selector or ("table" if target == "table" else ROOT)
        if target == "text" and parse_selector(place).names_several:
            return [each["text"] for each in await read_each(self._reacher, context, place, "text", most=most)]
        what = "whole" if target == "text" and selector is None else PROBES[target]
        return await self._reacher.act(context, place, lambda aim: probe(aim.locator, what, aim.take_ms(), most=most))


async def _capture(page: Page, kind: Any, context: ActionContext, *, full_page: bool) -> bytes:
    timeout_ms = context.timeout_s * 900
    try:
        return await take_masked(page, context.vault, type=kind, full_page=full_page, timeout=timeout_ms)
    except PlaywrightError as error:
        if fault := read_failure(error.message).fault:
            raise explain_fault(fault, page.url) from None
        raise ActionError(
            f"No picture of {page.url} could be taken: {error.message.splitlines()[0]}",
            code="screenshot_failed",
            hint="Wait until the page has loaded.",
        ) from error


SHOWN_CHARS = 80


async def extract_records(
    aim: ActionTarget, fields: list[Field], max_rows: int, *, is_page: bool
) -> list[dict[str, Any]]:
    """Return a record for each row, in the order of the page, or of the whole page where there are no rows."""
    rows = aim.locator.locator(engine_selector("row", token=secrets.token_hex(4)))
    await rows.first.wait_for(state="attached", timeout=aim.take_ms())
    count = 1 if is_page else await count_matches(aim.locator)
    records: list[dict[str, Any]] = [{} for _ in range(min(count, max_rows))]
    for field in fields:
        cells = await _read_cells(aim, rows, field, is_page=is_page)
        _check_cells(cells, field, len(records), is_page=is_page)
        for cell in cells:
            if cell["row"] < len(records):
                records[cell["row"]][field.name] = _convert_cell(cell, field, is_page=is_page)
    return records


async def _read_cells(aim: ActionTarget, rows: Locator, field: Field, *, is_page: bool) -> list[dict[str, Any]]:
    selector, nth = split_nth(field.selector)
    place = rows if selector is None else build_in_row(parse_selector(selector), rows)
    if is_page:
        await place.first.wait_for(state="attached", timeout=aim.take_ms())
    options = {"attribute": field.attribute, "type": field.kind}
    cells: list[dict[str, Any]] = await probe_all(place, "cell", aim.take_ms(), **options)
    return cells if nth is None else _pick_nth(cells, nth)


def _pick_nth(cells: list[dict[str, Any]], nth: int) -> list[dict[str, Any]]:
    by_row: dict[int, list[dict[str, Any]]] = {}
    for cell in cells:
        by_row.setdefault(cell["row"], []).append(cell)
    return [group[nth] for group in by_row.values() if -len(group) <= nth < len(group)]


def _check_cells(cells: list[dict[str, Any]], field: Field, rows: int, *, is_page: bool) -> None:
    counts = Counter(cell["row"] for cell in cells)
    for row in range(rows):
        if counts[row] == 1:
            continue
        where = "" if is_page else f" in row {row + 1}"
        evidence = {"row": row + 1, "field": field.name, "selector": field.selector, "count": counts[row]}
        if counts[row]:
            raise TargetError(
                f'The field "{field.name}"{where} matches {counts[row]} elements ({field.selector}).',
                code="target_ambiguous",
                hint="Write a selector that matches one element in each row.",
                evidence=evidence,
            )
        raise TargetError(
            f'The field "{field.name}" is missing{where} ({field.selector}).',
            hint="Check the selector; it is relative to the row.",
            evidence=evidence,
        )


def _convert_cell(cell: dict[str, Any], field: Field, *, is_page: bool) -> Any:
    where = "" if is_page else f" in row {cell['row'] + 1}"
    evidence = {"row": cell["row"] + 1, "field": field.name, "text": (cell["text"] or "")[:SHOWN_CHARS]}
    if cell["text"] is None:
        raise TargetError(
            f'The field "{field.name}"{where} has no attribute {field.attribute}.',
            hint="Check the attribute's name.",
            evidence=evidence,
        )
    try:
        return convert_cell(cell, field.kind)
    except ValueError as error:
        raise ActionError(
            f'The field "{field.name}"{where} is no {field.kind}: {evidence["text"]!r}, {error}.',
            code="bad_value",
            hint="Read it as text, or give a more precise selector.",
            evidence=evidence,
        ) from None
