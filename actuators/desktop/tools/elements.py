"""ElementTools: the tools for accessible elements, over any desktop."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.element_naming import describe_element, write_selector
from actuators.desktop.finding.element_words import SILENT, fold
from actuators.desktop.finding.locating import LocatedElement, Locating, find_owner
from actuators.desktop.ports.desktop import Element, Target, Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.element_values import (
    ValueSetting,
    can_only_be_selected,
    check_step,
    choose_action,
    choose_setting,
)
from actuators.desktop.tools.toolset import DesktopToolset
from core.base.errors import ActionError, DeviceError, TargetError, UnknownOutcomeError
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.param_types import ELEMENT_TARGET, TEXT, WindowName
from core.rules.type_makers import either, maybe_secret, number
from core.tools.ports import ActionContext

_LISTED = 8
_MOST_CHARS = 200
_Print = tuple[tuple[tuple[str, str], ...], str, str, str | None, frozenset[str]]


def list_changes(before: Sequence[Element], after: Sequence[Element]) -> list[dict[str, Any]]:
    """Return what is new or different, else what is gone; empty where nothing has changed. At most eight."""
    old, new = Counter(_print(each) for each in before), Counter(_print(each) for each in after)
    appeared, vanished = new - old, old - new
    if appeared:
        return [_describe(each) for each in appeared][:_LISTED]
    return [_describe(each) | {"gone": True} for each in vanished][:_LISTED]


def list_opened(before: Sequence[Window], after: Sequence[Window], pid: int) -> list[dict[str, Any]]:
    """Return the windows that a process has opened, such as dialogs. At most eight."""
    known = {each.id for each in before}
    opened = [each for each in after if each.id not in known and each.pid == pid]
    return [{"role": "window", "name": each.title, "id": each.id} for each in opened][:_LISTED]


def _print(element: Element) -> _Print:
    # The window's title is left out: it changes with what is in the window, and then everything would seem new.
    value = None if "password" in element.states else element.value
    return element.path[1:], element.role, element.name, value, element.states


def _describe(fingerprint: _Print) -> dict[str, Any]:
    _, role, name, value, states = fingerprint
    cut = value[:_MOST_CHARS] + "…" if value is not None and len(value) > _MOST_CHARS else value
    return {"role": role, "name": name, "value": cut, "states": sorted(states)}


SETTLE_S = 0.7
"""Seconds that an application has to show what an act has changed."""

_BUSY_S = 4.0  # for an application that doesn't even answer, since it is opening a dialog
_STEP_S = 0.05
_NO_SECRETS = "The earlier content of a password field is never read."


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What is there before an act; the scope is the window in which it will show, None where that isn't known."""

    scope: Window | None
    elements: tuple[Element, ...]
    windows: tuple[Window, ...]


