"""Filling in forms, simulated."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from actuators.browser.fake.aiming import describe_target
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.documents import TICK_ROLES, LiveElement
from actuators.browser.fake.effects import press_mouse, report, report_change, submit_form, tick
from actuators.browser.fake.filling import fill_fields, press_submitter, read_from_page
from actuators.browser.fake.setting import Control, find_control, find_kind, set_control
from actuators.browser.fake.turns import Turn
from actuators.browser.tools.forms import FormTools
from actuators.browser.tools.toolset import ENTRY_ROLES, TypingMode
from actuators.browser.typing_checks import differing_secret, differing_value
from core.errors import ActionError, TargetError
from core.keys import parse_keys
from core.ports import ActionContext
from core.results import ToolOutcome
from core.secret_values import Secret


class FakeForms(FormTools):
    """Fills in forms on declared pages."""

    def __init__(self, browser: FakeBrowser) -> None:
        """Use this browser."""
        self._browser = browser

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which page, and which element of it, is acted on."""
        del verb
        return describe_target(self._browser, context, args)

    async def type(
        self,
        context: ActionContext,
        selector: str,
        text: str | Secret,
        mode: TypingMode = "replace",
        submit: bool = False,
    ) -> ToolOutcome:
        """Put text into a field, as far as its ``maxlength`` lets it."""
        args = {"selector": selector, "text": text, "mode": mode, "submit": submit}
        async with Turn(self._browser, context, "type", args) as turn:
            field = _reach_field(turn, selector)
            typed = text
            if isinstance(text, Secret):
                typed = await context.vault.reveal(text, turn.document.url)
                field.holding = True
            wanted = str(typed) if mode == "replace" else f"{field.value}{typed}"
            limit = int(field.attribute("maxlength") or -1)
            field.value = wanted if limit < 0 else wanted[:limit]
            turn.document.focused = field
            report_change(turn, field)
            if field.value != wanted:
                held = {"kind": field.kind, "value": field.value, "maxlength": limit, "secret": field.is_secret}
                secret = isinstance(text, Secret)
                raise differing_secret(selector, text, held) if secret else differing_value(selector, wanted, held)
            if submit:
                submit_form(turn, field)
            output = {} if field.is_secret else {"value": wanted}
            proof = {"matches": True} if field.is_secret else output
            size = {"secret": text.name} if isinstance(text, Secret) else {"length": len(wanted)}
            evidence = {**proof, **size, **({"submitted": True} if submit else {}), **turn.evidence()}
            return ToolOutcome(output, "confirmed", evidence, undo="Type the earlier value again.")

    async def press(self, context: ActionContext, key: str, selector: str | None = None) -> ToolOutcome:
        """Press a key: Enter sends a form or activates, Space activates, a single character is typed."""
        name = parse_keys(key)
        async with Turn(self._browser, context, "press", {"key": key, "selector": selector}) as turn:
            if selector is not None:
                turn.document.focused = turn.reach(selector, by_pointer=False)
            focused = turn.document.focused or turn.document.root
            *modifiers, last = name.split("+") if name != "+" else [name]
            detail = {"key": " " if last == "Space" else last, "modifiers": modifiers, "id": focused.declared.id}
            report(turn, focused, "pressed", {**detail, "trusted": True})
            received_by = focused.describe()
            if not modifiers:
                _press(turn, focused, last)
            evidence = {"key": name, "received_by": received_by, **turn.evidence()}
            return ToolOutcome(evidence=evidence, effect="confirmed", undo="A key press can't be taken back.")

    async def select(self, context: ActionContext, selector: str, value: str | int | tuple[str, ...]) -> ToolOutcome:
        """Choose options."""
        wanted = value if isinstance(value, tuple | list) else (value,)
        async with Turn(self._browser, context, "select", {"selector": selector, "value": value}) as turn:
            element = turn.reach(selector)
            if not element.declared.options:
                turn.refuse(selector, element, "target_unsuitable", "has no options to choose from")
            if len(wanted) > 1 and element.role != "listbox":
                turn.refuse(selector, element, "target_unsuitable", f"takes only one option, not {len(wanted)}")
            element.chosen = tuple(_find_option(turn, element, each) for each in wanted)
            report_change(turn, element)
            chosen = list(element.chosen)
            evidence = {"selected": chosen, **turn.evidence()}
            return ToolOutcome({"selected": chosen}, "confirmed", evidence, undo="Choose the earlier option again.")

    async def check(self, context: ActionContext, selector: str, checked: bool = True) -> ToolOutcome:
        """Tick or clear a checkbox, switch or radio button."""
        async with Turn(self._browser, context, "check", {"selector": selector, "checked": checked}) as turn:

            def tick_it(element: LiveElement) -> ToolOutcome:
                if checked and element.role in ENTRY_ROLES:
                    press_mouse(turn, element, "left", 1, ())
                    return ToolOutcome({"checked": True}, "unverified", {"checked": True, "pressed": True})
                if element.role not in TICK_ROLES or (element.role == "radio" and not checked):
                    phrase = "can't be ticked" if checked else "can't be cleared"
                    turn.refuse(selector, element, "target_unsuitable", phrase)
                already = bool(element.checked) == checked
                if not already:
                    tick(turn, element, checked=checked)
                evidence = {"checked": checked, "already": already}
                return ToolOutcome({"checked": checked}, "confirmed", evidence, f"Set it back to {not checked}.")

            outcome = turn.act_on_each(selector, tick_it)
            return replace(outcome, evidence={**outcome.evidence, **turn.evidence()})

    async def set(self, context: ActionContext, selector: str, value: str | bool | float) -> ToolOutcome:
        """Give a control a value, whatever it is made of, and read it back."""
        async with Turn(self._browser, context, "set", {"selector": selector, "value": value}) as turn:
            control = find_control(turn, selector)
            before = control.held
            set_control(turn, control, value)
            is_secret = control.element.is_secret
            told = {} if is_secret else {"before": before}
            evidence = {"kind": control.kind, **told, "already": before == control.held, **turn.evidence()}
            output = {"kind": control.kind} | ({} if is_secret else {"value": control.held})
            return ToolOutcome(output, "confirmed", evidence, undo="Set the earlier value again.")

    async def fill(
        self,
        context: ActionContext,
        fields: Mapping[str, str | bool | float] | None = None,
        from_page: bool = False,
        submit: bool = False,
    ) -> ToolOutcome:
        """Fill in several fields of the page by what they mean."""
        args = {"fields": fields, "from_page": from_page, "submit": submit}
        async with Turn(self._browser, context, "fill", args) as turn:
            filled = fill_fields(turn, read_from_page(turn) if fields is None else fields)
            matched = {words: found[0].name or words for words, found in filled.items()}
            every = [each for found in filled.values() for each in found]
            held = {each.name: Control(find_kind(each), each).held for each in every if not each.is_secret}
            told = {"submitted_with": press_submitter(turn, every)} if submit else {}
            evidence = {"matched": matched, **told, **turn.evidence()}
            return ToolOutcome({"fields": held}, "confirmed", evidence, undo="Put the earlier values back.")

    async def upload(self, context: ActionContext, selector: str, path: str | tuple[str, ...]) -> ToolOutcome:
        """Put files into a file field."""
        paths = [Path(each) for each in (path if isinstance(path, tuple | list) else (path,))]
        async with Turn(self._browser, context, "upload", {"selector": selector, "path": path}) as turn:
            files = await asyncio.to_thread(lambda: [_read_file(each) for each in paths])
            element = turn.reach(selector, by_pointer=False)
            if element.kind != "file":
                turn.refuse(selector, element, "target_unsuitable", "opens no file chooser")
            if len(files) > 1 and element.attribute("multiple") is None:
                turn.refuse(selector, element, "target_unsuitable", f"takes one file, and {len(files)} were given")
            element.files = files
            report_change(turn, element)
            evidence = {"files": files, **turn.evidence()}
            undo = "Choose other files, unless they were sent at once."
            return ToolOutcome({"files": files}, "confirmed", evidence, undo=undo)


