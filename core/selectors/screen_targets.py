"""Screen targets: how something on the desktop is named. Pure; docs/guides/desktop.md describes all forms.

A target is an element of the accessibility tree (``button "OK"``, ``field "Name" in dialog "Save"``), a text on the
screen (``text "Sign in"``), or a point with its coordinate space. Elements and texts are written like the plain
selectors of pages, and are taken to pieces by the same parser.
"""

from collections.abc import Mapping
from typing import Any, Literal

from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass
from core.selectors.selectors import LAST, PREFIXES, PlainSelector, parse_selector

Space = Literal["screen", "window", "screenshot"]

_KINDS = {"role", "control", "field", "ref"}
_REGION_KINDS = {"role", "control", "field"}


@dataclass(frozen=True, slots=True)
class ElementTarget:
    """An element of the accessibility tree."""

    selector: PlainSelector


@dataclass(frozen=True, slots=True)
class TextTarget:
    """A text that is read on the screen, which of several from 1; None where there must be only one."""

    text: str
    nth: int | None = None


@dataclass(frozen=True, slots=True)
class PointTarget:
    """A point.

    Attributes:
        space: ``screen`` (all displays together), ``window`` (the one that is named, or the active one) or
            ``screenshot`` (that picture's own pixels).
        screenshot: Id of the screenshot that it was read from; empty outside that space.
    """

    x_px: float
    y_px: float
    space: Space = "screen"
    screenshot: str = ""


ScreenTarget = ElementTarget | TextTarget | PointTarget


def parse_screen_target(value: str | Mapping[str, Any]) -> ScreenTarget:
    """Take a plain form, or ``{"point": [x, y], "space": …, "screenshot": …}``, to pieces.

    Raises:
        TargetError: With code ``bad_selector``, if it can't be understood.
    """
    if not isinstance(value, str):
        return _read_point(value)
    spec = parse_selector(value)
    plain = spec.core
    if isinstance(plain, str) or spec.frames:
        raise _fail(value, 'Name an element, such as button "OK", or a text on the screen, such as text "OK".')
    if not _is_simple(plain):
        raise _fail(value, "On the desktop name one element by kind, name, region and number.")
    if plain.kind == "text":
        if plain.regions:
            raise _fail(value, "A text on the screen has no regions; name a window or a region beside it.")
        return TextTarget(plain.name, plain.nth)
    if plain.kind not in _KINDS:
        raise _fail(value, f"{plain.kind}{'=' if plain.kind in PREFIXES else ''} is for pages only.")
    return ElementTarget(plain)


def parse_element_target(value: str) -> ElementTarget:
    """Take a target to pieces that must be an element; else ``bad_selector``."""
    target = parse_screen_target(value)
    if not isinstance(target, ElementTarget):
        raise _fail(value, 'This needs an element, such as button "OK"; to click a text, use click.')
    return target


def list_target_needs(value: str | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the capabilities that finding a target takes."""
    target = parse_screen_target(value)
    if isinstance(target, ElementTarget):
        return ("accessibility",)
    if isinstance(target, TextTarget):
        return ("screen", "vision")
    return {"screen": (), "window": ("windows",), "screenshot": ("screen",)}[target.space]


def _is_simple(plain: PlainSelector) -> bool:
    """Tell whether a form says nothing that only pages know: layout, values, several elements."""
    if plain.names_several or plain.exceptions or plain.placements or plain.ranking or plain.nth == LAST:
        return False
    parts = [each.selector for each in plain.regions if each.selector is not None]
    return all(part.kind in _REGION_KINDS and _is_simple(part) for part in parts)


def _read_point(value: Mapping[str, Any]) -> PointTarget:
    x_px, y_px = value["point"]
    screenshot = value.get("screenshot", "")
    space = value.get("space", "screenshot" if screenshot else "screen")
    if (space == "screenshot") != bool(screenshot):
        raise _fail(dict(value), "Give the screenshot's id for a point in a screenshot, and for no other point.")
    return PointTarget(x_px, y_px, space, screenshot)


def _fail(value: object, hint: str) -> TargetError:
    return TargetError(
        f"The target {value!r} can't be understood.", code="bad_selector", hint=hint, evidence={"target": value}
    )
