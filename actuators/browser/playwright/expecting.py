"""Assertions about a page: compared again and again until they hold or the time is up."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from actuators.browser.expectations import Difference, Expectation, parse_expected, shorten_value
from actuators.browser.playwright.causes import read_failure
from actuators.browser.playwright.explanations import Attempt, explain_ambiguous, explain_failure
from actuators.browser.playwright.locators import build_locator
from actuators.browser.playwright.probes import probe, probe_all
from actuators.browser.tools.toolset import ElementState
from core.differences import describe_difference, diff_lines
from core.errors import ExpectationError, SurehandError
from core.matching import fold_space, matches_address, matches_title
from core.selectors import SelectorSpec

POLL_S = 0.05
SHOWN_CHARS = 300
LONG_CHARS = 40
ONE = "one"
NOTHING = "nothing matches it"


Seen = dict[str, Any]


async def check_expectation(page: Page, wanted: Expectation, timeout_s: float, left_s: float) -> Seen:
    """Compare until everything holds.

    Args:
        page: The page.
        wanted: What must be true.
        timeout_s: Seconds to give it.
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
        differences = list(_compare(wanted, seen))
        waited_s = loop.time() - start_s
        if not differences:
            return {"compared": _compared(wanted, seen), "waited_s": round(waited_s, 3)}
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
            seen["elements"] = await _read_elements(page, spec)
        elif wanted.text is not None:
            told = await asyncio.gather(*(_read_text(frame) for frame in page.frames))
            seen["page_text"] = "\n".join(text for text in told if text)
    except PlaywrightError as error:
        if spec and read_failure(error.message).cause == "bad_selector":
            raise await explain_failure(error, _attempt(page, spec, Waited(0, 1))) from None
    return seen


async def _read_elements(page: Page, spec: SelectorSpec) -> list[Seen]:
    frames = [page.main_frame, *page.frames[1:]] if spec.searches_frames else [page.main_frame]
    for frame in frames:
        if found := await probe_all(build_locator(spec, frame), "state"):
            return found
    return []


async def _read_text(frame: Frame) -> str:
    try:
        return (await probe(frame, "page"))["shown"]
    except PlaywrightError:
        return ""  # a frame that is on its way to another document shows nothing


def _compare(wanted: Expectation, seen: Seen) -> Iterator[Difference]:
    yield from _compare_page(wanted, seen)
    if wanted.selector is None:
        return
    elements: list[Seen] = seen.get("elements", [])
    if wanted.count is not None:
        if len(elements) != wanted.count:
            yield Difference("the number of elements", wanted.count, len(elements))
        return
    state = wanted.state or ("visible" if wanted.text is None and wanted.value is None else None)
    if state in {"detached", "hidden"} and not elements:
        return
    if len(elements) == 1:
        yield from _compare_element(wanted, state, elements[0])
    elif elements:
        yield Difference("the element", ONE, f"{len(elements)} of them")
    else:
        yield Difference("the element", state or "to be there", NOTHING)


def _compare_page(wanted: Expectation, seen: Seen) -> Iterator[Difference]:
    if wanted.url is not None and not matches_address(seen["url"], wanted.url):
        yield Difference("the address", wanted.url, seen["url"])
    if wanted.title is not None and not matches_title(seen.get("title", ""), wanted.title):
        yield Difference("the title", wanted.title, seen.get("title", ""))
    if wanted.selector is None and wanted.text is not None:
        shown = seen.get("page_text", "")
        if not _contains(wanted.text, shown):
            yield _text_difference("the page's text", wanted.text, shown)


def _compare_element(wanted: Expectation, state: ElementState | None, element: Seen) -> Iterator[Difference]:
    if state is not None and (actual := _state_of(element, state)) != state:
        yield Difference("the state", state, actual)
    if wanted.text is not None and not _contains(wanted.text, element["text"], element["content"]):
        yield _text_difference("the text", wanted.text, element["text"])
    if wanted.value is not None and element["value"] != wanted.value:
        if element["secret"]:
            yield Difference("the value", f"{len(wanted.value)} characters", "something else (a secret)")
        else:
            yield Difference("the value", wanted.value, element["value"], _detail(wanted.value, element["value"] or ""))


def _state_of(element: Seen, asked: ElementState) -> str:
    match asked:
        case "attached" | "detached":
            return "attached"
        case "visible" | "hidden":
            return "visible" if element["visible"] else "hidden"
        case "enabled" | "disabled":
            return "enabled" if element["enabled"] else "disabled"
        case "checked" | "unchecked":
            if not element["tickable"]:
                return "no checkbox, switch or radio button"
            return "partly checked" if element["checked"] is None else "checked" if element["checked"] else "unchecked"


def _contains(wanted: str, *texts: str) -> bool:
    return any(fold_space(wanted) in fold_space(text) for text in texts)


def _detail(wanted: str, actual: str) -> str:
    return describe_difference(wanted, actual) if min(len(wanted), len(actual)) > LONG_CHARS else ""


def _text_difference(what: str, wanted: str, actual: str) -> Difference:
    if fold_space(wanted).casefold() in fold_space(actual).casefold():
        return Difference(what, wanted, actual, "it is there in other case")
    return Difference(what, wanted, actual)


async def _fail(
    page: Page, wanted: Expectation, spec: SelectorSpec | None, differences: list[Difference], waited: Waited
) -> SurehandError:
    ambiguous = any(each.expected == ONE for each in differences)
    if spec and ambiguous:
        return await explain_ambiguous(_attempt(page, spec, waited))
    subject = f"{wanted.selector}: " if wanted.selector else ""
    evidence: dict[str, Any] = {
        "url": page.url,
        "waited_s": round(waited.waited_s, 3),
        "differences": [
            {"what": each.what, "expected": each.expected, "actual": shorten_value(each.actual)} for each in differences
        ],
    }
    if text := next((each for each in differences if each.what.endswith("text")), None):
        evidence["diff"] = diff_lines(str(text.expected), shorten_value(str(text.actual)))
    if spec and any(each.actual == NOTHING for each in differences):
        missing = await explain_failure(PlaywrightError("Call log:"), _attempt(page, spec, waited))
        evidence["nearest"] = missing.evidence.get("nearest", [])
    return ExpectationError(
        f"{subject}{'; '.join(each.describe() for each in differences)}; waited {waited.waited_s:.1f} s.",
        hint="Give it more time, or look at what the page shows.",
        evidence=evidence,
    )


def _attempt(page: Page, spec: SelectorSpec, waited: Waited) -> Attempt:
    return Attempt(spec, page, build_locator(spec, page), waited.waited_s, waited.left_s)


def _compared(wanted: Expectation, seen: Seen) -> dict[str, Any]:
    elements: list[Seen] = seen.get("elements", [])
    told: dict[str, Any] = {"url": seen["url"]} if wanted.url is not None else {}
    if wanted.title is not None:
        told["title"] = seen.get("title", "")
    if wanted.selector is None:
        return told | ({"text": wanted.text} if wanted.text is not None else {})
    told["count"] = len(elements)
    if elements and wanted.count is None:
        first = elements[0]
        told |= {"visible": first["visible"], "text": shorten_value(fold_space(first["text"]))}
        if wanted.value is not None:
            told["value"] = "matches (a secret)" if first["secret"] else first["value"]
        if wanted.state in {"enabled", "disabled", "checked", "unchecked"}:
            told["state"] = wanted.state
    return told
