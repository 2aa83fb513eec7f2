"""Pressing a button in a dialog, whichever kind of dialog it is: of JavaScript, of the page, or a pop-up window."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from playwright.async_api import Page

from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.pages import Done
from actuators.browser.ports.tabs import Tab
from actuators.deadlines import Deadline
from core.base.errors import ActionError, InputError
from core.base.phrases import cut_text
from core.rules.browser_choices import DialogAnswer
from core.selectors.selectors import (
    PlainSelector,
    Region,
    SelectorSpec,
    parse_selector,
    parse_single_selector,
    render_selector,
)
from core.tools.ports import ActionContext

_ACCEPTING = frozenset({"ok", "okay", "yes"})
_DISMISSING = frozenset({"cancel", "no"})
_LEAVING = frozenset({"leave", "reload"})
_STAYING = frozenset({"stay"})
_BUTTON_WORDS = frozenset({"", "button"})
_DIALOG = Region("", "", PlainSelector("role", "", "dialog"))
_SHOWN_CHARS = 120


def choose_answer(press: str, detail: Mapping[str, Any]) -> DialogAnswer:
    """Return what pressing a button of JavaScript's dialog comes to; ``no_such_button`` if it has none of that name."""
    core = parse_single_selector(press).core
    name = core.name.casefold() if isinstance(core, PlainSelector) and core.word in _BUTTON_WORDS else ""
    is_leaving = detail["kind"] == "beforeunload"
    if name in _ACCEPTING or (is_leaving and name in _LEAVING):
        return "accept"
    if detail["kind"] != "alert" and (name in _DISMISSING or (is_leaving and name in _STAYING)):
        return "dismiss"
    buttons = "only OK" if detail["kind"] == "alert" else "Leave and Stay" if is_leaving else "OK and Cancel"
    raise ActionError(
        f'The open dialog is a {detail["kind"]} of JavaScript with {buttons}, and no such button ({press}): "{detail["message"]}".',
        code="no_such_button",
        hint="Press one of its buttons, or answer it with action: accept or dismiss.",
        evidence={"dialog": dict(detail)},
    )


def put_in_dialog(press: str) -> tuple[str, ...]:
    """Return the selectors of a button in a dialog of the page, the likelier first; InputError for no plain form."""
    spec = parse_single_selector(press)
    if not isinstance(spec.core, PlainSelector):
        raise InputError(
            f"{press} is not a plain form, so it can't be found in a dialog.",
            hint='Use a form such as button "OK", or click it with browser.click.',
        )
    core = replace(spec.core, regions=(*spec.core.regions, _DIALOG))
    ways = [replace(core, kind="role", word=word) for word in ("button", "link")] if core.kind == "control" else [core]
    return tuple(render_selector(SelectorSpec("", each, spec.frames)) for each in ways)


def refuse_missing(press: str, shown: Sequence[Mapping[str, Any]], evidence: Mapping[str, Any]) -> ActionError:
    """Return why nothing was pressed: there is no dialog, or none with that button; names what there is."""
    if not shown:
        text, hint = "no dialog is open, neither a JavaScript dialog nor one of the page", "Open the dialog first."
    else:
        text, hint = f"the page shows {describe_shown(shown)}", "Press a button that exists."
    return ActionError(
        f"{press} could not be pressed in a dialog: {text}.",
        code="no_dialog" if not shown else "no_such_button",
        hint=hint,
        evidence={"dialogs_shown": list(shown), **evidence},
    )


def refuse_unanswerable(action: str, shown: Sequence[Mapping[str, Any]]) -> ActionError:
    """Return why a dialog is not answered: it is no dialog of JavaScript but a part of the page, with buttons of its own."""
    return ActionError(
        f"No JavaScript dialog is open to {action}; the page shows {describe_shown(shown)}.",
        code="dialog_of_page",
        hint='Say which button to press, for example press: button "OK".',
        evidence={"dialogs_shown": list(shown)},
    )


def refuse_both(press: str, address: str) -> ActionError:
    """Return why nothing was pressed: a dialog of the page and a pop-up window have such a button."""
    return ActionError(
        f"{press} is in a dialog of the page and also in the pop-up window {address}.",
        code="dialog_ambiguous",
        hint="Click the one with browser.click, or switch to the other with browser.switch_tab first.",
        evidence={"popup": address},
    )


def describe_shown(shown: Sequence[Mapping[str, Any]]) -> str:
    """Return the dialogs of a page in words."""
    texts = [
        f'a dialog of its own, "{cut_text(str(each["name"]), _SHOWN_CHARS)}", with '
        + (", ".join(f'"{button}"' for button in each["buttons"]) or "no button")
        for each in shown
    ]
    return " and ".join(texts)


T = TypeVar("T")

