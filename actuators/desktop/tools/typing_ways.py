"""Typist: text by whichever way is lossless here, and keys."""

from contextlib import suppress
from typing import Any

from actuators.deadlines import Deadline, pause
from actuators.desktop.finding.window_finding import find_window, tell_window
from actuators.desktop.ports.desktop import Element, Target, Window
from actuators.desktop.ports.guarding import PointerGuard
from actuators.desktop.ports.parts import DesktopParts, Locator, TargetSpot
from actuators.desktop.tools.pointing import Pointer
from actuators.desktop.tools.read_back import FieldReader, FieldReading, is_readable
from actuators.desktop.tools.window_orders import bring_forward
from core.base.errors import ActionError, DeviceError, TargetError
from core.base.late_dataclasses import dataclass, field
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.selectors.keys import parse_keys
from core.tools.ports import ActionContext

_REASONS = {
    "not_typed": "the field holds other text",
    "unsupported_text": "the keyboard can't type it here without loss, so nothing was pressed",
}


@dataclass(frozen=True, slots=True)
class TypedWords:
    """What is typed (``secret``: the handle that it came from; None where it may be told)."""

    text: str = field(repr=False)
    secret: Secret | None = None


def hide_reasons(error: ActionError, secret: Secret) -> ActionError:
    """Return an error of typing a secret without anything that would tell parts of it."""
    if error.code not in _REASONS:
        return error
    return ActionError(
        f"{secret} was not typed as intended: {_REASONS[error.code]}.",
        code=error.code,
        hint=error.hint,
        evidence={"secret": secret.name},
    )


