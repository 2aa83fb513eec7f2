"""Filling in forms, by Playwright."""

import asyncio
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.form_tools import FormTools
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.choosing import choose_options
from actuators.browser.playwright.page_engine import engine_selector
from actuators.browser.playwright.probes import probe
from actuators.browser.playwright.reaching import Aim, Reacher
from actuators.browser.playwright.receipts import ReceiptDesk
from actuators.browser.playwright.ticking import tick_box
from actuators.browser.playwright.uploading import put_files
from actuators.browser.toolset import TypingMode
from actuators.browser.typing_checks import Verdict, differing_value, judge_value
from actuators.links import refuse_links_out
from core.keys import parse_keys
from core.ports import ActionContext
from core.results import ToolOutcome

# Evidence that the field does not hold what was typed, or can't be asked.
UNSURE = frozenset({"reformatted_from", "field_gone"})


class PlaywrightForms(FormTools):
    """Fills in forms on the pages of a session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Remember the session.

        Args:
            session: Whose pages to act on.
        """
        self._session = session
        self._reacher = Reacher(session)
        self._receipts = ReceiptDesk()

    async def type(
        self, context: ActionContext, selector: str, text: str, mode: TypingMode = "replace", submit: bool = False
    ) -> ToolOutcome:
        """Put text into a field, losslessly, and read it back."""
        async with self._session.watch(context) as watch:

            async def type_it(aim: Aim) -> dict[str, Any]:
                wanted = await _enter(aim, text, mode)
                try:
                    held = await probe(aim.locator, "value")
                except PlaywrightError:  # the page has taken the field away, as editors in place do
                    return {"length": len(wanted), "field_gone": True}
                verdict = judge_value(held["kind"], wanted, held["value"])
                if verdict == "different":
                    raise differing_value(selector, wanted, held)
                if submit:
                    await watch.run(aim.locator.press("Enter", timeout=aim.take_ms()))
                return _typed_evidence(held, wanted, verdict)

            evidence = await self._reacher.act(context, selector, type_it)
            evidence |= {"submitted": True} | watch.evidence() if submit else watch.evidence()
        output = {} if "value" not in evidence else {"value": evidence["value"]}
        effect = "unverified" if UNSURE & evidence.keys() else "confirmed"
        return ToolOutcome(output, effect, evidence, undo="Type the earlier value again.")

    async def press(self, context: ActionContext, key: str, selector: str | None = None) -> ToolOutcome:
        """Press a key or a combination."""
        name = parse_keys(key)
        page = self._session.current_page(context)
        with self._receipts.open(page, "left", 1) as receipt:
            watched = engine_selector("key", token=receipt.token)
            async with self._session.watch(context) as watch:

                async def press_it(aim: Aim) -> None:
                    await watch.run(aim.locator.locator(watched).press(name, timeout=aim.take_ms()))

                async def press_anywhere(aim: Aim) -> None:
                    await aim.locator.locator(watched).count()
                    await watch.run(aim.page.keyboard.press(name))

                act = press_it if selector else press_anywhere
                await self._reacher.act(context, selector or "html", act)
                told = receipt.told or {}
                evidence = {"key": name, "received_by": told.get("received_by"), **watch.evidence()}
        effect = "confirmed" if told else "unverified"
        return ToolOutcome(evidence=evidence, effect=effect, undo="A key press can't be taken back.")

    async def select(self, context: ActionContext, selector: str, value: str | int | tuple[str, ...]) -> ToolOutcome:
        """Choose options of a select element, list box or combo box."""
        wanted = value if isinstance(value, tuple | list) else (value,)
        async with self._session.watch(context) as watch:
            chosen = await self._reacher.act(context, selector, lambda aim: choose_options(aim, wanted))
            evidence = {"selected": chosen.labels, **watch.evidence()}
        effect = "confirmed" if chosen.was_read else "unverified"
        return ToolOutcome({"selected": chosen.labels}, effect, evidence, undo="Choose the earlier option again.")

    async def check(self, context: ActionContext, selector: str, checked: bool = True) -> ToolOutcome:
        """Tick or clear a checkbox, switch or radio button."""
        async with self._session.watch(context) as watch:
            evidence = await self._reacher.act(context, selector, lambda aim: tick_box(aim, checked=checked))
            evidence |= watch.evidence()
        effect = "unverified" if "left_page" in evidence else "confirmed"
        undo = f"Set it back to {not checked}."
        return ToolOutcome({"checked": evidence["checked"]}, effect, evidence, undo=undo)

    async def upload(self, context: ActionContext, selector: str, path: str | tuple[str, ...]) -> ToolOutcome:
        """Put files into a file field, or answer the file chooser that an element opens."""
        paths = [Path(each) for each in (path if isinstance(path, tuple | list) else (path,))]
        for each in paths:
            await asyncio.to_thread(refuse_links_out, str(each), context.policy)
        sizes = await asyncio.to_thread(lambda: [each.stat().st_size if each.is_file() else None for each in paths])
        async with self._session.watch(context) as watch:
            files = await self._reacher.act(context, selector, lambda aim: put_files(aim, paths, sizes))
            evidence = {"files": files, **watch.evidence()}
        given = sorted((each.name, size) for each, size in zip(paths, sizes, strict=True))
        held = sorted((each["name"], each["size"]) for each in files)
        effect = "confirmed" if held == given else "unverified"
        return ToolOutcome(
            {"files": files}, effect, evidence, undo="Choose other files, unless they were sent at once."
        )


async def _enter(aim: Aim, text: str, mode: TypingMode) -> str:
    """Type and return what the field should hold now."""
    if mode == "replace":
        await aim.locator.fill(text, timeout=aim.take_ms())
        return text
    held = await probe(aim.locator, "caretToEnd", aim.take_ms())
    before: str = held["value"]
    if mode == "keys":
        await aim.locator.press_sequentially(text, timeout=aim.take_ms())
    elif held["kind"] == "editable":
        before = before.removesuffix("\n")
        await aim.page.keyboard.insert_text(text)
    else:
        await aim.locator.fill(before + text, timeout=aim.take_ms())
    return before + text


def _typed_evidence(held: dict[str, Any], wanted: str, verdict: Verdict) -> dict[str, Any]:
    """Return what was read back; of secrets only that it matches, and the length."""
    if held["secret"]:
        return {"matches": verdict == "same", "length": len(held["value"])}
    if verdict == "reformatted":
        return {"value": held["value"], "reformatted_from": wanted}
    return {"value": held["value"], "length": len(held["value"])}
