"""Changes of text as people see them before they say yes."""

import difflib

from actuators.files.jobs.texts import split_lines

_MOST_COMPARED = 4_000
_MOST_SPLIT = 1_000_000
_MOST_LINES = 400
_MOST_CHARS = 400


def render_diff(before: str | None, after: str | None, path: str) -> str:
    """Return the unified diff of a text, None where there is or will be no file; too long, its beginning and how much is left out."""
    head, skipped = _find_same_head(before, after) if before and after else (0, 0)
    old, new = split_lines((before or "")[head:]), split_lines((after or "")[head:])
    if before is not None and after is not None and (skipped or len(old) + len(new) > _MOST_COMPARED):
        start = _count_same(old, new)
        end = _count_same(old[start:][::-1], new[start:][::-1])
        old, new = old[start : len(old) - end], new[start : len(new) - end]
        first = skipped + start + 1
        if len(old) + len(new) > _MOST_COMPARED:
            return f"--- {path}\n+++ {path}\n@@ {len(old)} lines become {len(new)} from line {first} on @@\n"
        return _render(old, new, path, path) + f"\\ counted from line {first} on\n"
    return _render(old, new, "/dev/null" if before is None else path, "/dev/null" if after is None else path)


def _render(old: list[str], new: list[str], before: str, after: str) -> str:
    lines: list[str] = []
    for line in difflib.unified_diff(old, new, before, after):
        shown = line if len(line) <= _MOST_CHARS else f"{line[:_MOST_CHARS]}…\n"
        lines.append(shown if shown.endswith(("\n", "\r")) else f"{shown}\n\\ No newline at end of file\n")
    left = len(lines) - _MOST_LINES
    return "".join([*lines[:_MOST_LINES], f"\\ {left} more lines\n"] if left > 0 else lines)


def _find_same_head(before: str, after: str) -> tuple[int, int]:
    """Return how much large texts share at their beginning, and how many lines that is: only the rest is split into lines."""
    low, high = 0, min(len(before), len(after)) if len(before) + len(after) > _MOST_SPLIT else 0
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    head = before.rfind("\n", 0, low) + 1
    shared = before[:head]
    return head, shared.count("\n") + shared.count("\r") - shared.count("\r\n")


def _count_same(old: list[str], new: list[str]) -> int:
    for number, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return number
    return min(len(old), len(new))