def _reach_field(turn: Turn, selector: str) -> LiveElement:
    field = turn.reach(selector, by_pointer=False)
    if not field.is_editable:
        turn.refuse(selector, field, "target_unsuitable", "takes no text")
    if field.attribute("readonly") is not None:
        turn.refuse(selector, field, "target_readonly", "is read-only")
    return field


def _press(turn: Turn, focused: LiveElement, key: str) -> None:
    activates = focused.role in ("button", "link") or (focused.role in TICK_ROLES and key == "Space")
    if key in ("Enter", "Space") and activates:
        press_mouse(turn, focused, "left", 1, ())
    elif key == "Enter" and focused.is_editable:
        submit_form(turn, focused)
    elif focused.is_editable and (len(key) == 1 or key == "Space"):
        focused.value += " " if key == "Space" else key


def _find_option(turn: Turn, element: LiveElement, wanted: str | int) -> str:
    """Return the label of an option: by label, value, label in any case, or number."""
    options = element.declared.options
    labels = [each.label for each in options]
    if isinstance(wanted, str):
        for option in options:
            if wanted in (option.label, option.value or option.label):
                return option.label
        folded = [label for label in labels if label.casefold() == " ".join(wanted.split()).casefold()]
        if folded:
            return folded[0]
    if not isinstance(wanted, str) or wanted.isdecimal():
        place = int(wanted)
        if 0 <= place < len(labels):
            return labels[place]
    shown = ", ".join(f'"{label}"' for label in labels)
    evidence: dict[str, Any] = {"url": turn.document.url, "options": labels, "waited_s": turn.waited_s}
    message = f"There is no option {wanted!r}; there are: {shown}."
    raise TargetError(message, code="target_missing", hint="Choose one of these.", evidence=evidence)


def _read_file(path: Path) -> dict[str, Any]:
    if path.is_file():
        return {"name": path.name, "size": path.stat().st_size}
    hint = "Check the path; it must be an existing file."
    raise ActionError(f"There is no file {path}.", code="file_missing", hint=hint, evidence={"path": str(path)})
