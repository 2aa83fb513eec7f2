"""Acting with the pointer, by Playwright."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.acting.clicks import ClickAttempt, text_of
from actuators.browser.playwright.acting.concluding import conclude
from actuators.browser.playwright.acting.dragging import drag_by, drag_onto
from actuators.browser.playwright.acting.focusing import focus_beside, focus_element
from actuators.browser.playwright.acting.gestures import draw, mark_text, scroll_element, scroll_page, stay_over
from actuators.browser.playwright.acting.receipts import ReceiptDesk
from actuators.browser.playwright.acting.revealing import RevealPath, reveal
from actuators.browser.playwright.direct.presses import PressWay, hover_directly
from actuators.browser.playwright.direct.world import find_place
from actuators.browser.playwright.finding.actionability import Actionability, ActionTarget, make_attempt
from actuators.browser.playwright.finding.batch import MOST_CHARS, PlaywrightPages, act_on_each, read_each
from actuators.browser.playwright.finding.explanations import explain_failure
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.locators import build_held, build_holding, build_locator
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import UNSETTLED
from actuators.browser.playwright.looking.expecting import ShownValue, act_until
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.ports.acts import PLAIN_CLICK, ClickRequest, DragRequest, DrawRequest, ScrollRequest
from actuators.browser.ports.pages import Done
from actuators.browser.ports.values import sort_texts
from actuators.deadlines import Deadline, allow_s
from core.base.errors import ActionError, TargetError
from core.rules.browser_choices import FocusMove, RevealMethod
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector, parse_single_selector, render_selector
from core.tools.ports import ActionContext


class PlaywrightPointer(PlaywrightPages):
    """Acts with the pointer on the pages of a session."""

    acts = True

    def __init__(self, session: PlaywrightSession) -> None:
        super().__init__(session)
        self._receipts = ReceiptDesk()

    async def click(self, context: ActionContext, selector: str, request: ClickRequest = PLAIN_CLICK) -> Done:
        """Click an element, and succeed only if that very element received the click."""
        if request.until is None:
            return await self._click_once(context, selector, request)
        page, done = self._session.current_page(context), [Done({}, is_sure=True)]

        async def click_again() -> None:
            done.append(await self._click_once(context, selector, request))

        wanted = ShownValue(request.until, request.value)
        facts = await act_until(page, wanted, click_again, Deadline(context.timeout_s))
        return replace(done[-1], facts={**done[-1].facts, **facts})

    async def _click_once(self, context: ActionContext, selector: str, request: ClickRequest) -> Done:
        page = self._session.current_page(context)
        by = request.reveal
        async with self._session.watch(context) as watch:
            revealed = {"revealed": (await self._reveal(context, selector, by, watch)).output()} if by else {}

            async def click_it(aim: ActionTarget) -> Done:
                with self._receipts.open(page, request.button, request.count, text_of(selector)) as receipt:
                    way = PressWay(request.button, request.count, request.modifiers)
                    click = ClickAttempt(selector, receipt, watch, way, is_last=not context.followers)
                    await click.perform(aim)
                return Done(click.evidence(), receipt.is_sure)

            done = await act_on_each(self._reacher, context, selector, click_it, request.order)
            return await conclude(replace(done, facts={**done.facts, **revealed}), watch, page)

    async def hover(self, context: ActionContext, selector: str, seconds: float | None = None) -> Done:
        """Move the pointer onto an element, and keep it there."""

        async def hover_over(aim: ActionTarget) -> dict[str, Any]:
            if seconds is not None:  # what moves never stands still for a hover of Playwright's
                return await stay_over(aim, seconds)
            await _point_at(aim)
            seen = await probe(aim.locator, "hovered")
            return {"hovered": seen["hovered"], "on_top": seen["on_top"]}

        async with self._session.watch(context) as watch:
            facts = await self._reacher.act(context, selector, hover_over)
            return Done(facts, bool(facts["hovered"]), meanwhile=watch.evidence())

    async def focus(self, context: ActionContext, selector: str) -> Done:
        """Give an element the keyboard focus."""
        async with self._session.watch(context) as watch:
            seen = await self._reacher.act(context, selector, lambda aim: focus_element(aim, selector))
            return _tell_settled(seen, watch)

    async def move_focus(self, context: ActionContext, move: FocusMove) -> Done:
        """Give the keyboard focus to the field beside the one that has it."""
        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            return _tell_settled(await focus_beside(page, move, context.timeout_s), watch)

    async def mark(self, context: ActionContext, selector: str, text: str | None) -> Done:
        """Mark text."""
        async with self._session.watch(context) as watch:
            seen = await self._reacher.act(context, selector, lambda aim: mark_text(aim, selector, text))
            return _tell_settled(seen, watch)

    async def drag(self, context: ActionContext, selector: str, request: DragRequest) -> Done:
        """Drag an element onto another one or by an offset."""

        async def drag_it(aim: ActionTarget) -> Done:
            if request.target is None:
                facts = await drag_by(aim, request.offset or (0, 0))
            else:
                onto = await self._reacher.act(context, request.target, _find)
                several = parse_selector(selector).names_several
                facts = await drag_onto(aim, onto, is_one_of_several=several, side=request.side)
            return Done(facts, bool(facts.pop("moved")) and UNSETTLED not in facts)

        async with self._session.watch(context) as watch:
            done = await act_on_each(self._reacher, context, selector, drag_it)
            return await conclude(done, watch, self._session.current_page(context))

    async def draw(self, context: ActionContext, selector: str, request: DrawRequest) -> Done:
        """Draw a line with the pointer."""
        async with self._session.watch(context) as watch:
            facts = await self._reacher.act(context, selector, lambda aim: draw(aim, request))
            return Done(facts, bool(facts["changed"]), meanwhile=watch.evidence())

    async def arrange(self, context: ActionContext, selector: str, order: str | Sequence[str]) -> Done:
        """Drag things until they stand in order."""
        async with self._session.watch(context) as watch:
            drag = partial(drag_onto, side="before")
            facts = await arrange(self._reacher, context, selector, order, drag)
            return Done(facts, meanwhile=watch.evidence())

    async def scroll(self, context: ActionContext, selector: str | None, request: ScrollRequest) -> Done:
        """Scroll the page or a scrolling element."""
        if selector is None:
            facts = await scroll_page(self._session.current_page(context), request, context.timeout_s)
        else:
            facts = await self._reacher.act(context, selector, lambda aim: scroll_element(aim, request))
        after, at_end = facts["after"], facts["at_end"]
        is_sure = facts["before"] != after or (request.to is not None and bool(at_end))
        return Done(facts, is_sure, {"x_px": after["x_px"], "y_px": after["y_px"], "at_end": at_end})

    async def reveal(self, context: ActionContext, selector: str, by: RevealMethod) -> Done:
        """Bring an element into sight."""
        async with self._session.watch(context) as watch:
            trail = await self._reveal(context, selector, by, watch)
            return Done(trail.evidence(), trail.in_view, trail.output(), watch.evidence())

    async def _reveal(self, context: ActionContext, selector: str, by: RevealMethod, watch: Watch) -> RevealPath:
        spec = parse_single_selector(selector)
        page = self._session.current_page(context)
        aim = ActionTarget(build_locator(spec, page), page, context.timeout_s)
        try:
            return await reveal(spec, aim, watch, by)
        except PlaywrightError as error:
            raise await explain_failure(error, make_attempt(spec, aim)) from None


def _tell_settled(facts: Mapping[str, Any], watch: Watch) -> Done:
    return Done(facts, UNSETTLED not in facts, meanwhile=watch.evidence())


async def _point_at(aim: ActionTarget) -> None:
    limit = Deadline(allow_s(aim.take_ms() / 1000))
    place = await find_place(aim.locator)
    if place is None or not await hover_directly(place, limit.remaining_ms, aim.page):
        await aim.locator.hover(timeout=max(limit.remaining_ms, 100))


async def _find(aim: ActionTarget) -> ActionTarget:
    await aim.locator.wait_for(state="visible", timeout=aim.take_ms())
    return aim


DragBefore = Callable[[ActionTarget, ActionTarget], Awaitable[Any]]

ANSWER_S = 1.0  # for a page to show things in their new places


async def arrange(
    reacher: Actionability, context: ActionContext, selector: str, order: str | Sequence[str], drag: DragBefore
) -> dict[str, Any]:
    """Drag the things of a plain form until they stand in order; ``value_differs`` if the page puts them elsewhere."""
    spec = parse_selector(selector)
    if not isinstance(spec.core, PlainSelector) or not spec.names_several:
        raise TargetError(
            f"{selector.strip()} names no set of things to put in order.",
            code="bad_selector",
            hint="For example: every listitem.",
        )
    before = now = await _read_texts(reacher, context, selector)
    wanted, moves = sort_texts(before, order), 0
    while now != wanted and moves < len(wanted) * 2:
        place = next(at for at, text in enumerate(now) if text != wanted[at])
        from_place = now.index(wanted[place], place)
        await _move_thing(reacher, context, spec, (from_place, place), drag)
        moves += 1
        now = await ask_until(lambda: _read_texts(reacher, context, selector), partial(_has_changed, now), ANSWER_S)
    if now != wanted:
        raise ActionError(
            f"{selector.strip()} is still not in order after {moves} drags: {', '.join(now)}.",
            code="value_differs",
            hint="Check whether these things can be dragged.",
            evidence={"before": before, "after": now, "wanted": wanted, "moves": moves},
        )
    return {"before": before, "after": now, "moves": moves}


async def _read_texts(reacher: Actionability, context: ActionContext, selector: str) -> list[str]:
    found = await read_each(reacher, context, selector, "text", most=MOST_CHARS)
    return [" ".join(each["text"].split()) for each in found]


async def _move_thing(
    reacher: Actionability, context: ActionContext, spec: SelectorSpec, places: tuple[int, int], drag: DragBefore
) -> None:
    selector = render_selector(SelectorSpec("", spec.core, spec.frames))
    await reacher.act(context, selector, lambda aim: _drag_held(aim, spec, places, drag), several=True)


async def _drag_held(aim: ActionTarget, spec: SelectorSpec, places: tuple[int, int], drag: DragBefore) -> None:
    # Held, since a number is another thing's as soon as one of them moves.
    token, root = secrets.token_hex(8), aim.frame or aim.page
    await build_holding(spec, root, token).count()
    dragged, other = (replace(aim, locator=build_held(spec, root, token, at)) for at in places)
    dragged.deadline = other.deadline = aim.deadline
    try:
        await drag(dragged, other)
    except ActionError as error:
        if error.code != "state_not_kept":  # what came of it is read from all of them together
            raise


def _has_changed(before: Sequence[str], now: Sequence[str]) -> bool:
    return now != before and len(now) == len(before)
