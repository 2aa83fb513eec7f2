"""UiAutomation: the accessibility tree of Microsoft Windows through uiautomation. Windows only.

UNPROVEN: no test has run this against a real UI Automation, which wine lacks. docs/guides/windows.md says what was tried.

Source: Microsoft, "UI Automation Control Types" and "Control Patterns Overview".
"""

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from actuators.base import Availability
from actuators.deadlines import pause
from actuators.desktop.ports.desktop import Element, Rect, Window
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import DeviceError, TargetError, UnsupportedError

if sys.platform != "win32":
    raise ImportError("UI Automation is a part of Windows")

import uiautomation
from comtypes import COMError
from uiautomation import PatternId

from actuators.platforms.com_apartment import join_apartment, leave_apartment

Result = TypeVar("Result")
ANSWER_LIMIT_S = 10.0
ASSESS_LIMIT_S = 3.0
LOOK_AGAIN_S = 0.1
MOST_ELEMENTS = 3000
REMEDY = "Use Windows 8 or newer; wine has none."
AT_ONCE = 0  # the library waits half a second after each act; what becomes of it is read back instead
ROLES = {
    "ButtonControl": "button",
    "SplitButtonControl": "button",
    "CheckBoxControl": "checkbox",
    "ComboBoxControl": "combobox",
    "CustomControl": "group",
    "DataGridControl": "table",
    "DataItemControl": "row",
    "DocumentControl": "textbox",
    "EditControl": "textbox",
    "GroupControl": "group",
    "HeaderItemControl": "columnheader",
    "HyperlinkControl": "link",
    "ImageControl": "img",
    "ListControl": "listbox",
    "ListItemControl": "option",
    "MenuControl": "menu",
    "MenuBarControl": "menubar",
    "MenuItemControl": "menuitem",
    "PaneControl": "region",
    "ProgressBarControl": "progressbar",
    "RadioButtonControl": "radio",
    "SliderControl": "slider",
    "SpinnerControl": "spinbutton",
    "StatusBarControl": "status",
    "TabControl": "tablist",
    "TabItemControl": "tab",
    "TableControl": "table",
    "ToolBarControl": "toolbar",
    "ToolTipControl": "tooltip",
    "TreeControl": "tree",
    "TreeItemControl": "treeitem",
    "WindowControl": "dialog",
}
ACTIONS = {
    "invoke": PatternId.InvokePattern,
    "toggle": PatternId.TogglePattern,
    "select": PatternId.SelectionItemPattern,
    "expand": PatternId.ExpandCollapsePattern,
    "collapse": PatternId.ExpandCollapsePattern,
}
ON, EXPANDED = 1, 1


class UiAutomation:
    """What the programs of Windows show of themselves."""

    def __init__(self) -> None:
        self._thread = DeviceThread("ui-automation", begin=join_apartment, end=leave_apartment)

    def assess(self) -> Availability:
        """Say whether there is a UI Automation, asking for three seconds at most."""
        found: list[bool] = []

        def look() -> None:
            join_apartment()
            try:
                found.append(uiautomation.GetRootControl() is not None)
            except (COMError, OSError, AttributeError):  # the last where its library describes no interface
                found.append(False)
            finally:
                leave_apartment()

        asker = threading.Thread(target=look, name="ui-automation-check", daemon=True)
        asker.start()
        asker.join(ASSESS_LIMIT_S)
        if found == [True]:
            return Availability("accessibility", available=True, reason="Windows' UI Automation by uiautomation.")
        reason = "UI Automation does not answer." if not found else "This Windows has no working UI Automation."
        return Availability("accessibility", available=False, reason=reason, remedy=REMEDY)

    async def elements(self, window: Window | None, *, depth: int | None = None) -> tuple[Element, ...]:
        """Return what is in a window, or in all of them: depth first, at most 3000 elements."""
        return await self._call(functools.partial(collect, window, depth))

    async def refresh(self, element: Element) -> Element | None:
        """Return an element as it is now, or None if it is gone."""
        try:
            return await self._call(lambda: read_element(element.ref, element.path))
        except DeviceError as error:
            if error.code == "device_missing":
                return None
            raise

    async def invoke(self, element: Element, action: str) -> None:
        """Let an element do one of its actions: invoke, toggle, select, expand or collapse."""
        if action not in ACTIONS:
            raise unsuitable(element, action)
        await self._act(element, ACTIONS[action], action.capitalize(), ())

    async def set_text(self, element: Element, text: str) -> None:
        """Replace an element's text."""
        await self._act(element, PatternId.ValuePattern, "SetValue", (text,))

    async def set_number(self, element: Element, number: float) -> None:
        """Set an element's number."""
        await self._act(element, PatternId.RangeValuePattern, "SetValue", (number,))

    async def select(self, element: Element) -> None:
        """Choose an entry of a list in place of the one that is chosen there."""
        await self._act(element, PatternId.SelectionItemPattern, "Select", ())

    async def focus(self, element: Element) -> None:
        """Give an element the keyboard focus."""
        await self._call(element.ref.SetFocus)

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return after a moment: what has changed shows when it is read again."""
        await pause(min(timeout_s, LOOK_AGAIN_S))

    async def close(self) -> None:
        """Let the thread end; calling it again does nothing."""
        await self._thread.close()

    async def _act(self, element: Element, pattern: int, method: str, values: tuple[Any, ...]) -> None:
        def do() -> None:
            found = element.ref.GetPattern(pattern)
            if found is None:
                raise unsuitable(element, method)
            getattr(found, method)(*values, waitTime=AT_ONCE)

        await self._call(do)

    async def _call(self, work: Callable[[], Result]) -> Result:
        try:
            return await self._thread.run(work, timeout_s=ANSWER_LIMIT_S)
        except TimeoutError as error:
            raise DeviceError(
                f"UI Automation did not answer within {ANSWER_LIMIT_S:g} s.", code="server_missing"
            ) from error
        except COMError as error:
            raise DeviceError(
                "The element is gone, or its program does not answer.",
                code="device_missing",
                evidence={"hresult": f"0x{error.hresult & 0xFFFFFFFF:08X}"},
            ) from error


def unsuitable(element: Element, what: str) -> TargetError:
    """Return the error of an element that can't do something."""
    return TargetError(
        f"The {element.role} {element.name!r} can't {what.lower()}.",
        code="target_unsuitable",
        hint=f"It can: {', '.join(element.actions) or 'nothing'}.",
        evidence={"role": element.role, "name": element.name, "actions": list(element.actions)},
    )


