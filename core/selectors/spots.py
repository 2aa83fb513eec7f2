"""Places in a grid, in words: ``top left``, ``center``, ``bottom right``, ``row 2 column 3``."""

import re

from core.base.late_parts import compile_late
from core.selectors.selector_parts import Spot

SPOT_HINT = 'For example: at "top left", at "center", at "row 2 column 3".'

_LINES = {"top": 1, "upper": 1, "middle": 0, "center": 0, "centre": 0, "bottom": -1, "lower": -1}
_SIDES = {"left": 1, "middle": 0, "center": 0, "centre": 0, "right": -1}
_COUNTED = compile_late(r"row (last|[1-9]\d{0,3}),? column (last|[1-9]\d{0,3})")


def read_spot(words: str) -> Spot | None:
    """Return the place that words such as ``top left``, ``middle right`` or ``row 2 column 3`` name; None if they name none."""
    said = " ".join(re.split(r"[\s-]+", words.strip().lower()))
    if match := _COUNTED.fullmatch(said):
        row, column = (-1 if each == "last" else int(each) for each in match.groups())
        return Spot(words, row, column)
    first, _, second = said.partition(" ")
    if not second and _LINES.get(first) == 0:
        return Spot(words, 0, 0)
    if first in _LINES and second in _SIDES:
        return Spot(words, _LINES[first], _SIDES[second])
    if first in _SIDES and second in _LINES:
        return Spot(words, _LINES[second], _SIDES[first])
    return None
