"""Getting at the element that a selector names, in the page or its frames, and acting on it within an action's time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.direct.world import name_document
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import AGAIN_S, LEAST_LOOK_S, answer_or, is_undone, read_failure
from actuators.browser.playwright.finding.explanations import (
    Attempt,
    explain_ambiguous,
    explain_failure,
    explain_missing,
)
from actuators.browser.playwright.finding.idling import BUILDING, IdleWatch, Patience, await_calm
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import await_state, count_matches
from actuators.browser.playwright.finding.witnessing import is_noting, note_sight, tell_miss
from actuators.deadlines import Deadline, pause
from core.base.errors import TargetError
from core.selectors.selectors import SelectorSpec, parse_selector, parse_single_selector
from core.tools.ports import ActionContext

if TYPE_CHECKING:
    from actuators.browser.playwright.session.browser_session import PlaywrightSession

T = TypeVar("T")

# How long an element is looked for, or tried, before the page is asked whether it is idle; and between two questions.
FIRST_LOOK_S = 1.0
LOOK_AGAIN_S = 0.5
NEXT_LOOK_S = 0.2
# How long two elements for one are waited for to become one again, and without what change they stay two.
DOUBLE_S = 1.0
STEADY_MS = 100.0
# Who gives less time than this wants no waiting for more than the element.
LEAST_CALM_S = 2.0
# Of a document there is always something to ask, and it takes as long as it takes.
WHOLE = ":root"
MOST_RESERVE_S = 1.5
MARGIN_S = 0.05


def begin_act(locator: Locator) -> Locator:
    """Return the same element; when it is resolved, the page is told that an act on it begins."""
    return locator.locator(engine_selector("act"))


@dataclass(slots=True)
class ActionTarget:
    """The element that an action is about.

    Attributes:
        first_limit_s: Time limit of the first call only; None for no other limit than the action's.
        frame: Frame that the selector is looked up in; None for the page's own.
        idle: Knows that nothing more came while the page was idle; None where that isn't why it was given up.
        watch: Tells whether the page is idle; None where nobody asks.
    """

    locator: Locator
    page: Page
    timeout_s: float
    first_limit_s: float | None = None
    frame: Frame | None = None
    idle: IdleWatch | None = None
    watch: IdleWatch | None = None
    calls: int = field(default=0, init=False)
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.timeout_s - min(MOST_RESERVE_S, self.timeout_s * 0.15))

    def begin_again(self, first_limit_s: float | None = None) -> None:
        """Count from the first call on again, in the time that is left; the limit is the first call's only."""
        self.calls, self.first_limit_s = 0, first_limit_s

    def find_slice(self) -> float | None:
        """Return for how many seconds a call is tried before the page is asked whether it is idle; None for all that is left."""
        has_time = self.deadline.remaining_s > FIRST_LOOK_S + LOOK_AGAIN_S
        return FIRST_LOOK_S if has_time and self.watch else None

    async def check_busy(self, error: PlaywrightTimeoutError) -> None:
        """Go on if something is going on in the page, so that another try may end otherwise; else raise what the last one ended with."""
        if self.watch and await self.watch.is_idle(self.deadline.remaining_s):
            self.idle = self.watch
            raise error

    async def insist(self, call: Callable[[float], Awaitable[T]]) -> T:
        """Make one call, in the milliseconds that it is given, that needs the element to be acted on; again, until it can be or the page is idle."""
        is_slow = False
        while True:
            limit_s = None if is_slow else self.find_slice()
            left_ms = self.take_ms()
            try:
                return await call(left_ms if limit_s is None else min(left_ms, limit_s * 1000))
            except PlaywrightTimeoutError as error:
                failure = read_failure(error.message)
                if limit_s is None or failure.was_performed:
                    raise
                is_slow = failure.is_slow
                if not is_slow:
                    await self.check_busy(error)

    async def insist_again(self, call: Callable[[float], Awaitable[T]]) -> T:
        """Make one call as ``insist`` does where it isn't the first, which whoever began it makes again."""
        return await (self.insist(call) if self.calls else call(self.take_ms()))

    @property
    def begun(self) -> Locator:
        """The same element; when it is resolved, the page is told that an act on it begins."""
        return begin_act(self.locator)

    def refuse(self, message: str, hint: str = "", code: str = "target_unsuitable", **evidence: Any) -> TargetError:
        """Return the error for an element that is not fit for what is asked, or not now."""
        return TargetError(message, code=code, hint=hint, evidence={"url": self.page.url, **evidence})

    def take_ms(self) -> float:
        """Return the time limit for the next Playwright call, in milliseconds."""
        self.calls += 1
        if self.calls == 1 and self.first_limit_s is not None:
            return min(self.first_limit_s * 1000, self.deadline.remaining_ms)
        return self.deadline.remaining_ms


