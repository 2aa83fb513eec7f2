"""Reading back what an act has done, once the page has settled.

A page may take back at once what was done to it: in the handlers of the act, a moment later, or when its server has
answered. So what is read back counts only when nothing that the act began is under way any more. The page tells that in
the same round trip; where nothing goes on, reading back costs no more than it did.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from playwright.async_api import ElementHandle, Frame, Locator, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.direct.wire import PageWire
from actuators.browser.playwright.direct.world import REACHED, find_place
from actuators.browser.playwright.engine.scripts import FOLLOWING_MS, SETTLING_MS, engine_selector
from actuators.browser.playwright.finding.causes import answer_or, read_failure
from actuators.browser.playwright.finding.probes import PROBE_MS, ask_text
from actuators.browser.playwright.session.loading import loads_of
from actuators.deadlines import Deadline, allow_s, pause

FIRST_PAUSE_S = 0.004
LONGEST_PAUSE_S = 0.032
UNSETTLED = "unsettled"
BEFORE_S = 0.15  # what left so long before the last of its events belongs to an act, too


async def _watch_frames(page: Page, wire: PageWire, main: str) -> None:
    loads_of(page).watch_frames(wire.on, main)
    await wire.call("Page.enable")


REACHED.append(_watch_frames)


@dataclass(frozen=True, slots=True)
class SettledReading:
    """What was read back, and what that the act began is still under way, by which the page may take it back."""

    held: Any
    is_settled: bool
    under_way: tuple[str, ...] = ()
    late_ms: float = 0.0
    """Until the last goes off of what the act has set for the next second."""

    @property
    def evidence(self) -> dict[str, Any]:
        """``unsettled`` and ``under_way``, where the page was still busy with the act; empty elsewhere."""
        return (
            {}
            if self.is_settled
            else {UNSETTLED: True} | ({"under_way": list(self.under_way)} if self.under_way else {})
        )


async def read_settled(
    locator: Locator, what: str, timeout_ms: float = PROBE_MS, first: str | None = None, **options: Any
) -> SettledReading:
    """Ask the page engine about an element when the page has settled after an act, or does not in time.

    Args:
        first: What ``after`` has told already, by the act's own message.
    """
    return await _wait(lambda: ask_text(locator, after(what, **options), timeout_ms), locator.page, first=first)


async def read_settled_or(
    locator: Locator, what: str, is_enough: Callable[[Any], bool], first: str | None = None
) -> SettledReading:
    """Do the same, but return at once what says that there is more to be done."""
    return await _wait(lambda: ask_text(locator, after(what), PROBE_MS), locator.page, is_enough, first)


async def do_and_tell(locator: Locator, act: str, what: str, timeout_ms: float, **options: Any) -> str | None:
    """Have the page engine do something with an element; return what ``after`` has told of it at once, None where it hasn't."""
    query = engine_selector("probe", what=act, options=options)
    place = await find_place(locator)
    try:
        told = place and await (place / query).order("text", timeout_ms, then=[*place.parts, after(what)])
    except PlaywrightError as error:
        if read_failure(error.message).cause != "replaced":
            raise
        return None  # it was done, and the page went elsewhere upon that
    if not told:
        await ask_text(locator, query, timeout_ms)
    return told.get("then") if told else None


async def follow(locator: Locator, what: str) -> tuple[Any, SettledReading] | None:
    """Wait for what an act has set to go off within a second, and for what that begins; return what was read before and after, None where nothing was set."""
    query = after(what)
    limit = Deadline(allow_s(FOLLOWING_MS / 1000))
    first = told = json.loads(await ask_text(locator, query, PROBE_MS) or "{}")
    if not _tell_late(told):
        return None
    while (late_ms := _tell_late(told) or _is_open(told)) and not limit.is_over:
        await pause(max(FIRST_PAUSE_S, min(late_ms / 1000, limit.remaining_s)))
        told = json.loads(await ask_text(locator, query, PROBE_MS) or "{}") or {"held": told["held"], "pending": 0}
    return first["held"], _judge(add_loads(told, locator.page))


