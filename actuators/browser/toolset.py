"""What all browser tools have in common, and the words that several of them share."""

from typing import Literal

from core.ports import Toolset

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]
MouseButton = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
TypingMode = Literal["replace", "append", "keys"]
Direction = Literal["up", "down", "left", "right"]
ElementState = Literal["attached", "detached", "visible", "hidden", "enabled", "disabled", "checked", "unchecked"]
WaitState = Literal["attached", "detached", "visible", "hidden"]
ReadTarget = Literal["title", "url", "text", "value", "html", "attribute", "table", "links", "count"]
RouteAction = Literal["fulfil", "abort", "delay", "remove"]


class BrowserToolset(Toolset):
    """What all browser tools have in common."""

    domain = "browser"
    intent = "browser_control"
    capability = "browser"
