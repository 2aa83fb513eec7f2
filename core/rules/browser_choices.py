"""The closed sets of values that the browser's verbs take: their one home.

They are types, so that tools and back ends are checked against them; the table lists their values by ``get_args``.
"""

from typing import Literal

LoadState = Literal["domcontentloaded", "load", "networkidle"]
WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]
WaitState = Literal["attached", "detached", "visible", "hidden"]
ElementState = Literal["attached", "detached", "visible", "hidden", "enabled", "disabled", "checked", "unchecked"]

MouseButton = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
RevealMethod = Literal["any", "sections", "tabs", "pages", "scroll", "menus"]
FocusMove = Literal["next", "previous"]
Side = Literal["before", "after"]
StrokeShape = Literal["circle", "horizontal line", "vertical line"]
SortOrder = Literal["ascending", "descending"]
Direction = Literal["up", "down", "left", "right"]
ScrollUnit = Literal["page", "pixel"]
ScrollEnd = Literal["top", "bottom"]

TypingMode = Literal["replace", "append", "keys"]

ReadTarget = Literal["title", "url", "text", "value", "html", "attribute", "table", "links", "count", "word", "colour"]
PictureTarget = Literal["file", "clipboard"]

WhichTabs = Literal["all", "others", "left", "right"]
ZoomDirection = Literal["in", "out", "reset"]

DialogAnswer = Literal["accept", "dismiss"]
ColorScheme = Literal["light", "dark", "no-preference"]
RouteAction = Literal["fulfil", "abort", "delay", "remove"]
