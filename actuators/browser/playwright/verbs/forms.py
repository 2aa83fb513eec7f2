"""Filling in forms, by Playwright."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from actuators.browser.playwright.acting.concluding import check_sent, conclude
from actuators.browser.playwright.acting.receipts import ReceiptDesk
from actuators.browser.playwright.controls.choosing import choose_options
from actuators.browser.playwright.controls.entering import FieldEntry, enter_secret, enter_text
from actuators.browser.playwright.controls.filling import Filler
from actuators.browser.playwright.controls.setting import set_control
from actuators.browser.playwright.controls.ticking import tick_box
from actuators.browser.playwright.controls.uploading import put_files
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.aiming import PlaywrightPages
from actuators.browser.playwright.finding.batch import act_on_each
from actuators.browser.playwright.finding.settling import UNSETTLED
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.forms import TypingRequest, Value
from actuators.browser.ports.pages import Done
from core.goals.secret_values import Secret
from core.tools.ports import ActionContext

# Evidence that the field does not hold what was typed, or can't be asked.
SENDING_KEY = "Enter"
UNSURE = frozenset({"reformatted_from", "field_gone", "left_page", "pressed", UNSETTLED})


class PlaywrightForms(PlaywrightPages):
    """Fills in forms on the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Remember the session.

        Args:
            session: Whose pages to act on.
        """
        super().__init__(session)
        self._receipts = ReceiptDesk()

    async def type(self, context: ActionContext, selector: str, request: TypingRequest) -> Done:
        """Put text into a field, losslessly, and read it back."""
        text, mode = request.text, request.mode
        async with self._session.watch(context) as watch:

            async def type_it(aim: ActionTarget) -> dict[str, Any]:
                if isinstance(text, Secret):
                    facts = await enter_secret(aim, FieldEntry(selector, "", mode), text, context, self._session.traces)
                else:
                    facts = await enter_text(aim, FieldEntry(selector, text, mode))
                if request.submit and "field_gone" not in facts:
                    await watch.run(aim.begun.press("Enter", timeout=aim.take_ms()))
                    facts["submitted"] = await check_sent(aim.locator, watch)
                return facts

            page = self._session.current_page(context)
            facts = await self._reacher.act(context, selector, type_it)
            output = {} if "value" not in facts else {"value": facts["value"]}
            is_sure = not UNSURE & facts.keys() and bool(facts.get("submitted", True))
            return conclude(Done(facts, is_sure, output), watch, page)

    async def press(self, context: ActionContext, selector: str | None, keys: str) -> Done:
        """Press a key or a combination."""
        page = self._session.current_page(context)
        with self._receipts.open(page, "left", 1) as receipt:
            watched = engine_selector("key", token=receipt.token)
            async with self._session.watch(context) as watch:

                async def press_it(aim: ActionTarget) -> None:
                    await watch.run(aim.locator.locator(watched).press(keys, timeout=aim.take_ms()))
                    if keys == SENDING_KEY:
                        await check_sent(aim.locator, watch)

                async def press_anywhere(aim: ActionTarget) -> None:
                    await aim.locator.locator(watched).count()
                    await watch.run(aim.page.keyboard.press(keys))
                    if keys == SENDING_KEY:
                        await check_sent(aim.locator, watch)

                act = press_it if selector else press_anywhere
                await self._reacher.act(context, selector or ":root", act)
                told = receipt.told or {}
                facts = {"key": keys, "received_by": told.get("received_by")}
                return conclude(Done(facts, bool(told)), watch, page)

    async def select(self, context: ActionContext, selector: str, options: Sequence[str | int]) -> Done:
        """Choose options of a select element, list box or combo box."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            chosen = await self._reacher.act(context, selector, lambda aim: choose_options(aim, options))
            output = {"selected": chosen.labels}
            return conclude(Done({**output, **chosen.notes}, chosen.is_sure, output), watch, page)

    async def check(self, context: ActionContext, selector: str, checked: bool) -> Done:
        """Tick or clear a checkbox, switch or radio button."""

        async def tick_it(aim: ActionTarget) -> Done:
            facts = await tick_box(aim, checked=checked)
            return Done(facts, not UNSURE & facts.keys(), {"checked": facts["checked"]})

        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            return conclude(await act_on_each(self._reacher, context, selector, tick_it), watch, page)

    async def set(self, context: ActionContext, selector: str, value: Value) -> Done:
        """Give a control a value, whatever it is made of, and read it back."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            control, setting = await self._reacher.act(context, selector, lambda aim: set_control(aim, selector, value))
            told = {} if control.facts["secret"] else {"before": control.held}
            facts = {"kind": control.kind, **told, **setting.notes}
            facts["already"] = bool(told) and control.held == setting.held
            output = {"kind": control.kind} | ({} if control.facts["secret"] else {"value": setting.held})
            return conclude(Done(facts, setting.is_read, output), watch, page)

    async def fill(self, context: ActionContext, fields: Mapping[str, Value] | None, submit: bool) -> Done:
        """Fill in several fields of the page by what they mean."""
        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            filler = Filler(page, context.timeout_s)
            filled = await (filler.fill_from_page() if fields is None else filler.fill(fields))
            told = {"submitted_with": await filler.submit(watch)} if submit else {}
            done = Done({"matched": filled.places, **told}, filled.is_read, {"fields": filled.values})
            return conclude(done, watch, page)

    async def upload(self, context: ActionContext, selector: str, paths: Sequence[Path]) -> Done:
        """Put files into a file field, or answer the file chooser that an element opens."""
        sizes = await asyncio.to_thread(lambda: [each.stat().st_size if each.is_file() else None for each in paths])
        async with self._session.watch(context) as watch:
            files, notes = await self._reacher.act(context, selector, lambda aim: put_files(aim, list(paths), sizes))
            meanwhile = watch.evidence()
        given = sorted((each.name, size) for each, size in zip(paths, sizes, strict=True))
        held = sorted((each["name"], each["size"]) for each in files)
        is_sure = held == given and not notes
        return Done({"files": files, **notes}, is_sure, {"files": files}, meanwhile)
