"""One click: done by Playwright, proved by its receipt."""

import asyncio
import contextlib
import json
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.acting.concluding import check_sent, wait_for_arrival
from actuators.browser.playwright.acting.receipts import Receipt
from actuators.browser.playwright.direct.presses import PressWay, press_directly, read_receipt
from actuators.browser.playwright.direct.world import find_place
from actuators.browser.playwright.engine.scripts import AREA_MARK, FOLLOWING_MS, QUESTION_MARK, SETTLING_MS
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import add_loads, await_settled
from actuators.browser.playwright.session.watches import HappeningKind, Watch
from actuators.deadlines import Deadline, allow_s, finish_within, pause
from core.base.errors import TargetError, UnknownOutcomeError
from core.selectors.selectors import PlainSelector, parse_selector

POPUP_MS = 1000.0
LEAST_TRY_S = 0.1
READ_KINDS = frozenset({"text", "control"})
AGAIN_S = 0.05
_COVERED = "Timeout exceeded.\nCall log:\n  - locator resolved to <area>\n  - something intercepts pointer events"
NOTHING = "Nothing was clicked."
OUTCOMES: tuple[HappeningKind, ...] = ("navigated_to", "opened_tab", "closed_tab", "dialog", "download")


def text_of(selector: str) -> str:
    """Return the text by which a selector finds its element; empty where it finds it by something else."""
    core = parse_selector(selector).core
    return core.name if isinstance(core, PlainSelector) and core.kind in READ_KINDS else ""


