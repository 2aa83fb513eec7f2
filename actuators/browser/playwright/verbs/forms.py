"""Filling in forms, by Playwright."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.acting.concluding import check_sent, conclude, wait_for_arrival
from actuators.browser.playwright.acting.focusing import find_focused_frame
from actuators.browser.playwright.acting.receipts import ReceiptDesk
from actuators.browser.playwright.controls.choosing import Chosen, choose_options
from actuators.browser.playwright.controls.controls import PageControl, SettingResult
from actuators.browser.playwright.controls.entering import (
    EMPTIED,
    NOT_TAKEN,
    FieldEntry,
    enter_secret,
    enter_text,
    hold_on,
)
from actuators.browser.playwright.controls.filling import Filler
from actuators.browser.playwright.controls.focused import type_into_focus
from actuators.browser.playwright.controls.sections import enter_sections
from actuators.browser.playwright.controls.setting import set_control
from actuators.browser.playwright.controls.ticking import tick_box
from actuators.browser.playwright.controls.uploading import list_files, put_files
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import WHOLE, ActionTarget
from actuators.browser.playwright.finding.batch import PlaywrightPages, act_on_each
from actuators.browser.playwright.finding.settling import UNSETTLED
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.acts import TypingRequest, Value
from actuators.browser.ports.pages import Done
from core.base.errors import ActionError
from core.goals.secret_values import Secret
from core.tools.ports import ActionContext

# Evidence that the field does not hold what was typed, or can't be asked.
SENDING_KEY = "Enter"
# A part of Playwright's message.
NOT_WRITABLE = "Element is not an <input>"
UNSURE = frozenset({"reformatted_from", "field_gone", "left_page", "pressed", "unread", UNSETTLED, NOT_TAKEN, EMPTIED})


async def _enter(aim: ActionTarget, entry: FieldEntry) -> dict[str, Any]:
    try:
        return await enter_text(aim, entry)
    except (ActionError, PlaywrightError) as error:
        is_refused = isinstance(error, ActionError) or NOT_WRITABLE in error.message
        facts = await enter_sections(aim, entry.text) if is_refused and entry.mode == "replace" else None
        if facts is None:
            raise
        return facts


class PlaywrightForms(PlaywrightPages):
    """Fills in forms on the pages of a session."""

    acts = True

    def __init__(self, session: PlaywrightSession) -> None:
        super().__init__(session)
        self._receipts = ReceiptDesk()

    async def type(self, context: ActionContext, selector: str | None, request: TypingRequest) -> Done:
        """Put text into a field, losslessly, or into what has the focus, and read it back."""
        text, mode = request.text, request.mode
        async with self._session.watch(context) as watch:

            async def type_it(aim: ActionTarget) -> dict[str, Any]:
                if selector is None:
                    facts = await type_into_focus(aim, str(text), mode)
                elif isinstance(text, Secret):
                    entry = FieldEntry(selector, "", mode or "replace")
                    facts = await enter_secret(aim, entry, text, context, self._session.traces)
                else:
                    entry = FieldEntry(selector, text, mode or "replace", is_last=not request.submit)
                    facts = await _enter(aim, entry)
                    facts |= await hold_on(aim, is_last=_ends(context, facts) and not request.submit)
                if request.submit and "field_gone" in facts:
                    facts |= {"submitted": False, "note": "Enter was not pressed, since the field was gone by then."}
                elif request.submit:
                    await watch.run(_press_enter(aim, is_named=selector is not None))
                    facts["submitted"] = bool(await check_sent(aim.locator, watch))
                    facts.pop(NOT_TAKEN, None)
                return facts

            page = self._session.current_page(context)
            facts = await self._reacher.act(context, selector or WHOLE, type_it)
            output = {} if "value" not in facts else {"value": facts["value"]}
            is_sure = not UNSURE & facts.keys() and bool(facts.get("submitted", True))
            return await conclude(Done(facts, is_sure, output), watch, page)

    async def press(self, context: ActionContext, selector: str | None, keys: str) -> Done:
        """Press a key or a combination."""
        page = self._session.current_page(context)
        with self._receipts.open(page, "left", 1) as receipt:
            watched = engine_selector("key", token=receipt.token)
            async with self._session.watch(context) as watch:

                async def press_it(aim: ActionTarget) -> None:
                    earlier = len(watch.happenings("navigated_to"))
                    try:
                        await watch.run(aim.locator.locator(watched).press(keys, timeout=aim.take_ms()))
                    except PlaywrightTimeoutError:
                        if receipt.told is None:
                            raise
                        await wait_for_arrival(
                            aim, watch, earlier
                        )  # it was pressed, and the page that it leads to is slow
                    if keys == SENDING_KEY:
                        await check_sent(aim.locator, watch)

                async def press_anywhere(aim: ActionTarget) -> None:
                    aim.locator = (await find_focused_frame(page)).locator(WHOLE)
                    await aim.locator.locator(watched).count()
                    await watch.run(aim.page.keyboard.press(keys))
                    if keys == SENDING_KEY:
                        await check_sent(aim.locator, watch)

                act = press_it if selector else press_anywhere
                await self._reacher.act(context, selector or WHOLE, act)
                told = receipt.told or {}
                facts = {"key": keys, "received_by": told.get("received_by")}
                # What listens on the page as a whole gets keys, too; whether anything does, nobody can tell.
                is_loose = bool(told) and told["received_by"]["tag"] in {"body", "html"} and not told.get("editable")
                facts |= {"note": "Nothing had the focus."} if is_loose else {}
                return await conclude(Done(facts, bool(told) and not is_loose), watch, page)

    async def select(self, context: ActionContext, selector: str, options: Sequence[str | int]) -> Done:
        """Choose options of a select element, list box or combo box."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:

            async def choose(aim: ActionTarget) -> tuple[Chosen, dict[str, Any]]:
                chosen = await choose_options(aim, options)
                return chosen, await hold_on(aim, is_last=_ends(context, chosen.notes) and chosen.was_read)

            chosen, late = await self._reacher.act(context, selector, choose)
            output = {"selected": chosen.labels}
            return await conclude(
                Done({**output, **chosen.notes, **late}, chosen.is_sure and not late, output), watch, page
            )

    async def check(self, context: ActionContext, selector: str, checked: bool) -> Done:
        """Tick or clear a checkbox, switch or radio button."""

        async def tick_it(aim: ActionTarget) -> Done:
            facts = await tick_box(aim, checked=checked)
            facts |= await hold_on(aim, is_last=_ends(context, facts), what="tick")
            return Done(facts, not UNSURE & facts.keys(), {"checked": facts["checked"]})

        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            return await conclude(await act_on_each(self._reacher, context, selector, tick_it), watch, page)

    async def set(self, context: ActionContext, selector: str, value: Value) -> Done:
        """Give a control a value, whatever it is made of, and read it back."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:

            async def set_it(aim: ActionTarget) -> tuple[PageControl, SettingResult, dict[str, Any]]:
                control, setting = await set_control(aim, selector, value)
                return control, setting, await hold_on(aim, is_last=_ends(context, setting.notes) and setting.is_read)

            control, setting, late = await self._reacher.act(context, selector, set_it)
            told = {} if control.facts["secret"] else {"before": control.held}
            facts = {"kind": control.kind, **told, **setting.notes, **late}
            facts["already"] = bool(told) and control.held == setting.held
            output = {"kind": control.kind} | ({} if control.facts["secret"] else {"value": setting.held})
            return await conclude(Done(facts, setting.is_read and not late, output), watch, page)

    async def fill(self, context: ActionContext, fields: Mapping[str, Value] | None, submit: bool) -> Done:
        """Fill in several fields of the page by what they mean."""
        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            filler = Filler(page, context.timeout_s)
            filled = await (filler.fill_from_page() if fields is None else filler.fill(fields))
            button, is_sent = await filler.submit(watch) if submit else ("", True)
            told = ({"submitted_with": button} if submit else {}) | ({} if is_sent else {"submitted": False})
            done = Done({"matched": filled.places, **told}, filled.is_read and is_sent, {"fields": filled.values})
            return await conclude(done, watch, page)

    async def upload(self, context: ActionContext, selector: str, paths: Sequence[Path]) -> Done:
        """Put files into a file field, answer the file chooser that an element opens, or drop them on it."""
        given = await asyncio.to_thread(list_files, list(paths))
        async with self._session.watch(context) as watch:
            done = await self._reacher.act(context, selector, lambda aim: put_files(aim, given))
            meanwhile = watch.evidence()
        output = {"files": list(done.files)}
        return Done(output | done.notes, done.is_sure, output, meanwhile)


def _ends(context: ActionContext, facts: Mapping[str, Any]) -> bool:
    return not context.followers and not UNSURE & facts.keys()


async def _press_enter(aim: ActionTarget, *, is_named: bool) -> None:
    if is_named:
        await aim.begun.press(SENDING_KEY, timeout=aim.take_ms())
    else:
        await aim.begun.count()
        await aim.page.keyboard.press(SENDING_KEY)