class ElementTools(DesktopToolset):
    """Accessible elements, without pointer and keyboard."""

    intent = "input_control"
    capability = "accessibility"

    def __init__(self, parts: DesktopParts, locator: Locating) -> None:
        self._parts = parts
        self._tree = parts.accessibility
        self._locator = locator

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which element is acted on."""
        del verb
        return await self._locator.describe_target(context, args)

    async def invoke(
        self, context: ActionContext, target: Annotated[Target, ELEMENT_TARGET], window: WindowName | None = None
    ) -> ToolOutcome:
        """Do what an element is for: press a button, open a menu, tick a box.

        Args:
            target: The element.
            window: Where to look for it.

        Returns:
            Output ``action`` (its name to the application), ``found`` and, where it has any, its states before and after.

        Raises:
            TargetError: If it isn't there, more than one is, it is disabled, or has no action.
        """
        found = await self._find(context, target, window)
        element = found.element
        action = "select" if can_only_be_selected(element) else choose_action(element)
        before = await self._look_around(found)
        deadline = Deadline(context.timeout_s)
        answered = await self._act(element, action)
        wait_s = min(SETTLE_S if answered else _BUSY_S, deadline.remaining_s)
        after, changes = await self._watch(element, before, wait_s)
        states = {"before": sorted(element.states), "after": sorted(after.states) if after else None}
        if not answered and not changes:
            raise UnknownOutcomeError(
                f"{write_selector(element)} was asked to {action}; the application did not answer and shows no change.",
                hint="See what is there before you try again: surehand look WINDOW.",
                evidence={"action": action, "answered": False, "states": states},
            )
        evidence: dict[str, Any] = {"action": action, "answered": answered, "states": states, "changed": changes}
        output = {"action": action, "found": describe_element(element), "states": states}
        undo = "What it caused can't be undone automatically."
        return ToolOutcome(output, "confirmed" if changes else "unverified", evidence, undo=undo)

    async def set_value(
        self,
        context: ActionContext,
        target: Annotated[Target, ELEMENT_TARGET],
        value: Annotated[str | float | Secret, maybe_secret(either(number(-1e15, 1e15), TEXT))],
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Set the text or the number of an element.

        Args:
            target: The element.
            value: The text of a field, the number of a slider, the entry of a list; or a secret, for a field.
            window: Where to look for it.

        Returns:
            Output ``value`` as read back and ``before``; neither for secrets.

        Raises:
            TargetError: As for ``invoke``; also if it can't be written to, or the number is out of its range.
        """
        if isinstance(value, Secret):
            return await self._set_secret(context, target, value, window)
        found = await self._find(context, target, window)
        element = found.element
        setting = choose_setting(element, found.list_inside(), value)
        before = _read(element, setting)
        await self._set(element, setting)
        after = await self._read_back(element, lambda now: _holds(now, setting))
        if after is None:
            raise TargetError(f"The {write_selector(element)} is gone.", code="target_detached")
        if "password" in element.states:
            return ToolOutcome({"value": None, "before": None}, "unverified", {"password": True}, undo=_NO_SECRETS)
        now = _read(after, setting)
        if not _holds(after, setting):
            raise ActionError(
                f"The {write_selector(element)} holds {now!r}, not {value!r}.",
                code="not_set",
                hint="The application changes or refuses the value.",
                evidence={"wanted": value, "value": now, "before": before},
            )
        params = {"target": target, "value": before} | ({"window": window} if window is not None else {})
        record = UndoRecord("desktop", "set_value", params, {"value": now}) if before is not None else None
        undo = f"Set it back to {before!r}." if before is not None else "Its earlier value is unknown."
        return ToolOutcome({"value": now, "before": before}, "confirmed", {"value": now}, undo=undo, undo_record=record)

    async def read_value(
        self, context: ActionContext, target: Target, value: str | float, window: str | None = None
    ) -> str | None:
        """Return what an element holds now, as setting that value would read it."""
        found = await self._find(context, target, window)
        return _read(found.element, choose_setting(found.element, found.list_inside(), value))

    async def _set_secret(
        self, context: ActionContext, target: Target, secret: Secret, window: str | None
    ) -> ToolOutcome:
        """Set the text of a field to what a secret stands for; that is compared and not told."""
        value = await context.vault.reveal(secret)
        found = await self._find(context, target, window)
        element = found.element
        if "editable" not in element.states:
            text = f"The {write_selector(element)} takes no text, so no secret either."
            raise TargetError(text, code="target_unsuitable", evidence=describe_element(element))
        self._parts.secrets.note(element)
        await self._tree.set_text(element, value)
        after = await self._read_back(element, lambda now: now.value == value)
        if after is None:
            raise TargetError(f"The {write_selector(element)} is gone.", code="target_detached")
        evidence: dict[str, Any] = {"secret": secret.name}
        nothing = {"value": None, "before": None}
        if "password" in after.states:
            return ToolOutcome(nothing, "unverified", {**evidence, "password": True}, undo=_NO_SECRETS)
        if after.value != value:
            text = f"The {write_selector(element)} did not keep {secret} unchanged."
            raise ActionError(text, code="not_set", evidence=evidence)
        return ToolOutcome(nothing, "confirmed", {**evidence, "matches": True}, undo="Set it back by hand.")

    async def _find(self, context: ActionContext, target: Target, window: str | None) -> LocatedElement:
        found = await self._locator.find_element(target, window, timeout_s=context.timeout_s)
        fresh = await self._tree.refresh(found.element)
        if fresh is None:
            raise TargetError(f"The {write_selector(found.element)} is gone.", code="target_detached")
        listed = tuple(fresh if each is found.element else each for each in found.listed)
        return LocatedElement(fresh, listed, found.window)

    async def _act(self, element: Element, action: str) -> bool:
        """Let an element do something; return whether the application answered."""
        try:
            if can_only_be_selected(element):
                await self._tree.select(element)
            else:
                await self._tree.invoke(element, action)
        except DeviceError as error:
            if error.code != "not_settled":
                raise
            return False  # a dialog that it opened may keep it from answering
        return True

    async def _look_around(self, found: LocatedElement) -> _Surroundings:
        """Return what is there before an act: the windows, and the elements of that in which it will show."""
        windows = await self._list_windows()
        if found.window is not None:
            return _Surroundings(found.window, found.listed, windows)
        owner = find_owner(found.element, windows)
        return _Surroundings(owner, found.listed if owner is None else await self._tree.elements(owner), windows)

    async def _watch(
        self, element: Element, before: _Surroundings, wait_s: float
    ) -> tuple[Element | None, list[dict[str, Any]]]:
        """Return the element as it is after an act, and what has changed around it, as soon as something has."""
        deadline = Deadline(wait_s)
        while True:
            now = await self._tree.elements(before.scope)
            opened = list_opened(before.windows, await self._list_windows(), element.pid)
            # Of an application that doesn't answer, only its windows can be seen.
            hangs = any(SILENT in each.states for each in now)
            changes = opened + ([] if hangs else list_changes(before.elements, now))
            if changes or deadline.is_over:
                return await self._refresh_if_answered(element), changes
            await self._tree.wait_for_change(min(deadline.remaining_s, _STEP_S))

    async def _refresh_if_answered(self, element: Element) -> Element | None:
        try:
            return await self._tree.refresh(element)
        except DeviceError as error:
            if error.code != "not_settled":
                raise
            return None  # it is busy with what it was asked to do

    async def _list_windows(self) -> tuple[Window, ...]:
        if not self._parts.windows.assess().available:
            return ()
        try:
            return await self._parts.windows.windows()
        except DeviceError as error:
            if error.code != "server_missing":
                raise
            return ()  # without a window manager, elements can be used all the same

    async def _set(self, element: Element, setting: ValueSetting) -> None:
        if setting.kind == "number":
            await self._tree.set_number(element, setting.number)
        elif setting.kind == "text":
            await self._tree.set_text(element, setting.text)
        elif setting.entry is not None:
            await self._choose(setting.entry)
        elif setting.on != ("checked" in element.states):
            await self._tree.invoke(element, choose_action(element))

    async def _choose(self, entry: Element) -> None:
        fresh = await self._tree.refresh(entry)
        if fresh is None:
            raise TargetError(f"The {write_selector(entry)} is gone.", code="target_detached")
        await self._act(fresh, "select" if can_only_be_selected(fresh) else choose_action(fresh))

    async def _read_back(self, element: Element, is_so: Callable[[Element], bool]) -> Element | None:
        deadline = Deadline(SETTLE_S)
        while True:
            now = await self._tree.refresh(element)
            if now is None or is_so(now) or deadline.is_over or "password" in now.states:
                return now
            await self._tree.wait_for_change(min(deadline.remaining_s, _STEP_S))


def _read(element: Element, setting: ValueSetting) -> str | None:
    if setting.kind == "tick":
        return "on" if "checked" in element.states else "off"
    return element.value


def _holds(element: Element, setting: ValueSetting) -> bool:
    if setting.kind == "number":
        return check_step(element, setting.number, element.value)
    if setting.kind == "tick":
        return ("checked" in element.states) == setting.on
    if setting.kind == "entry":
        return fold(element.value or element.name) == fold(setting.text)
    return element.value == setting.text
