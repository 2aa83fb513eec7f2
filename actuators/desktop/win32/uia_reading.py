"""What UI Automation says of an element, in the words of the port. Windows only; unproven, see docs/guides/windows.md.

Source: Microsoft, "UI Automation Control Types" and "Control Patterns Overview".
"""

import sys
from typing import Any

from actuators.desktop.ports.desktop import Element, Rect

if sys.platform != "win32":
    raise ImportError("UI Automation is a part of Windows")

from uiautomation import PatternId

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
