"""Assertions about a page: compared again and again until they hold or the time is up."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.explanations import Attempt, explain_ambiguous, explain_failure
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe, probe_all
from actuators.browser.ports.expectations import (
    NOTHING,
    ONE,
    Difference,
    Expectation,
    Seen,
    add_alike,
    compare,
    explain_unmet,
    parse_expected,
    tell_compared,
)
from core.base.errors import SurehandError
from core.selectors.selectors import SelectorSpec, parse_selector

POLL_S = 0.05
_PAGE = ":root"


async def check_expectation(page: Page, wanted: Expectation, timeout_s: float, left_s: float) -> Seen:
    """Compare until everything holds.

    Args:
        wanted: What must be true.
        left_s: Seconds after that in which the executor doesn't cancel yet.

    Returns:
        What was compared.

    Raises:
        ExpectationError: If it doesn't hold in time.
        TargetError: If the selector is bad or names several elements.
    """
    spec = parse_expected(wanted)
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    while True:
        seen = await _look(page, wanted, spec)
        differences = list(compare(wanted, seen))
        waited_s = loop.time() - start_s
        if not differences:
            return {"compared": tell_compared(wanted, seen), "waited_s": round(waited_s, 3)}
        if waited_s + POLL_S >= timeout_s:
            raise await _fail(page, wanted, spec, differences, Waited(waited_s, left_s))
        await asyncio.sleep(POLL_S)


@dataclass(frozen=True, slots=True)
class Waited:
    """How long it took, and what is left to explain it in, both in seconds."""

    waited_s: float
    left_s: float


async def _look(page: Page, wanted: Expectation, spec: SelectorSpec | None) -> Seen:
    """Read everything that is asked for; what can't be read while the page changes is missing."""
    seen: Seen = {"url": page.url}
    try:
        if wanted.title is not None:
            seen["title"] = await probe(page, "title")
        if spec:
            seen["elements"] = await read_elements(page, spec)
        elif wanted.text is not None:
            seen |= await _read_page(page, wanted.text)
    except PlaywrightError as error:
        cause = read_failure(error.message).cause
        if cause == "closed" or (spec and cause == "bad_selector"):
            attempt = _attempt(page, spec or parse_selector(_PAGE), Waited(0, 1))
            raise await explain_failure(error, attempt) from None
    return seen


async def read_elements(page: Page, spec: SelectorSpec) -> list[Seen]:
    """Return the state of each element that matches, in the first frame that has any."""
    frames = [page.main_frame, *page.frames[1:]] if spec.searches_frames else [page.main_frame]
    for frame in frames:
        if found := await probe_all(build_locator(spec, frame), "state"):
            return found
    return []


async def _read_page(page: Page, text: str) -> Seen:
    told = await asyncio.gather(*(_read_text(frame, text) for frame in page.frames))
    parts = (("text", "shown"), ("content", "written"))
    return {f"page_{part}": "\n".join(texts[name] for texts in told if texts.get(name)) for part, name in parts}


async def _read_text(frame: Frame, text: str) -> dict[str, str]:
    try:
        return await probe(frame, "page", text=text)
    except PlaywrightError as error:
        if frame.parent_frame is None and read_failure(error.message).cause == "closed":
            raise
        return {}  # a frame that is on its way to another document, or gone, shows nothing


async def _fail(
    page: Page, wanted: Expectation, spec: SelectorSpec | None, differences: list[Difference], waited: Waited
) -> SurehandError:
    ambiguous = any(each.expected == ONE for each in differences)
    if spec and ambiguous:
        return await explain_ambiguous(_attempt(page, spec, waited))
    with suppress(PlaywrightError):  # the page is gone: what was seen before is told
        shown = await _read_page(page, wanted.text or "")
        differences = add_alike(spec, differences, shown["page_text"])
    error = explain_unmet(wanted, differences, page.url, waited.waited_s)
    if spec and any(each.actual == NOTHING for each in differences):
        missing = await explain_failure(PlaywrightError("Call log:"), _attempt(page, spec, waited))
        error.evidence["nearest"] = missing.evidence.get("nearest", [])
        error.hint = missing.hint
    return error


def _attempt(page: Page, spec: SelectorSpec, waited: Waited) -> Attempt:
    return Attempt(spec, page, build_locator(spec, page), waited.waited_s, waited.left_s)
