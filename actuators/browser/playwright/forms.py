"""Filling in forms, by Playwright."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from actuators.browser.form_tools import FormTools
from actuators.browser.playwright.aiming import describe_target
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.choosing import choose_options
from actuators.browser.playwright.concluding import check_sent, conclude
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.entering import FieldEntry, enter_secret, enter_text
from actuators.browser.playwright.filling import Filler
from actuators.browser.playwright.reaching import Actionability, ActionTarget
from actuators.browser.playwright.receipts import ReceiptDesk
from actuators.browser.playwright.scenes import PageSnapshots
from actuators.browser.playwright.setting import set_control
from actuators.browser.playwright.settling import UNSETTLED
from actuators.browser.playwright.several import act_on_each
from actuators.browser.playwright.ticking import tick_box
from actuators.browser.playwright.uploading import put_files
from actuators.browser.toolset import TypingMode
from actuators.links import refuse_links_out
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.selectors.keys import parse_keys
from core.tools.ports import ActionContext

# Evidence that the field does not hold what was typed, or can't be asked.
SENDING_KEY = "Enter"
UNSURE = frozenset({"reformatted_from", "field_gone", "left_page", "pressed", UNSETTLED})


class PlaywrightForms(PageSnapshots, FormTools):
    """Fills in forms on the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Remember the session.

        Args:
            session: Whose pages to act on.
        """
        self._session = session
        self._reacher = Actionability(session)
        self._receipts = ReceiptDesk()

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        del verb
        return await describe_target(self._session, context, args)

    async def type(
        self,
        context: ActionContext,
        selector: str,
        text: str | Secret,
        mode: TypingMode = "replace",
        submit: bool = False,
    ) -> ToolOutcome:
        """Put text into a field, losslessly, and read it back."""
        async with self._session.watch(context) as watch:

            async def type_it(aim: ActionTarget) -> dict[str, Any]:
                if isinstance(text, Secret):
                    evidence = await enter_secret(
                        aim, FieldEntry(selector, "", mode), text, context, self._session.traces
                    )
                else:
                    evidence = await enter_text(aim, FieldEntry(selector, text, mode))
                if submit and "field_gone" not in evidence:
                    await watch.run(aim.begun.press("Enter", timeout=aim.take_ms()))
                    evidence["submitted"] = await check_sent(aim.locator, watch)
                return evidence

            page = self._session.current_page(context)
            evidence = await self._reacher.act(context, selector, type_it)
            output = {} if "value" not in evidence else {"value": evidence["value"]}
            is_sure = not UNSURE & evidence.keys() and evidence.get("submitted", True)
            undo = "Type the earlier value again."
            return conclude(ToolOutcome(output, "confirmed" if is_sure else "unverified", evidence, undo), watch, page)

    async def press(self, context: ActionContext, key: str, selector: str | None = None) -> ToolOutcome:
        """Press a key or a combination."""
        name = parse_keys(key)
        page = self._session.current_page(context)
        with self._receipts.open(page, "left", 1) as receipt:
            watched = engine_selector("key", token=receipt.token)
            async with self._session.watch(context) as watch:

                async def press_it(aim: ActionTarget) -> None:
                    await watch.run(aim.locator.locator(watched).press(name, timeout=aim.take_ms()))
                    if name == SENDING_KEY:
                        await check_sent(aim.locator, watch)

                async def press_anywhere(aim: ActionTarget) -> None:
                    await aim.locator.locator(watched).count()
                    await watch.run(aim.page.keyboard.press(name))
                    if name == SENDING_KEY:
                        await check_sent(aim.locator, watch)

                act = press_it if selector else press_anywhere
                await self._reacher.act(context, selector or ":root", act)
                told = receipt.told or {}
                evidence = {"key": name, "received_by": told.get("received_by")}
                undo = "A key press can't be taken back."
                return conclude(ToolOutcome({}, "confirmed" if told else "unverified", evidence, undo), watch, page)

    async def select(self, context: ActionContext, selector: str, value: str | int | tuple[str, ...]) -> ToolOutcome:
        """Choose options of a select element, list box or combo box."""
        wanted = value if isinstance(value, tuple | list) else (value,)
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            chosen = await self._reacher.act(context, selector, lambda aim: choose_options(aim, wanted))
            effect = "confirmed" if chosen.is_sure else "unverified"
            evidence = {"selected": chosen.labels, **chosen.notes}
            undo = "Choose the earlier option again."
            return conclude(ToolOutcome({"selected": chosen.labels}, effect, evidence, undo), watch, page)

    async def check(self, context: ActionContext, selector: str, checked: bool = True) -> ToolOutcome:
        """Tick or clear a checkbox, switch or radio button."""

        async def tick_it(aim: ActionTarget) -> ToolOutcome:
            evidence = await tick_box(aim, checked=checked)
            effect = "unverified" if UNSURE & evidence.keys() else "confirmed"
            return ToolOutcome({"checked": evidence["checked"]}, effect, evidence, f"Set it back to {not checked}.")

        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            return conclude(await act_on_each(self._reacher, context, selector, tick_it), watch, page)

    async def set(self, context: ActionContext, selector: str, value: str | bool | float) -> ToolOutcome:
        """Give a control a value, whatever it is made of, and read it back."""
        page = self._session.current_page(context)
        async with self._session.watch(context) as watch:
            control, setting = await self._reacher.act(context, selector, lambda aim: set_control(aim, selector, value))
            told = {} if control.facts["secret"] else {"before": control.held}
            evidence = {"kind": control.kind, **told, **setting.notes}
            evidence["already"] = bool(told) and control.held == setting.held
            output = {"kind": control.kind} | ({} if control.facts["secret"] else {"value": setting.held})
            effect = "confirmed" if setting.is_read else "unverified"
            return conclude(ToolOutcome(output, effect, evidence, "Set the earlier value again."), watch, page)

    async def fill(
        self,
        context: ActionContext,
        fields: Mapping[str, str | bool | float] | None = None,
        from_page: bool = False,
        submit: bool = False,
    ) -> ToolOutcome:
        """Fill in several fields of the page by what they mean."""
        del from_page  # exactly one of the two is given
        async with self._session.watch(context) as watch:
            page = self._session.current_page(context)
            filler = Filler(page, context.timeout_s)
            filled = await (filler.fill_from_page() if fields is None else filler.fill(fields))
            told = {"submitted_with": await filler.submit(watch)} if submit else {}
            effect = "confirmed" if filled.is_read else "unverified"
            outcome = ToolOutcome({"fields": filled.values}, effect, {"matched": filled.places, **told})
            return conclude(replace(outcome, undo="Put the earlier values back."), watch, page)

    async def upload(self, context: ActionContext, selector: str, path: str | tuple[str, ...]) -> ToolOutcome:
        """Put files into a file field, or answer the file chooser that an element opens."""
        paths = [Path(each) for each in (path if isinstance(path, tuple | list) else (path,))]
        for each in paths:
            await asyncio.to_thread(refuse_links_out, str(each), context.policy)
        sizes = await asyncio.to_thread(lambda: [each.stat().st_size if each.is_file() else None for each in paths])
        async with self._session.watch(context) as watch:
            files, notes = await self._reacher.act(context, selector, lambda aim: put_files(aim, paths, sizes))
            evidence = {"files": files, **notes, **watch.evidence()}
        given = sorted((each.name, size) for each, size in zip(paths, sizes, strict=True))
        held = sorted((each["name"], each["size"]) for each in files)
        effect = "confirmed" if held == given and not notes else "unverified"
        return ToolOutcome(
            {"files": files}, effect, evidence, undo="Choose other files, unless they were sent at once."
        )
