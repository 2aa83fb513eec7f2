"""Acting with the pointer, by Playwright."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.aiming import describe_page, describe_target
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.clicks import Click, text_of
from actuators.browser.playwright.concluding import conclude
from actuators.browser.playwright.dragging import drag_by, drag_onto
from actuators.browser.playwright.explanations import explain_failure
from actuators.browser.playwright.focusing import focus_beside, focus_element
from actuators.browser.playwright.locators import build_locator
from actuators.browser.playwright.marking import mark_text
from actuators.browser.playwright.probes import probe
from actuators.browser.playwright.reaching import Aim, Reacher, make_attempt
from actuators.browser.playwright.receipts import ReceiptDesk
from actuators.browser.playwright.revealing import reveal
from actuators.browser.playwright.scenes import SceneShowing
from actuators.browser.playwright.scrolling import ScrollRequest, scroll_element, scroll_page
from actuators.browser.playwright.settling import UNSETTLED
from actuators.browser.playwright.several import act_on_each
from actuators.browser.playwright.watches import Watch
from actuators.browser.tools.pointer import FocusMove, PointerTools, Side
from actuators.browser.tools.toolset import Direction, Modifier, MouseButton, Uncovering
from actuators.browser.uncovering import Trail
from core.errors import InputError
from core.ports import ActionContext
from core.results import Effect, ToolOutcome
from core.selectors import parse_selector, parse_single_selector


class PlaywrightPointer(SceneShowing, PointerTools):
    """Acts with the pointer on the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Remember the session.

        Args:
            session: Whose pages to act on.
        """
        self._session = session
        self._reacher = Reacher(session)
        self._receipts = ReceiptDesk()

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        if verb == "reveal":  # what it is about isn't there yet
            return describe_page(self._session, context)
        return await describe_target(self._session, context, args)

    async def click(
        self,
        context: ActionContext,
        selector: str,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: tuple[Modifier, ...] = (),
        reveal: Uncovering | None = None,
    ) -> ToolOutcome:
        """Click an element, and succeed only if that very element received the click."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            revealed = {"revealed": (await self._reveal(context, selector, reveal, watch)).output()} if reveal else {}

            async def click_it(aim: Aim) -> ToolOutcome:
                with self._receipts.open(page, button, count, text_of(selector)) as receipt:
                    options = {"button": button, "click_count": count, "modifiers": modifiers}
                    click = Click(selector, receipt, watch, options)
                    await click.perform(aim)
                undo = "A click can't be taken back; what it did may be."
                return ToolOutcome({}, "confirmed" if click.is_sure else "unverified", click.evidence(), undo)

            outcome = await act_on_each(self._reacher, context, selector, click_it)
            return conclude(replace(outcome, evidence={**outcome.evidence, **revealed}), watch, page)

    async def hover(self, context: ActionContext, selector: str) -> ToolOutcome:
        """Move the pointer onto an element."""

        async def hover_over(aim: Aim) -> dict[str, Any]:
            await aim.locator.hover(timeout=aim.take_ms())
            return await probe(aim.locator, "hovered")

        async with self._session.watch(context) as watch:
            seen = await self._reacher.act(context, selector, hover_over)
            evidence = {"hovered": seen["hovered"], "on_top": seen["on_top"], **watch.evidence()}
        effect = "confirmed" if seen["hovered"] else "unverified"
        return ToolOutcome(evidence=evidence, effect=effect, undo="Move the pointer elsewhere.")

    async def focus(
        self, context: ActionContext, selector: str | None = None, move: FocusMove | None = None
    ) -> ToolOutcome:
        """Give an element the keyboard focus."""
        if (selector is None) == (move is None):
            raise InputError("focus needs either a selector or a move.", hint="For example move: next.")
        async with self._session.watch(context) as watch:
            if selector is not None:
                seen = await self._reacher.act(context, selector, lambda aim: focus_element(aim, selector))
            else:
                page = self._session.current_page(context)
                seen = await focus_beside(page, move or "next", context.timeout_s)
            evidence = {**seen, **watch.evidence()}
        return ToolOutcome(evidence=evidence, effect=_judge(seen), undo="Focus another element.")

    async def mark(self, context: ActionContext, selector: str, text: str | None = None) -> ToolOutcome:
        """Mark text."""
        async with self._session.watch(context) as watch:
            seen = await self._reacher.act(context, selector, lambda aim: mark_text(aim, selector, text))
            evidence = {**seen, **watch.evidence()}
        return ToolOutcome(evidence=evidence, effect=_judge(seen), undo="Mark something else.")

    async def drag(
        self,
        context: ActionContext,
        selector: str,
        target: str | None = None,
        offset: tuple[float, float] | None = None,
        side: Side | None = None,
    ) -> ToolOutcome:
        """Drag an element onto another one or by an offset."""
        if (target is None) == (offset is None):
            raise InputError("drag needs either a target or an offset.", hint='For example target: text "Bin".')

        async def drag_it(aim: Aim) -> ToolOutcome:
            if target is None:
                evidence = await drag_by(aim, offset or (0, 0))
            else:
                onto = await self._reacher.act(context, target, _find)
                several = parse_selector(selector).names_several
                evidence = await drag_onto(aim, onto, is_one_of_several=several, side=side)
            effect = "confirmed" if evidence.pop("moved") and UNSETTLED not in evidence else "unverified"
            return ToolOutcome({}, effect, evidence, "Drag it back.")

        async with self._session.watch(context) as watch:
            outcome = await act_on_each(self._reacher, context, selector, drag_it)
            return conclude(outcome, watch, self._session.current_page(context))

    async def scroll(
        self,
        context: ActionContext,
        direction: Direction = "down",
        amount: float = 1,
        unit: Literal["page", "pixel"] = "page",
        selector: str | None = None,
        to: Literal["top", "bottom"] | None = None,
    ) -> ToolOutcome:
        """Scroll the page or a scrolling element."""
        request = ScrollRequest(direction, amount, unit, to)
        if selector is None:
            found = await scroll_page(self._session.current_page(context), request, context.timeout_s)
        else:
            found = await self._reacher.act(context, selector, lambda aim: scroll_element(aim, request))
        output = {"x_px": found["after"]["x_px"], "y_px": found["after"]["y_px"], "at_end": found["at_end"]}
        moved = found["before"] != found["after"]
        effect = "confirmed" if moved or (to and found["at_end"]) else "unverified"
        return ToolOutcome(output, effect, evidence=found, undo="Scroll back.")

    async def reveal(self, context: ActionContext, selector: str, by: Uncovering = "any") -> ToolOutcome:
        """Bring an element into sight."""
        async with self._session.watch(context) as watch:
            trail = await self._reveal(context, selector, by, watch)
            evidence = {**trail.evidence(), **watch.evidence()}
        effect = "confirmed" if trail.in_view else "unverified"
        return ToolOutcome(trail.output(), effect, evidence, undo="Close what was opened, or go back.")

    async def _reveal(self, context: ActionContext, selector: str, by: Uncovering, watch: Watch) -> Trail:
        spec = parse_single_selector(selector)
        page = self._session.current_page(context)
        aim = Aim(build_locator(spec, page), page, context.timeout_s)
        try:
            return await reveal(spec, aim, watch, by)
        except PlaywrightError as error:
            raise await explain_failure(error, make_attempt(spec, aim)) from None


def _judge(evidence: Mapping[str, Any]) -> Effect:
    return "unverified" if UNSETTLED in evidence else "confirmed"


async def _find(aim: Aim) -> Aim:
    await aim.locator.wait_for(state="visible", timeout=aim.take_ms())
    return aim