class ClickAttempt:
    """A click that is about to be done."""

    def __init__(self, selector: str, receipt: Receipt, watch: Watch, way: PressWay, *, is_last: bool) -> None:
        self._selector = selector
        self._receipt = receipt
        self._watch = watch
        self._way = way
        self._is_last = is_last
        self._rest: tuple[str, ...] = ()  # what the press began and was not over when the time was
        self._options: dict[str, Any] = {"button": way.button, "click_count": way.count, "modifiers": way.modifiers}
        self._blocked: dict[str, Any] | None = None
        self._area: dict[str, float] | None = None  # where an area of a picture is pressed in it
        self._changed: list[str] = []
        self._is_partly_covered = False
        core = parse_selector(selector).core
        self._is_drawn = isinstance(core, PlainSelector) and core.kind == "look"

    async def perform(self, aim: ActionTarget) -> None:
        """Click, and make sure that the element received it; try again where the press was stopped in time.

        Raises:
            TargetError: If something else received it, or a half of it; or it answers a question about another thing than was chosen.
            UnknownOutcomeError: If its document was replaced before anybody could tell.
        """
        try:
            await self._perform(aim)
        except PlaywrightTimeoutError as error:
            is_covered = read_failure(error.message).cause == "covered" and not self._receipt.events
            has_time = aim.deadline.remaining_s > LEAST_TRY_S
            if not (is_covered and has_time and await probe(aim.locator, "spot", text=self._receipt.text)):
                raise
            self._is_partly_covered = True  # people click where they see it
            await self._perform(aim)
        except PlaywrightError as error:
            fault = read_failure(error.message).fault
            if fault is None or not fault.message.startswith(QUESTION_MARK):
                raise
            raise self._differing(aim, json.loads(fault.message.removeprefix(QUESTION_MARK))) from None

    async def _perform(self, aim: ActionTarget) -> None:
        while not await self._try(aim):
            if await self._had_effect(aim):
                return
            if not self._receipt.was_blocked or aim.deadline.remaining_s < LEAST_TRY_S:
                raise self._unreceived(aim, self._receipt.told)
            self._blocked = self._receipt.told
            self._receipt.reports.clear()
        if self._receipt.told and self._receipt.told["sends"] and self._receipt.told["refused"]:
            await check_sent(aim.locator, self._watch)
        if self._receipt.told and self._receipt.told["opens"] and not self._watch.has_opened_tab:
            with contextlib.suppress(PlaywrightTimeoutError):  # the page may have prevented it
                await aim.page.wait_for_event("popup", timeout=min(POPUP_MS, aim.take_ms()))

    async def _try(self, aim: ActionTarget) -> bool:
        earlier = len(self._watch.happenings("navigated_to"))
        try:
            await aim.insist_again(lambda left_ms: self._watch.run(self._press(aim, left_ms)))
        except PlaywrightError as error:
            failure = read_failure(error.message)
            if AREA_MARK in error.message:
                await self._find_area(aim)
                return await self._try(aim)
            if not await self._was_received_late(aim, error, earlier):
                await self._receipt.read()
                if self._receipt.events and not self._receipt.is_received:
                    return False  # the press has taken the element away, so that nothing was left to release on
                if self._blocked and failure.cause in {"missing", "moving"}:
                    raise self._unreceived(aim, self._blocked) from error
                raise
            await wait_for_arrival(aim, self._watch, earlier)  # it was clicked, and the page that it leads to is slow
        except asyncio.CancelledError:
            self._receipt.abandon()
            raise
        if not self._receipt.is_received and self._watch.held_dialog is None:
            await self._receipt.read()
        return self._receipt.is_received or self._watch.held_dialog is not None

    async def _press(self, aim: ActionTarget, limit_ms: float) -> None:
        limit = Deadline(allow_s(limit_ms / 1000))
        if not await self._press_directly(aim, limit_ms):
            options = self._options | await self._find_spot(aim, limit_ms)
            element = self._receipt.aim(aim.locator, limit_ms, in_picture=bool(self._area))
            await element.click(timeout=max(limit.remaining_ms, LEAST_TRY_S * 1000), **options)
            await self._await_end(aim)

    async def _press_directly(self, aim: ActionTarget, limit_ms: float) -> bool:
        is_plain = not (self._area or self._is_drawn or self._is_partly_covered or self._blocked)
        place = await find_place(aim.locator) if is_plain else None
        if place is None:
            return False
        told = await press_directly(
            place, "press", limit_ms, self._way, aim.page, receipt=self._receipt.query(limit_ms)
        )
        if told is None:
            return False
        receipt, _ = await read_receipt(place.world, self._receipt.token, aim.deadline.remaining_ms, told)
        if receipt:
            self._receipt.reports.append(receipt)
            rest = add_loads(receipt["rest"], aim.page)
            if rest["pending"] or (self._is_last and rest["following_ms"]):
                await self._await_end(aim)
        return True

    async def _await_end(self, aim: ActionTarget) -> None:
        """Wait for what the press has begun: it may lead to another page, and be refused."""
        limit_s = (FOLLOWING_MS if self._is_last else SETTLING_MS) / 1000
        reading = await await_settled(aim.page, min(limit_s, aim.deadline.remaining_s), is_last=self._is_last)
        self._rest = reading.under_way

    async def _was_received_late(self, aim: ActionTarget, error: PlaywrightError, earlier: int) -> bool:
        """Return whether the element got a click on which the page works for longer than was waited for it.

        That is waited for as long as the action may take, and the button is let go where that was cut off.
        """
        if not (read_failure(error.message).was_performed and isinstance(error, PlaywrightTimeoutError)):
            return False
        is_let_go = False
        while not self._receipt.is_received and not aim.deadline.is_over:
            if len(self._watch.happenings("navigated_to")) > earlier:
                break  # what it knew is gone
            events = self._receipt.events
            if not is_let_go and events.count("mousedown") > events.count("mouseup"):
                is_let_go = True
                with contextlib.suppress(TimeoutError):
                    await finish_within(aim.page.mouse.up(button=self._receipt.button), aim.deadline.remaining_s)
            await pause(AGAIN_S)
        return self._receipt.is_received

    async def _had_effect(self, aim: ActionTarget) -> bool:
        """Return whether the page has acted upon a press that no click followed, as menus do."""
        told = self._receipt.told
        if told is None or not self._receipt.events:
            return False
        for kind in OUTCOMES:
            if self._watch.outcomes(kind):
                self._changed.append(kind)
        if told.get("requests"):
            self._changed.append("requests")
        # Menus that open on the press lie over what was pressed when it is let go.
        self._changed += ["opened"] if told.get("opened") or told.get("over") else []
        is_gone = not (told["connected"] and told["visible"])
        if is_gone and told.get("changes") and not await aim.locator.filter(visible=True).count():
            self._changed.append("removed")
        return bool(self._changed)

    async def _find_spot(self, aim: ActionTarget, limit_ms: float) -> dict[str, Any]:
        """Return where to click on what is drawn, or was not met in its middle: its box may be mostly empty there."""
        if self._area:
            # Playwright sees the picture only, and the area as something over it; the receipt says who got the press.
            return {"force": True, "position": self._area}
        if not (self._is_drawn or self._is_partly_covered or self._blocked):
            return {}
        spot = await probe(aim.locator, "spot", limit_ms, text=self._receipt.text)
        # Playwright counts from a box that has the line around a shape in it; the page's own has not.
        box = await aim.locator.bounding_box(timeout=limit_ms) if spot else None
        return {"position": {"x": spot["x_px"] - box["x"], "y": spot["y_px"] - box["y"]}} if box else {}

    async def _find_area(self, aim: ActionTarget) -> None:
        limit = Deadline(aim.first_limit_s or aim.deadline.remaining_s)
        while (spot := await probe(aim.locator, "area", aim.deadline.remaining_ms)) is None:
            if limit.is_over:
                raise PlaywrightTimeoutError(_COVERED)
            await pause(AGAIN_S)
        self._area = {"x": spot["x_px"], "y": spot["y_px"]}

    def evidence(self) -> dict[str, Any]:
        """Return what received the click."""
        told = self._receipt.told or {}
        evidence: dict[str, Any] = {"received_by": told.get("received_by"), "events": self._receipt.events}
        if told.get("stopped_by"):
            evidence["stopped_by"] = told["stopped_by"]
        if self._rest:
            evidence["under_way"] = list(self._rest)
        if self._changed:
            evidence["changed"] = self._changed
        if self._receipt.page_errors:
            evidence["page_errors"] = self._receipt.page_errors
        return evidence

    def _differing(self, aim: ActionTarget, named: dict[str, str]) -> TargetError:
        return TargetError(
            f'{self._selector} answers a question about "{named["asked"]}", but "{named["chosen"]}" was chosen before. {NOTHING}',
            code="question_differs",
            hint="Look at the question; click again if it is meant.",
            evidence={"selector": self._selector, "url": aim.page.url, **named},
        )

    def _unreceived(self, aim: ActionTarget, told: dict[str, Any] | None) -> TargetError | UnknownOutcomeError:
        evidence = {"selector": self._selector, "url": aim.page.url, "waited_s": round(aim.deadline.elapsed_s, 3)}
        if told is None:
            return UnknownOutcomeError(
                f"{self._selector} was clicked while its page was being replaced; whether the click arrived is unknown.",
                hint="Check the page before you repeat it.",
                evidence=evidence,
            )
        if not told["connected"]:
            code, cause = "target_detached", "was removed from the page while it was being clicked"
        elif told["disabled"]:
            code, cause = "target_disabled", "became disabled while it was being clicked"
        elif told["events"] and not told["visible"]:
            code, cause = "target_hidden", "was hidden while it was being clicked"
        elif not told["events"] and not told["strays"]:
            code, cause = "target_moving", "did not stay under the pointer"
        else:
            code, cause = "target_covered", "moved away or was covered while it was being clicked"
        events = self._receipt.events if told is self._receipt.told else told["events"]
        got = f"it received only {', '.join(events)}" if events else "it received no press"
        error = TargetError(
            f"{self._selector} {cause}: {got} and no click.",
            code=code,
            hint="Check what the page shows now; the press may have had an effect." if events else NOTHING,
            evidence=evidence | {"received": events, "blocker": told["stray"], "element": told["received_by"]},
        )
        return error.after_act() if events or told["strays"] else error