def collect(window: Window | None, depth: int | None) -> tuple[Element, ...]:
    """Return the elements of a window, or of all."""
    try:
        top = uiautomation.GetRootControl() if window is None else uiautomation.ControlFromHandle(int(window.id, 16))
    except AttributeError as error:  # its library describes no interface, as wine's does
        raise UnsupportedError("This Windows has no working UI Automation.", hint=REMEDY) from error
    if top is None:
        return ()
    found = walk(top, (), depth)
    return tuple(element for element, _ in zip(found, range(MOST_ELEMENTS), strict=False))


def walk(control: Any, path: tuple[tuple[str, str], ...], depth: int | None) -> Iterator[Element]:
    """Yield what is below a control, parents before their children; what vanishes meanwhile is left out."""
    if depth == 0:
        return
    for child in control.GetChildren():
        try:
            element = read_element(child, path)
        except COMError:
            continue
        yield element
        yield from walk(child, (*path, (element.role, element.name)), None if depth is None else depth - 1)


def read_element(control: Any, path: tuple[tuple[str, str], ...]) -> Element:
    """Return an element of UI Automation as it is now."""
    kind = control.ControlTypeName
    value = control.GetPattern(PatternId.ValuePattern)
    number = control.GetPattern(PatternId.RangeValuePattern)
    details: dict[str, Any] = {"kind": kind, "automation_id": control.AutomationId, "class": control.ClassName}
    details["identity"] = tuple(control.GetRuntimeId())
    if control.HelpText:
        details["description"] = control.HelpText
    if number is not None:
        details["range"] = [number.Minimum, number.Maximum]
    return Element(
        ref=control,
        role=ROLES.get(kind) or control.LocalizedControlType or kind,
        name=control.Name or "",
        value=read_value(control, value, number),
        bounds=read_bounds(control),
        states=frozenset(list_states(control, value)),
        actions=tuple(name for name, pattern in ACTIONS.items() if control.GetPattern(pattern) is not None),
        pid=control.ProcessId,
        path=path,
        details=details,
    )


def read_value(control: Any, value: Any, number: Any) -> str | None:
    """Return an element's text or number; nothing of a password."""
    if control.IsPassword:
        return None
    if value is not None:
        return value.Value
    return None if number is None else f"{number.Value:g}"


def read_bounds(control: Any) -> Rect | None:
    """Return where an element is; None where it is nowhere on the screen."""
    found = control.BoundingRectangle
    width, height = found.right - found.left, found.bottom - found.top
    return None if control.IsOffscreen or width <= 0 or height <= 0 else Rect(found.left, found.top, width, height)


def list_states(control: Any, value: Any) -> list[str]:
    """Return the states of an element that hold now."""
    toggle = control.GetPattern(PatternId.TogglePattern)
    item = control.GetPattern(PatternId.SelectionItemPattern)
    folding = control.GetPattern(PatternId.ExpandCollapsePattern)
    states = {
        "enabled": control.IsEnabled,
        "visible": not control.IsOffscreen,
        "focused": control.HasKeyboardFocus,
        "focusable": control.IsKeyboardFocusable,
        "editable": value is not None and not value.IsReadOnly,
        "checked": toggle is not None and toggle.ToggleState == ON,
        "selected": item is not None and item.IsSelected,
        "expanded": folding is not None and folding.ExpandCollapseState == EXPANDED,
    }
    return [name for name, holds in states.items() if holds]
