"""What an act is told to the verb that does it again: its params."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agent.recording.acts import Act
from core.goals.secret_values import Secret

Params = dict[str, Any]


def list_params(act: Act, names: Mapping[str, str], workspace: Path) -> Params:
    """Return the params of an act's goal; empty where it has none, or nothing names its element."""
    if act.kind in _ANYWHERE:
        return _ANYWHERE[act.kind](act)
    if not act.selector or act.kind not in _ON_ELEMENT:
        return {}
    if act.secret:
        return {"selector": act.selector, "text": Secret(names[act.ids[0]])}
    if act.kind == "upload":
        paths = [tell_path(each, workspace) for each in act.value]
        return {"selector": act.selector, "path": paths[0] if len(paths) == 1 else paths}
    return {"selector": act.selector, **_ON_ELEMENT[act.kind](act)}


def tell_path(path: str, workspace: Path) -> str:
    """Return a path as a flow says it: from the workspace where it lies in it.

    Args:
        path: Of a file; a bare name where the browser didn't say more.
    """
    whole = Path(path)
    return whole.relative_to(workspace).as_posix() if whole.is_absolute() and whole.is_relative_to(workspace) else path


def _click(act: Act) -> Params:
    """Return how something was clicked, where that wasn't once with the left button."""
    found: Params = {}
    if act.detail["button"] != "left":
        found["button"] = act.detail["button"]
    if act.detail["count"] > 1:
        found["count"] = act.detail["count"]
    if act.detail["modifiers"]:
        found["modifiers"] = list(act.detail["modifiers"])
    return found


def _drag(act: Act) -> Params:
    if not act.detail.get("goal"):
        return {"offset": list(act.detail["offset"])}
    return {"target": act.detail["goal"], **({"side": act.detail["side"]} if act.detail.get("side") else {})}


def _press(act: Act) -> Params:
    return {**({"selector": act.selector} if act.selector else {}), "key": act.value}


def _download(act: Act) -> Params:
    return {**({"selector": act.selector} if act.selector else {"url": act.was}), "path": act.value}


def _answer(act: Act) -> Params:
    said = act.detail.get("text", "")
    typed = act.value == "accept" and act.detail["kind"] == "prompt" and said != act.detail.get("given", "")
    return {"action": act.value, **({"text": said} if typed else {})}


_ON_ELEMENT: Mapping[str, Callable[[Act], Params]] = {
    "check": lambda act: {} if act.value else {"checked": False},
    "click": _click,
    "drag": _drag,
    "expect": lambda act: act.value or {},
    "hover": lambda _: {},
    "select": lambda act: {"value": act.value[0] if len(act.value) == 1 else list(act.value)},
    "set": lambda act: {"value": act.value},
    "type": lambda act: {"text": act.value},
    "upload": lambda _: {},
}
_ANYWHERE: Mapping[str, Callable[[Act], Params]] = {
    "dialog": _answer,
    "download": _download,
    "navigate": lambda act: {"url": act.value},
    "press": _press,
}
