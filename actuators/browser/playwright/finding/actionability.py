"""Getting at the element that a selector names, in the page or its frames, and acting on it within an action's time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.explanations import (
    Attempt,
    explain_ambiguous,
    explain_failure,
    explain_missing,
)
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.persisting import AGAIN_S, LEAST_LOOK_S, is_undone
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.deadlines import Deadline, pause
from core.selectors.selectors import SelectorSpec, parse_selector, parse_single_selector
from core.tools.ports import ActionContext

T = TypeVar("T")

# How long a control or field is looked for in the main frame of a page that has no other frame yet.
FIRST_LOOK_S = 1.0
LOOK_AGAIN_S = 0.5
MOST_RESERVE_S = 1.5
MARGIN_S = 0.05


def begin_act(locator: Locator) -> Locator:
    """Return the same element; when it is resolved, the page is told that an act on it begins."""
    return locator.locator(engine_selector("act"))


@dataclass(slots=True)
class ActionTarget:
    """The element that an action is about.

    Attributes:
        locator: Where it is.
        page: Its page.
        timeout_s: Seconds that the action may take in all.
        first_limit_s: Time limit of the first call only; None for no other limit than the action's.
        frame: Frame that the selector is looked up in; None for the page's own.
    """

    locator: Locator
    page: Page
    timeout_s: float
    first_limit_s: float | None = None
    frame: Frame | None = None
    calls: int = field(default=0, init=False)
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock; it stops early enough to find out what was in the way."""
        self.deadline = Deadline(self.timeout_s - min(MOST_RESERVE_S, self.timeout_s * 0.15))

    def begin_again(self) -> None:
        """Count from the first call on again, in the time that is left."""
        self.calls, self.first_limit_s = 0, None

    @property
    def begun(self) -> Locator:
        """The same element; when it is resolved, the page is told that an act on it begins."""
        return begin_act(self.locator)

    def take_ms(self) -> float:
        """Return the time limit for the next Playwright call, in milliseconds."""
        self.calls += 1
        if self.calls == 1 and self.first_limit_s is not None:
            return min(self.first_limit_s * 1000, self.deadline.remaining_ms)
        return self.deadline.remaining_ms


async def act_patiently(aim: ActionTarget, act: Callable[[], Awaitable[T]]) -> T:
    """Do something with an element; again, where it failed for no fault of the page's before anything was done.

    Args:
        aim: The element.
        act: What to do; the first of its calls decides whether anything was done.
    """
    while True:
        aim.begin_again()
        try:
            return await act()
        except PlaywrightError as error:
            if aim.calls > 1 or not is_undone(error) or aim.deadline.remaining_s < LEAST_LOOK_S:
                raise
        await pause(AGAIN_S)


class Actionability:
    """Looks up selectors on the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session

    async def act(
        self,
        context: ActionContext,
        selector: str,
        act: Callable[[ActionTarget], Awaitable[T]],
        *,
        several: bool = False,
    ) -> T:
        """Do something with the one element that a selector names.

        Args:
            context: About this action.
            selector: The element.
            act: What to do; every Playwright call in it takes its time limit from ``take_ms``.
            several: Whether the selector may name several elements, which ``act`` then knows what to do with.

        Returns:
            What ``act`` returned.

        Raises:
            TargetError: If the element is missing, ambiguous or can't be acted on; says why.
            UnknownOutcomeError: If the act was begun and it isn't known how it ended.
        """
        spec = parse_selector(selector) if several else parse_single_selector(selector)
        page = self._session.current_page(context)
        aim = ActionTarget(build_locator(spec, page), page, context.timeout_s)
        try:
            return await act_patiently(aim, lambda: self._act_anywhere(spec, aim, act))
        except PlaywrightError as error:
            # Without the cause: its call log shows what was typed, passwords too.
            raise await explain_failure(error, make_attempt(spec, aim)) from None

    async def _act_anywhere(
        self, spec: SelectorSpec, aim: ActionTarget, act: Callable[[ActionTarget], Awaitable[T]]
    ) -> T:
        """Act in the main frame, or in another one where the main frame has no such element."""
        aim.frame, aim.locator = None, build_locator(spec, aim.page)
        if spec.is_ref:
            aim.frame = await _find_ref(spec, aim)
            aim.locator = build_locator(spec, aim.frame)
            return await act(aim)
        if not spec.searches_frames:
            return await act(aim)
        if len(aim.page.frames) == 1:
            aim.first_limit_s = FIRST_LOOK_S
            try:
                return await act(aim)
            except PlaywrightTimeoutError as error:
                failure = read_failure(error.message)
                if aim.calls > 1 or failure.was_performed or aim.deadline.remaining_s < LOOK_AGAIN_S:
                    raise
                aim.begin_again()
                if failure.was_found:
                    return await act(aim)
        aim.frame = await _find_frame(spec, aim)
        aim.locator = build_locator(spec, aim.frame or aim.page)
        return await act(aim)


async def _find_ref(spec: SelectorSpec, aim: ActionTarget) -> Frame:
    """Return the frame that a ref's element is in; what has gone never comes back, so nobody waits for it.

    Raises:
        TargetError: If it is in none.
    """
    frames = [aim.page.main_frame] if spec.frames else aim.page.frames
    counts = await asyncio.gather(*(_count(frame, spec) for frame in frames))
    for frame, count in zip(frames, counts, strict=True):
        if count:
            return frame
    raise await explain_missing(make_attempt(spec, aim))


async def _find_frame(spec: SelectorSpec, aim: ActionTarget) -> Frame | None:
    """Wait for the element in any frame and return that; None for the main frame, which comes first.

    Raises:
        TargetError: If it is in several frames and not in the main one.
    """
    main, others = aim.page.main_frame, []
    while True:
        if await _count(main, spec):
            return None
        others = [frame for frame in aim.page.frames if frame is not main]
        counts = await asyncio.gather(*(_count(frame, spec) for frame in others))
        found = [frame for frame, count in zip(others, counts, strict=True) if count]
        if len(found) == 1:
            return found[0]
        if found:
            raise await explain_ambiguous(make_attempt(spec, aim), found)
        if aim.deadline.remaining_s < LOOK_AGAIN_S:
            return None
        await _wait_anywhere(spec, aim.page)


async def _count(frame: Frame, spec: SelectorSpec) -> int:
    try:
        return await build_locator(spec, frame).count()
    except PlaywrightError as error:
        if read_failure(error.message).cause in {"closed", "fault"}:
            raise
        return 0  # the frame is on its way to another document, or gone


async def _wait_anywhere(spec: SelectorSpec, page: Page) -> None:
    """Return when a frame has the element, or after a while, because frames come and go."""
    waits = [
        asyncio.create_task(build_locator(spec, frame).first.wait_for(state="attached", timeout=LOOK_AGAIN_S * 1000))
        for frame in page.frames
    ]
    try:
        await asyncio.wait(waits, timeout=LOOK_AGAIN_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def make_attempt(spec: SelectorSpec, aim: ActionTarget) -> Attempt:
    """Return what was tried, for the error that says why it failed."""
    waited_s = aim.deadline.elapsed_s
    return Attempt(spec, aim.page, aim.locator, waited_s, aim.timeout_s - waited_s - MARGIN_S)