_PASTED_S = 0.5
_MODIFIERS = {"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}
_UNDO = "Delete the typed text by hand."


class Typist:
    """Everything that is done with keys."""

    def __init__(self, parts: DesktopParts, locator: Locator, guard: PointerGuard, pointer: Pointer) -> None:
        self._parts = parts
        self._locator = locator
        self._guard = guard
        self._pointer = pointer
        self._reader = FieldReader(parts.accessibility)

    async def type(
        self, context: ActionContext, text: str | Secret, target: Target | None, window: str | None
    ) -> ToolOutcome:
        """Type text, every character of it or nothing; what a secret stands for is not told."""
        if not isinstance(text, Secret):
            return await self._type(context, TypedWords(text), target, window)
        words = TypedWords(await context.vault.reveal(text), text)
        try:
            return await self._type(context, words, target, window)
        except ActionError as error:
            raise hide_reasons(error, text) from None

    async def _type(
        self, context: ActionContext, words: TypedWords, target: Target | None, window: str | None
    ) -> ToolOutcome:
        deadline = Deadline(context.timeout_s)
        evidence = await self._guard.begin(deadline)
        active = await self._give_focus(window, deadline)
        field = None
        if target is not None:
            spot = await self._locator.locate(target, None, window, timeout_s=deadline.remaining_s)
            self._note(words, spot.element)
            if (done := await self._set(spot, words.text, deadline)) is not None:
                return _report(words, "accessibility", done, spot.window or active, evidence)
            evidence |= await self._enter(spot, deadline)
            active, field = await self._need_active(), await self._refresh(spot)
        field = field or await self._reader.find_focused(active)
        if target is None:
            self._note(words, field)
        way, facts, reading = await self._enter_text(words, field, deadline)
        return _report(words, way, reading, active, evidence | facts)

    def _note(self, words: TypedWords, element: Element | None) -> None:
        if words.secret is not None:
            self._parts.secrets.note(element)

    async def press(self, context: ActionContext, keys: str, window: str | None) -> ToolOutcome:
        """Press a key or a combination."""
        deadline = Deadline(context.timeout_s)
        names = split_keys(parse_keys(keys))
        await self._check_keys(keys, names)
        evidence = await self._guard.begin(deadline)
        active = await self._give_focus(window, deadline)
        await self._stroke(names)
        described = tell_window(active)
        pressed = "+".join(names)
        undo = "What a key press caused can't be undone automatically."
        facts = {"keys": pressed, "window": described, **evidence}
        return ToolOutcome({"keys": pressed, "window": described}, "unverified", facts, undo=undo)

    async def _check_keys(self, keys: str, names: list[str]) -> None:
        missing = [each for each in names if not await self._parts.hands.can_press(each)]
        if missing:
            raise ActionError(
                f"This keyboard has no key {' or '.join(missing)}.",
                code="unknown_key",
                hint="Choose another key, or a keyboard layout that has it; to enter text, use type.",
                evidence={"key": keys, "missing": missing},
            )

    async def _stroke(self, names: list[str]) -> None:
        """Press keys together; whatever happens, none stays down."""
        try:
            await self._parts.hands.strike(names)
        finally:
            await self._parts.hands.release_all()

    async def _give_focus(self, window: str | None, deadline: Deadline) -> Window | None:
        if window is None:
            return await self._need_active()
        found = find_window(window, await self._parts.windows.windows())
        return await bring_forward(self._parts.windows, found, deadline)

    async def _need_active(self) -> Window | None:
        """Return the window that has the focus; None where there is no window manager that could say."""
        try:
            windows = await self._parts.windows.windows()
        except DeviceError as error:
            if error.code == "server_missing":
                return None
            raise
        return find_window("active", windows)

    async def _set(self, spot: TargetSpot, text: str, deadline: Deadline) -> FieldReading | None:
        """Set the value of an empty field; None if that isn't the same as typing, or isn't possible."""
        element, accessibility = spot.element, self._parts.accessibility
        if element is None or not is_readable(element) or element.value or "\n" in text:
            return None
        try:
            with suppress(DeviceError):  # it may be slow; what comes of the text is seen at its next answer
                await accessibility.set_text(element, text)
        except TargetError:
            return None  # keys may do
        now = await self._reader.wait_for_answer(element, deadline)
        if now is not None and now.value == text:
            return FieldReading("confirmed", text)
        with suppress(TargetError, DeviceError):
            await accessibility.set_text(element, "")
        await self._reader.wait_for_answer(element, deadline)
        return None

    async def _enter(self, spot: TargetSpot, deadline: Deadline) -> dict[str, Any]:
        """Give a field the focus: by the tree if it follows, else by a click."""
        if spot.element is not None:
            with suppress(TargetError, DeviceError):
                await self._parts.accessibility.focus(spot.element)
                now = await self._parts.accessibility.refresh(spot.element)
                if now is not None and "focused" in now.states and (spot.window is None or spot.window.active):
                    return {}
        return await self._pointer.click_spot(spot, deadline)

    async def _refresh(self, spot: TargetSpot) -> Element | None:
        now = await self._parts.accessibility.refresh(spot.element) if spot.element is not None else None
        return now if now is not None and is_readable(now) else None

    async def _enter_text(
        self, words: TypedWords, field: Element | None, deadline: Deadline
    ) -> tuple[str, dict[str, Any], FieldReading]:
        """Type by keys, or by the clipboard where keys can't or are slow; return the way, evidence, what was read back.

        A secret never comes on the clipboard, which others read along.
        """
        text = words.text
        if words.secret is None and (pasted := await self._paste_instead(text, field, deadline)) is not None:
            return "clipboard", *pasted
        try:
            await self._guard.guard(self._parts.hands.type_text(text))
        except ActionError as error:
            if (
                error.code != "unsupported_text"
                or words.secret
                or "\n" in text
                or not self._parts.clipboard.assess().available
            ):
                raise
            return "clipboard", *await self._paste(text, field, deadline, await self._parts.clipboard.read())
        finally:
            await self._parts.hands.release_all()
        return "keys", {}, await self._reader.read_back(field, text, deadline)

    async def _paste_instead(
        self, text: str, field: Element | None, deadline: Deadline
    ) -> tuple[dict[str, Any], FieldReading] | None:
        """Paste where keys are slow and nothing is risked by it; None where keys must do after all.

        The field must be known and readable, and the clipboard must hold text, which can be put back.
        """
        # A password's text must not come on the clipboard, which others read along.
        if field is None or "password" in field.states or "\n" in text:
            return None
        if not await self._parts.hands.is_slow_for(text):
            return None
        try:
            old = await self._parts.clipboard.read() if self._parts.clipboard.assess().available else None
        except DeviceError:
            return None  # who holds the clipboard hangs
        if old is None:
            return None
        try:
            return await self._paste(text, field, deadline, old)
        except ActionError as error:
            if error.code == "not_typed" and error.evidence.get("now") == error.evidence.get("before"):
                return None  # it takes no paste
            raise

    async def _paste(
        self, text: str, field: Element | None, deadline: Deadline, old: str | None
    ) -> tuple[dict[str, Any], FieldReading]:
        """Paste a text; the clipboard holds afterwards what it held before, as far as that was text."""
        clipboard = self._parts.clipboard
        await clipboard.write(text)
        try:
            await self._stroke(["ControlOrMeta", "v"])
            reading = await self._reader.read_back(field, text, deadline)
            if reading.verdict == "unverified":
                await pause(min(_PASTED_S, deadline.remaining_s))  # the application must have fetched it
        finally:
            await clipboard.write(old or "")
        lost = "its content was not text and is lost" if old is None else "restored"
        return {"clipboard": lost}, reading


def split_keys(keys: str) -> list[str]:
    """Divide ``Control+a`` or ``Control++`` into keys; a letter with Control, Alt or Meta is the plain one."""
    *modifiers, key = ["+"] if keys == "+" else [*keys[:-2].split("+"), "+"] if keys.endswith("++") else keys.split("+")
    plain = bool(_MODIFIERS.intersection(modifiers)) and len(key) == 1
    return [*modifiers, key.lower() if plain else key]


def _report(
    words: TypedWords, way: str, reading: FieldReading, window: Window | None, evidence: dict[str, Any]
) -> ToolOutcome:
    output: dict[str, Any] = {"way": way, "window": tell_window(window)}
    facts = {**output, **evidence}
    if words.secret is not None:
        facts |= {"secret": words.secret.name} | ({"matches": True} if reading.verdict == "confirmed" else {})
    elif reading.verdict == "confirmed":
        output["text"] = words.text
        facts["read_back"] = reading.value
    return ToolOutcome(output, reading.verdict, facts, undo=_UNDO)