def _tell_late(told: dict[str, Any]) -> float:
    return max(told.get("following_ms", 0), told.get("older_late_ms", 0))


def _is_open(told: dict[str, Any]) -> bool:
    return bool(told.get("pending") or told.get("older_ms"))


async def await_settled(page: Page, limit_s: float, *, is_last: bool = False) -> SettledReading:
    """Wait until nothing is under way on a page that the latest act began, or the time is over; it holds whether anything was.

    Args:
        limit_s: At most so long.
        is_last: Whether what it has set to go off within a second is waited for as well.
    """
    limit, pause_s, was_at_work = Deadline(allow_s(limit_s)), FIRST_PAUSE_S, False
    while (rest := await _list_rest(page, is_last=is_last)) and not limit.is_over:
        was_at_work = True
        await pause(min(pause_s, limit.remaining_s))
        pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
    return SettledReading(was_at_work, not rest, tuple(rest))


async def _list_rest(page: Page, *, is_last: bool) -> list[str]:
    told = await asyncio.gather(*(_ask_rest(frame) for frame in page.frames))
    rest = [name for each in told if _is_open(each) for name in each["under_way"]]
    rest += ["timer" for each in told if is_last and each.get("following_ms")]
    return list(dict.fromkeys(rest))


async def _ask_rest(frame: Frame) -> dict[str, Any]:
    told = await answer_or(ask_text(frame, after("title"), PROBE_MS), None)  # nothing of one that is gone
    return add_loads(json.loads(told or "{}"), frame.page)


async def read_handle_settled(element: ElementHandle, what: str, **options: Any) -> SettledReading | None:
    """Do the same as ``read_settled`` with the very element; None if its document is gone."""
    part = after(what, **options)

    async def ask() -> str | None:
        paper = await element.query_selector(part)
        return await paper.text_content() if paper else None

    frame = await element.owner_frame()
    reading = await _wait(ask, frame.page if frame else None)
    return None if reading.held is None else reading


async def _wait(
    ask: Callable[[], Awaitable[str | None]],
    page: Page | None,
    is_enough: Callable[[Any], bool] = lambda _: False,
    first: str | None = None,
) -> SettledReading:
    limit, pause_s = Deadline(allow_s(SETTLING_MS / 1000)), FIRST_PAUSE_S
    while True:
        told: dict[str, Any] = json.loads(first or await ask() or '{"pending": 0, "held": null}')
        first = None
        if page:
            add_loads(told, page)
        if not _is_open(told):
            return _judge(told)
        if is_enough(told["held"]) or told["age_ms"] >= SETTLING_MS or limit.is_over:
            return _judge(told)
        await pause(pause_s)
        pause_s = min(pause_s * 2, LONGEST_PAUSE_S)


def add_loads(told: dict[str, Any], page: Page) -> dict[str, Any]:
    """Add what only the browser tells of a page's loads to what the page tells, and note what it was refused."""
    loads = loads_of(page)
    if failed := [each.partition(" ") for each in told.get("failed", ())]:
        known = [{"url": urljoin(page.url, url), "status": int(status)} for status, _, url in failed]
        loads.failed, loads.said = known, told["said"]
    # What a document loads that no act has touched is not begun by one.
    is_touched = told.get("age_ms", FOLLOWING_MS) < FOLLOWING_MS
    if is_touched and (loading := loads.list_open(told["age_ms"] / 1000 + BEFORE_S)):
        told["pending"] += len(loading)
        told["under_way"] = [*told["under_way"], *loading]
    return told


def _judge(told: dict[str, Any]) -> SettledReading:
    is_settled = not _is_open(told) and not told.get("lasting")
    under_way = () if is_settled else tuple(told.get("under_way", ()))
    return SettledReading(told["held"], is_settled, under_way, told.get("following_ms", 0))


def after(what: str, **options: Any) -> str:
    """Return the part of a selector that asks about an element after an act, and what that has begun."""
    return engine_selector("after", what=what, options=options)
