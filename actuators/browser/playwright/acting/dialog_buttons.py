"""Buttons of dialogs: which of JavaScript's own a selector names, and how one is looked for in a dialog of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.base.errors import ActionError, InputError
from core.base.phrases import cut_text
from core.rules.browser_choices import DialogAnswer
from core.selectors.selectors import PlainSelector, Region, SelectorSpec, parse_single_selector, render_selector

_ACCEPTING = frozenset({"ok", "okay", "yes"})
_DISMISSING = frozenset({"cancel", "no"})
_LEAVING = frozenset({"leave", "reload"})
_STAYING = frozenset({"stay"})
_BUTTON_WORDS = frozenset({"", "button"})
_DIALOG = Region("", "", PlainSelector("role", "", "dialog"))
_SHOWN_CHARS = 120


def choose_answer(press: str, detail: Mapping[str, Any]) -> DialogAnswer:
    """Return what pressing a button of JavaScript's dialog comes to.

    Raises:
        ActionError: ``no_such_button`` if such a dialog has none of that name.
    """
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
    """Return the selectors of a button within a dialog of the page, the likelier first; never what is only written there.

    Raises:
        InputError: If it is no plain form, which alone can be looked for in a part of the page.
    """
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