async def act_patiently(aim: ActionTarget, act: Callable[[], Awaitable[T]]) -> T:
    """Do something with an element; again, where it failed for no fault of the page's before the act's first call."""
    change = IdleWatch(lambda: list(aim.page.frames))
    while True:
        aim.begin_again()
        try:
            return await act()
        except PlaywrightError as error:
            if aim.calls > 1 or aim.deadline.remaining_s < LEAST_LOOK_S:
                raise
            if not is_undone(error) and not await _is_passing_double(error, aim, change):
                raise
        await pause(AGAIN_S)


async def _is_passing_double(error: PlaywrightError, aim: ActionTarget, change: IdleWatch) -> bool:
    """Tell whether several elements fit while the page is changing: what goes may be there beside what comes for a while.

    Of several that are all hidden none is meant yet; the one that is may be on its way, as long as the page is busy.
    """
    if read_failure(error.message).cause != "ambiguous":
        return False
    are_hidden = not await aim.locator.locator("visible=true").count()
    if await aim.locator.count() < 2:  # asked last: what came in place of several meanwhile is not one of them
        return True
    if are_hidden and not await (aim.watch or change).is_idle(aim.deadline.remaining_s):
        return True
    if aim.deadline.elapsed_s > DOUBLE_S:
        return False
    await change.is_idle(aim.deadline.remaining_s)
    return change.quiet_ms < STEADY_MS or "animations" in change.busy


class Actionability:
    """Looks up selectors on the pages of a session."""

    def __init__(self, session: "PlaywrightSession", *, acts: bool = False) -> None:
        """Look things up; pages that are changed, and not only looked at, are waited for until they stand still."""
        self._session = session
        self._acts = acts

    async def act(
        self,
        context: ActionContext,
        selector: str,
        act: Callable[[ActionTarget], Awaitable[T]],
        *,
        several: bool = False,
        patience: Patience = "brief",
    ) -> T:
        """Do something with the one element that a selector names.

        An element that is missing or in no state to be acted on is waited for until the page has been idle for a while, at most the
        action's time.

        Args:
            act: What to do; every Playwright call in it takes its time limit from ``take_ms``. Before the second of them it may be begun again.
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
            return await act_patiently(
                aim, lambda: _act_anywhere(spec, aim, partial(self._act_calmly, context, spec, act), patience)
            )
        except PlaywrightError as error:
            # Without the cause: its call log shows what was typed, passwords too.
            failure = await explain_failure(error, make_attempt(spec, aim))
            raise await tell_miss(self._session, context, selector, failure, _find_rest(aim)) from None
        except TargetError as error:
            raise await tell_miss(self._session, context, selector, error, _find_rest(aim)) from None

    async def _act_calmly(
        self, context: ActionContext, spec: SelectorSpec, act: Callable[[ActionTarget], Awaitable[T]], aim: ActionTarget
    ) -> T:
        calm = self._session.listener.calm
        is_calm = calm.get(aim.page) == name_document(aim.page)
        if self._acts and not is_calm and aim.deadline.remaining_s > LEAST_CALM_S:
            seen = await await_state(aim.locator, "attached", aim.take_ms(), then=[BUILDING])
            frames = [aim.page.main_frame, *([aim.frame] if aim.frame else [])]
            await await_calm(aim.page, frames, aim.deadline.remaining_s, seen=seen)
            calm[aim.page] = name_document(aim.page)
            aim.begin_again(aim.first_limit_s)
        if spec.source == WHOLE or not is_noting(self._session, context, spec.source):
            return await act(aim)
        if not self._acts:
            result = await act(aim)
            if await _is_there(aim.locator):
                await note_sight(self._session, context, spec.source, aim.locator)
            return result
        await await_state(aim.locator, "attached", aim.take_ms())
        await note_sight(self._session, context, spec.source, aim.locator)
        aim.begin_again(aim.first_limit_s)
        return await act(aim)


async def _act_anywhere(
    spec: SelectorSpec, aim: ActionTarget, act: Callable[[ActionTarget], Awaitable[T]], patience: Patience
) -> T:
    aim.frame, aim.locator = None, build_locator(spec, aim.page)
    if spec.is_ref:
        aim.frame = await _find_ref(spec, aim)
        aim.locator = build_locator(spec, aim.frame)
    if spec.source == WHOLE:
        return await act(aim)
    aim.watch = watch = IdleWatch(lambda: _list_frames(spec, aim.page), patience)
    if spec.searches_frames and len(aim.page.frames) > 1 and not await _is_there(aim.locator):
        await _find_anywhere(spec, aim, watch)
    return await act_insistently(aim, act, lambda: _find_anywhere(spec, aim, watch))


async def act_insistently(
    aim: ActionTarget, act: Callable[[ActionTarget], Awaitable[T]], find: Callable[[], Awaitable[None]] | None = None
) -> T:
    """Do something with an element, begun again until it can be done or the page is idle; ``find`` waits for it."""
    is_slow = False
    while True:
        limit_s = None if is_slow else aim.find_slice()
        aim.begin_again(limit_s)
        try:
            return await act(aim)
        except PlaywrightTimeoutError as error:
            failure = read_failure(error.message)
            if limit_s is None or aim.calls > 1 or failure.was_performed:
                raise
            # A page that is busy may not even have been looked through in a slice of the time.
            is_slow = failure.is_slow or (not failure.was_found and await _is_there(aim.locator))
            if is_slow:
                continue
            await aim.check_busy(error)
            if find and not failure.was_found:
                await find()


def _find_rest(aim: ActionTarget) -> float:
    return aim.timeout_s - aim.deadline.elapsed_s - 2 * MARGIN_S


async def _is_there(locator: Locator) -> bool:
    return await answer_or(count_matches(locator), 0) > 0


def _list_frames(spec: SelectorSpec, page: Page) -> list[Frame]:
    return list(page.frames) if spec.searches_frames or spec.frames else [page.main_frame]


async def _find_ref(spec: SelectorSpec, aim: ActionTarget) -> Frame:
    """Return the frame that a ref's element is in; what has gone never comes back, so nobody waits for it."""
    found = await _find_frames(spec, [aim.page.main_frame] if spec.frames else aim.page.frames)
    if not found:
        raise await explain_missing(make_attempt(spec, aim))
    return found[0]


