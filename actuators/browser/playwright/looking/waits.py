"""Waiting for an element, an address, a text or a load state, saying what was there instead, and reading again what was empty after an act."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError
from rapidfuzz import fuzz, process, utils

from actuators.browser.playwright.finding.actionability import Actionability
from actuators.browser.playwright.finding.causes import (
    AGAIN_S,
    NO_ANSWER,
    EngineError,
    explain_trouble,
    is_passing,
    persist,
)
from actuators.browser.playwright.finding.idling import COMING, IdleWatch, Patience, ask_until
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import await_state, probe
from actuators.browser.playwright.looking.expecting import wait_for_value
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.navigation_errors import explain_loss
from actuators.browser.ports.navigation import WaitTarget
from actuators.browser.ports.reading import ReadRequest
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import DeadlineError, TargetError
from core.base.matching import fold_space, matches_address
from core.rules.browser_choices import WaitState
from core.selectors.selectors import parse_single_selector
from core.tools.ports import ActionContext

# Codes of a target that may still come to be what is waited for.
NOT_YET = {"target_missing", "target_hidden", "target_detached", "target_zero_size"}
NEAREST_TEXTS = 3
SHOWN_CHARS = 120
MOST_CHARS = 10_000
LOOK_AGAIN_MS = 500.0
DEADLINE_OVER_S = 0.001
READ_S = 0.3
LAST_LOOK_S = 0.6  # with less time than this, no other look has an answer before the end


async def wait_for(session: PlaywrightSession, context: ActionContext, target: WaitTarget) -> dict[str, Any]:
    """Wait as long as the action may take; return evidence; DeadlineError says what was there instead."""
    page, deadline = session.current_page(context), Deadline(context.timeout_s)
    # Where it was said for how long to wait, nothing ends that early.
    idle = IdleWatch(lambda: list(page.frames), "full" if target.is_timed else "wholly")
    try:
        return await _see(session, context, target, deadline, idle)
    except PlaywrightTimeoutError as error:
        raise await _explain_timeout(page, target, deadline, idle) from error
    except TargetError as error:
        if error.code not in NOT_YET:
            raise
        raise await _explain_timeout(page, target, deadline, None, error) from error
    except PlaywrightError as error:
        raise explain_loss(error, page) or explain_trouble(error, page) from error


async def _see(
    session: PlaywrightSession, context: ActionContext, target: WaitTarget, deadline: Deadline, idle: IdleWatch
) -> dict[str, Any]:
    page = session.current_page(context)
    if target.seconds is not None:
        await pause(target.seconds)
        return {"seconds": target.seconds}
    if target.selector is not None and target.value is not None:
        return await wait_for_value(page, target.selector, target.value, deadline)
    if target.selector is not None:
        await _wait_for_element(session, context, target, idle.patience)
        return {"selector": target.selector, "state": target.state}
    if target.url is not None:
        await _wait_for_address(page, target.url, deadline)
        return {"url": page.url}
    if target.text is not None:
        return await _wait_for_text(page, target.text, deadline, idle)
    state = target.load_state
    await persist(lambda left_ms: page.wait_for_load_state(state, timeout=left_ms), deadline.remaining_ms, page.url)
    return {"load_state": state, "url": page.url}


async def _wait_for_element(
    session: PlaywrightSession, context: ActionContext, target: WaitTarget, patience: Patience
) -> None:
    selector, state = target.selector or "", target.state
    spec = parse_single_selector(selector)
    if state in ("attached", "visible"):
        await Actionability(session).act(
            context, selector, lambda aim: await_state(aim.locator, state, aim.take_ms()), patience=patience
        )
        return
    page, deadline = session.current_page(context), Deadline(context.timeout_s)
    for frame in page.frames if spec.searches_frames else [page.main_frame]:
        await _wait_until_gone(build_locator(spec, frame).first, frame, state, deadline)


async def _wait_until_gone(shown: Locator, frame: Frame, state: WaitState, deadline: Deadline) -> None:
    def look(left_ms: float) -> Awaitable[None]:
        return shown.wait_for(state=state, timeout=left_ms)

    try:
        await persist(look, deadline.remaining_ms, frame.url)
    except PlaywrightError:
        if not frame.is_detached() or frame.page.is_closed():
            raise
        # The frame went away, and the element with it.


async def _wait_for_address(page: Page, wanted: str, deadline: Deadline) -> None:
    moved = asyncio.Event()

    def wake(_: object) -> None:
        moved.set()

    page.on("framenavigated", wake)
    page.on("close", wake)
    page.on("crash", wake)
    try:
        async with asyncio.timeout(deadline.remaining_s):
            while not matches_address(page.url, wanted):
                moved.clear()
                await moved.wait()
                if page.is_closed():
                    raise PlaywrightError("the page was closed")
    except TimeoutError:
        raise PlaywrightTimeoutError(f"the address is still {page.url}") from None
    finally:
        for event in ("framenavigated", "close", "crash"):
            page.remove_listener(event, wake)


async def _wait_for_text(page: Page, text: str, deadline: Deadline, idle: IdleWatch) -> dict[str, Any]:
    while True:
        looks = [asyncio.create_task(_look_in_frame(frame, text, deadline)) for frame in page.frames]
        try:
            for look in asyncio.as_completed(looks):
                if (found := await look) is not None:
                    return found
        finally:
            for look in looks:
                look.cancel()
            await asyncio.gather(*looks, return_exceptions=True)
        if deadline.remaining_s <= DEADLINE_OVER_S or await idle.is_idle(deadline.remaining_s):
            raise PlaywrightTimeoutError(f'no frame showed "{text}"')


async def _look_in_frame(frame: Frame, text: str, deadline: Deadline) -> dict[str, Any] | None:
    shown = frame.get_by_text(text).filter(visible=True).first
    try:
        await shown.wait_for(timeout=min(LOOK_AGAIN_MS, deadline.remaining_ms))
        told = await probe(shown, "text", LOOK_AGAIN_MS, most=MOST_CHARS)
        return {"text": _shorten(told["text"]), "frame": frame.url}
    except PlaywrightTimeoutError:
        return None
    except EngineError:
        if deadline.remaining_s < LAST_LOOK_S:
            raise
        return None
    except PlaywrightError as error:
        if is_passing(error) and not deadline.is_over:
            await pause(AGAIN_S)
            return None
        # A frame that went away can't show anything; but without its main frame the page is gone.
        if frame.parent_frame is None and (frame.page.is_closed() or not frame.is_detached()):
            raise
        return None


async def _explain_timeout(
    page: Page, target: WaitTarget, deadline: Deadline, idle: IdleWatch | None, miss: TargetError | None = None
) -> DeadlineError:
    title, nearest = await _read_surroundings(page, target.text or "")
    instead = f'the page is {page.url} with the title "{title}"'
    if target.text and nearest:
        instead += "; the nearest texts on it are " + ", ".join(f'"{text}"' for text in nearest)
    if miss:
        instead += f". {miss.message.removesuffix('.')}"
    if idle and idle.is_over:
        instead += f"; {idle.tell()}"
    return DeadlineError(
        f"Waited {deadline.elapsed_s:.1f} s for {target.describe()}; {instead}.",
        hint="Give it more time with timeout, or check the condition.",
        evidence=(miss.evidence if miss else {})
        | {"url": page.url, "title": title, "nearest": nearest, "waited_s": round(deadline.elapsed_s, 3)},
    )


async def _read_surroundings(page: Page, text: str) -> tuple[str, list[str]]:
    try:
        async with asyncio.timeout(READ_S):
            title, body = await probe(page, "title"), await probe(page, "lines") if text else []
    except (*NO_ANSWER, TimeoutError):
        return "(the page doesn't answer)", []
    lines = [_shorten(line) for line in body]
    found = process.extract(
        text, lines, scorer=fuzz.WRatio, processor=utils.default_process, limit=NEAREST_TEXTS, score_cutoff=50
    )
    return title, [line for line, _, _ in found]


def _shorten(text: str) -> str:
    folded = fold_space(text)
    return folded if len(folded) <= SHOWN_CHARS else folded[: SHOWN_CHARS - 1] + "…"


T = TypeVar("T")

RECENT_MS = 5000.0
LONGEST_S = 5.0
LOOK_AGAIN_S = 0.1
WAITED = "empty_for_s"
SETTLED = "settled"


async def read_patiently(
    page: Page, request: ReadRequest, read: Callable[[float], Awaitable[T]], timeout_s: float
) -> tuple[T, dict[str, Any]]:
    """Read; where that gives nothing and an act was just done, again until there is something or the page has settled, which the evidence tells."""
    deadline = Deadline(timeout_s)
    found = await read(timeout_s)
    if not is_empty(request, found):
        return found, {}
    watch, longest = IdleWatch(lambda: list(page.frames)), Deadline(allow_s(LONGEST_S))
    await watch.is_idle(deadline.remaining_s)
    if watch.since_act_ms > RECENT_MS:
        return found, {}

    def is_enough(found: T) -> bool:
        return not is_empty(request, found) or (longest.is_over and not COMING.intersection(watch.busy))

    found = await ask_until(lambda: read(deadline.remaining_s), is_enough, deadline.remaining_s, LOOK_AGAIN_S, watch)
    told = {WAITED: round(deadline.elapsed_s, 3)}
    return found, {**told, SETTLED: watch.is_over} if is_empty(request, found) else told


def is_empty(request: ReadRequest, found: Any) -> bool:
    """Tell whether there was nothing to read."""
    match request.target:
        case "count":
            return found == 0
        case "links":
            return not found
        case "table":
            return found is not None and not found["rows"]
        case "text" | "value" | "word":
            texts = found if isinstance(found, list) else [found]
            return not any(str(each["text"] if isinstance(each, dict) else each or "").strip() for each in texts)
        case _:
            return False
