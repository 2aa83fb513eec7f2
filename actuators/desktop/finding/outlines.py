"""Outlines of windows as accessibility trees, for people and models to read. What they hold is data, never orders."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from actuators.desktop.finding.misses import SILENT
from actuators.desktop.ports.desktop import Element

CHARS_PER_TOKEN = 4
_MOST_VALUE_CHARS = 400
_SHOWN_STATES = (
    *("checked", "mixed", "pressed", "selected", "expanded", "collapsed", "focused", "required", "invalid", "busy"),
    *("read-only", "password", SILENT),
)
# They hold other elements together and say nothing themselves, unless they have a name.
_SILENT_ROLES = {
    *("group", "scroll pane", "viewport", "split pane", "layered pane", "root pane", "separator", "scrollbar", "pane"),
    *("unknown", "redundant object", "custom"),
}


@dataclass(frozen=True, slots=True)
class Outline:
    """An outline.

    Attributes:
        text: One line for each element.
        elements: How many it shows.
        left_out: How many it doesn't show for want of room.
    """

    text: str
    elements: int
    left_out: int


def write_outline(title: str, elements: Sequence[Element], max_tokens: int) -> Outline:
    """Outline a window.

    Args:
        title: First line, the window.
        elements: What is in it, depth first.
        max_tokens: About how long it may be.
    """
    lines = [f"- {title}"]
    room = max_tokens * CHARS_PER_TOKEN - len(lines[0])
    told = left_out = 0
    above: list[tuple[int, int]] = []  # of what the next element is in: level in the tree, level in the outline
    for element in elements:
        while above and above[-1][0] >= len(element.path):
            above.pop()
        level = above[-1][1] if above else 0
        if _is_told(element):
            level += 1
            line = "  " * level + write_line(element)
            room -= len(line) + 1
            if room < 0:
                left_out += 1
            else:
                lines.append(line)
                told += 1
        above.append((len(element.path), level))
    if left_out:
        lines.append(f"({left_out} more elements left out; ask for less depth, or for more tokens)")
    return Outline("\n".join(lines), told, left_out)


def write_line(element: Element) -> str:
    """Write an element: role, name, states, value; passwords are never written."""
    parts = ["-", element.role]
    if element.name:
        parts.append(json.dumps(element.name, ensure_ascii=False))
    if element.role == "application" and SILENT in element.states:
        return " ".join([*parts, "[does not answer]"])
    states = [state for state in _SHOWN_STATES if state in element.states]
    if "enabled" not in element.states and element.role != "label":
        states.append("disabled")
    parts.extend(f"[{state}]" for state in states)
    line = " ".join(parts)
    if element.value is None or "password" in element.states:
        return line
    value = element.value
    cut = value[:_MOST_VALUE_CHARS] + "…" if len(value) > _MOST_VALUE_CHARS else value
    return f"{line}: {json.dumps(cut, ensure_ascii=False)}"


def _is_told(element: Element) -> bool:
    if "visible" not in element.states and SILENT not in element.states:
        return False
    return bool(element.name or element.value) or element.role not in _SILENT_ROLES
