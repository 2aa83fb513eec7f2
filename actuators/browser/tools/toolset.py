"""What all browser tools have in common, and the words that several of them share."""

from collections.abc import Mapping
from typing import Any, Literal

from core.ports import Toolset

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]
MouseButton = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
TypingMode = Literal["replace", "append", "keys"]
Direction = Literal["up", "down", "left", "right"]
ElementState = Literal["attached", "detached", "visible", "hidden", "enabled", "disabled", "checked", "unchecked"]
WaitState = Literal["attached", "detached", "visible", "hidden"]
ReadTarget = Literal[
    "title", "url", "text", "value", "html", "attribute", "table", "links", "count", "word", "solution"
]
ENTRY_ROLES = frozenset({"menuitem", "treeitem"})
"""Roles of what is selected by pressing it, and has no state that tells so."""

Uncovering = Literal["any", "sections", "tabs", "pages", "scroll", "menus"]
PictureTarget = Literal["file", "clipboard"]
RouteAction = Literal["fulfil", "abort", "delay", "remove"]


_OPENING = frozenset({"navigate", "open_tab", "download"})


def opens_address(verb: str, args: Mapping[str, Any]) -> bool:
    """Tell whether a verb goes to an address of its own, so that it doesn't matter which page is open.

    Args:
        verb: The verb.
        args: Its arguments.
    """
    return verb in _OPENING and bool(args.get("url"))


class BrowserToolset(Toolset):
    """What all browser tools have in common."""

    domain = "browser"
    intent = "browser_control"
    capability = "browser"