_PAUSE_S = 0.05
_MARGIN_S = 1.0
_COMING_S = 0.6
_LOOK_S = 1.0
_MOST_BUTTONS = 12
_IS_POPUP = "() => Boolean(window.menubar) && !window.menubar.visible"
_DESCRIBE = r"""(found) => found.filter((each) => each.getClientRects().length).map((each) => {
  const title = each.querySelector('h1, h2, h3, h4, [class*=title]');
  const told = each.getAttribute('aria-label') || (title && title.textContent) || each.textContent || '';
  const buttons = [...each.querySelectorAll('button, [role=button], input[type=button], input[type=submit]')];
  const named = buttons.map((one) => (one.getAttribute('aria-label') || one.textContent || one.value || '').replace(/\s+/g, ' ').trim());
  return { name: told.replace(/\s+/g, ' ').trim(), buttons: named.filter(Boolean) };
})"""
_ROLES = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true], [popover]:popover-open"


class DialogPresser:
    """Presses a button in whatever dialog is there when the time comes."""

    def __init__(self, session: PlaywrightSession, click: Callable[[ActionContext, str], Awaitable[Done]]) -> None:
        self._session = session
        self._click = click

    async def press(self, context: ActionContext, press: str, deadline: Deadline) -> Done | None:
        """Press it in a dialog of the page or in a pop-up window; None once one of JavaScript is open."""
        inside = put_in_dialog(press)
        self._session.dialogs.expect(context.lane, held=True)
        while self._session.dialogs.held(context.lane) is None:
            page = self._session.current_page(context)
            popup = await self._unless_held(context, self._find_popup(context, press))
            button = await self._unless_held(context, _find_shown(page, inside))
            if button:
                if popup:
                    raise refuse_both(press, popup.page.url)
                return await self._click(context, button)
            if popup:
                return await self._press_in(context, popup, press)
            if deadline.remaining_s < _MARGIN_S:
                shown = await self._unless_held(context, list_shown(page))
                if shown is not None:
                    raise refuse_missing(press, shown, await self._tell_time(context))
                continue
            await asyncio.sleep(_PAUSE_S)
        return None

    async def find_answerable(self, context: ActionContext) -> list[dict[str, Any]]:
        """Return the dialogs with buttons that the page shows; where an act was to open one, it is given a moment to come."""
        deadline = Deadline(_COMING_S if self._session.dialogs.expects(context.lane) else 0)
        while self._session.dialogs.held(context.lane) is None:
            page = self._session.current_page(context)
            shown = [each for each in await self._unless_held(context, list_shown(page)) or () if each["buttons"]]
            if shown or deadline.remaining_s <= _PAUSE_S:
                return shown
            await asyncio.sleep(_PAUSE_S)
        return []

    async def _unless_held(self, context: ActionContext, look: Awaitable[T]) -> T | None:
        """Return what a page answers; None if a dialog of JavaScript opens meanwhile, while which it answers nothing."""
        task = asyncio.ensure_future(look)
        opened = asyncio.create_task(self._session.dialogs.wait_held(context.lane))
        try:
            await asyncio.wait({task, opened}, return_when=asyncio.FIRST_COMPLETED, timeout=_LOOK_S)
            return task.result() if task.done() else None
        finally:
            task.cancel()
            opened.cancel()
            await asyncio.gather(task, opened, return_exceptions=True)

    async def _find_popup(self, context: ActionContext, press: str) -> Tab[Page] | None:
        current = self._session.tabs.current(context.lane)
        for tab in self._session.tabs:
            is_own = current is not None and tab.opener is current
            if is_own and await unless_gone(tab.page.evaluate(_IS_POPUP), None) and await _is_shown(tab.page, press):
                return tab
        return None

    async def _press_in(self, context: ActionContext, popup: Tab[Page], press: str) -> Done:
        tabs, current = self._session.tabs, self._session.tabs.current(context.lane)
        tabs.make_current(context.lane, popup)
        try:
            return await self._click(context, press)
        finally:
            if current is not None and tabs.find(current.page):
                tabs.make_current(context.lane, current)

    async def _tell_time(self, context: ActionContext) -> dict[str, Any]:
        async with self._session.watch(context) as watch:
            return watch.evidence()


async def _find_shown(page: Page, selectors: tuple[str, ...]) -> str:
    for selector in selectors:
        if await _is_shown(page, selector):
            return selector
    return ""


async def _is_shown(page: Page, selector: str) -> bool:
    spec = parse_selector(selector)
    for frame in page.frames:
        if await unless_gone(build_locator(spec, frame).filter(visible=True).count(), 0):
            return True
    return False


async def list_shown(page: Page) -> list[dict[str, Any]]:
    """Return the dialogs that a page shows of its own, with their buttons."""
    found: list[dict[str, Any]] = []
    for frame in page.frames:
        found += await unless_gone(frame.locator(_ROLES).evaluate_all(_DESCRIBE), [])
    return [each | {"buttons": each["buttons"][:_MOST_BUTTONS]} for each in found]