async def _find_anywhere(spec: SelectorSpec, aim: ActionTarget, watch: IdleWatch) -> None:
    """Wait for the element in any frame that it may be in and aim at it there; the main frame comes first.

    Returns also where the time is nearly over or the page is idle: what is tried then says what is wrong.
    """
    main = aim.page.main_frame
    while True:
        frames = aim.page.frames if spec.searches_frames else [main]
        found = await _find_frames(spec, frames)
        if found and found[0] is not main and len(found) > 1:
            raise await explain_ambiguous(make_attempt(spec, aim), found)
        if found:
            aim.frame = None if found[0] is main else found[0]
            aim.locator = build_locator(spec, aim.frame or aim.page)
            return
        if aim.deadline.remaining_s < LOOK_AGAIN_S:
            return
        if await watch.is_idle(aim.deadline.remaining_s):
            aim.idle = watch
            raise await explain_missing(make_attempt(spec, aim))
        await _wait_anywhere(spec, frames)


async def _find_frames(spec: SelectorSpec, frames: Sequence[Frame]) -> list[Frame]:
    counts = await asyncio.gather(*(_count(frame, spec) for frame in frames))
    return [frame for frame, count in zip(frames, counts, strict=True) if count]


async def _count(frame: Frame, spec: SelectorSpec) -> int:
    try:
        return await build_locator(spec, frame).count()
    except PlaywrightError as error:
        if read_failure(error.message).cause in {"closed", "fault"}:
            raise
        return 0  # the frame is on its way to another document, or gone


async def _wait_anywhere(spec: SelectorSpec, frames: Sequence[Frame]) -> None:
    waits = [
        asyncio.create_task(build_locator(spec, frame).first.wait_for(state="attached", timeout=NEXT_LOOK_S * 1000))
        for frame in frames
    ]
    try:
        await asyncio.wait(waits, timeout=NEXT_LOOK_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def make_attempt(spec: SelectorSpec, aim: ActionTarget) -> Attempt:
    """Return what was tried, for the error that says why it failed."""
    waited_s = aim.deadline.elapsed_s
    return Attempt(spec, aim.page, aim.locator, waited_s, aim.timeout_s - waited_s - MARGIN_S, aim.idle)
