"""What is expected of a page: compared again and again until it holds or the time is up, or acted for until an element shows it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.explanations import Attempt, explain_ambiguous, explain_failure
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe, probe_all
from actuators.browser.playwright.finding.settling import await_settled
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
from actuators.browser.ports.values import ValueCondition
from actuators.deadlines import Deadline, pause
from core.base.errors import DeadlineError, SurehandError
from core.base.matching import fold_space
from core.selectors.selectors import SelectorSpec, parse_selector, parse_single_selector

POLL_S = 0.05
_PAGE = ":root"


async def check_expectation(page: Page, wanted: Expectation, timeout_s: float, left_s: float) -> Seen:
    """Compare until everything holds; return what was compared; ExpectationError if it doesn't in time."""
    spec = parse_expected(wanted)
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    is_settled = False
    while True:
        seen = await _look(page, wanted, spec)
        differences = list(compare(wanted, seen))
        waited_s = loop.time() - start_s
        if not differences and not is_settled:
            # What an act before it has begun may still take it back.
            is_settled = True
            if (await await_settled(page, timeout_s - waited_s)).held:
                continue
        if not differences:
            return {"compared": tell_compared(wanted, seen), "waited_s": round(waited_s, 3)}
        if waited_s + POLL_S >= timeout_s:
            attempt = _attempt(page, spec or parse_selector(_PAGE), waited_s, left_s)
            raise await _fail(attempt, wanted, differences, has_element=spec is not None)
        await asyncio.sleep(POLL_S)


async def _look(page: Page, wanted: Expectation, spec: SelectorSpec | None) -> Seen:
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
            attempt = _attempt(page, spec or parse_selector(_PAGE), 0, 1)
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
    attempt: Attempt, wanted: Expectation, differences: list[Difference], *, has_element: bool
) -> SurehandError:
    if has_element and any(each.expected == ONE for each in differences):
        return await explain_ambiguous(attempt)
    with suppress(PlaywrightError):  # the page is gone: what was seen before is told
        shown = await _read_page(attempt.page, wanted.text or "")
        differences = add_alike(attempt.spec if has_element else None, differences, shown["page_text"])
    error = explain_unmet(wanted, differences, attempt.page.url, attempt.waited_s)
    if has_element and any(each.actual == NOTHING for each in differences):
        missing = await explain_failure(PlaywrightError("Call log:"), attempt)
        error.evidence["nearest"] = missing.evidence.get("nearest", [])
        error.hint = missing.hint
    return error


def _attempt(page: Page, spec: SelectorSpec, waited_s: float, left_s: float) -> Attempt:
    return Attempt(spec, page, build_locator(spec, page), waited_s, left_s)


LOOK_S = 0.03
ANSWER_S = 1.0  # for a page to show something else after an act; only then is it done again
MOST_ACTS = 200
SHOWN_CHARS = 120


@dataclass(frozen=True, slots=True)
class ShownValue:
    """What is to come: an element that shows a value, or is visible where there is no condition."""

    selector: str
    condition: ValueCondition | None

    def describe(self) -> str:
        """Return a phrase for messages."""
        return f"{self.selector} to be {self.condition.describe() if self.condition else 'visible'}"

    async def look(self, page: Page) -> tuple[bool, str | None]:
        """Return whether it has come, and what is shown: None without an element; TargetError if there are several."""
        spec = parse_single_selector(self.selector)
        try:
            found = [each for each in await read_elements(page, spec) if each["visible"]]
        except PlaywrightError as error:
            if read_failure(error.message).cause == "bad_selector":
                raise
            return False, None  # the page is on its way to another document
        if len(found) != 1:
            return bool(found) and self.condition is None, None
        if found[0]["secret"]:
            return self.condition is None, "(a secret)"
        shown = fold_space(found[0]["value"] if found[0]["value"] is not None else found[0]["text"])
        return self.condition is None or self.condition.holds(shown), shown[:SHOWN_CHARS]


async def wait_for_value(page: Page, selector: str, condition: ValueCondition, deadline: Deadline) -> dict[str, Any]:
    """Wait until an element shows a value; return evidence; Playwright's TimeoutError says what was shown last."""
    wanted = ShownValue(selector, condition)
    while True:
        holds, shown = await wanted.look(page)
        if holds:
            return {"selector": selector, "shown": shown}
        if deadline.remaining_s <= LOOK_S:
            raise PlaywrightTimeoutError(f"{selector} shows {shown!r}")
        await pause(LOOK_S)


async def act_until(
    page: Page, wanted: ShownValue, act: Callable[[], Awaitable[None]], deadline: Deadline
) -> dict[str, Any]:
    """Act again until an element shows what is wanted; return ``clicks`` and ``shown``; DeadlineError if it didn't."""
    acts = 0
    holds, shown = await wanted.look(page)
    while not holds:
        if deadline.remaining_s < ANSWER_S or acts >= MOST_ACTS:
            raise _give_up(wanted, shown, acts, deadline)
        await act()
        acts += 1
        holds, shown = await _await_answer(page, wanted, shown)
    return {"clicks": acts, "shown": shown}


async def _await_answer(page: Page, wanted: ShownValue, before: str | None) -> tuple[bool, str | None]:
    return await ask_until(lambda: wanted.look(page), lambda seen: seen[0] or seen[1] != before, ANSWER_S, LOOK_S)


def _give_up(wanted: ShownValue, shown: str | None, acts: int, deadline: Deadline) -> DeadlineError:
    last = "nothing was shown there" if shown is None else f"it last showed “{shown}”"
    times = "once" if acts == 1 else f"{acts} times"
    return DeadlineError(
        f"Clicked {times} in {deadline.elapsed_s:.1f} s and waited for {wanted.describe()}; {last}.",
        hint="Check the condition, or whether the click changes what is shown.",
        evidence={"clicks": acts, "shown": shown, "waited_s": round(deadline.elapsed_s, 3)},
    )
