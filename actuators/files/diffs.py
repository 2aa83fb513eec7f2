"""Changes of text as people see them before they say yes."""

import difflib

from actuators.files.texts import split_lines

_MOST_COMPARED = 4_000
_MOST_LINES = 400
_MOST_CHARS = 400


def render_diff(before: str | None, after: str | None, path: str) -> str:
    """Return the unified diff of a change of text; where it would be too long, its beginning and how much is left out.

    Args:
        before: The present text; None if there is no file.
        after: The new text; None if the file goes.
        path: Of the file.
    """
    old, new = split_lines(before or ""), split_lines(after or "")
    if before is not None and after is not None and len(old) + len(new) > _MOST_COMPARED:
        start = _count_same(old, new)
        end = _count_same(old[start:][::-1], new[start:][::-1])
        old, new = old[start : len(old) - end], new[start : len(new) - end]
        if len(old) + len(new) > _MOST_COMPARED:
            return f"--- {path}\n+++ {path}\n@@ {len(old)} lines become {len(new)} from line {start + 1} on @@\n"
        return _render(old, new, path, path) + f"\\ counted from line {start + 1} on\n"
    return _render(old, new, "/dev/null" if before is None else path, "/dev/null" if after is None else path)


def _render(old: list[str], new: list[str], before: str, after: str) -> str:
    lines: list[str] = []
    for line in difflib.unified_diff(old, new, before, after):
        shown = line if len(line) <= _MOST_CHARS else f"{line[:_MOST_CHARS]}…\n"
        lines.append(shown if shown.endswith(("\n", "\r")) else f"{shown}\n\\ No newline at end of file\n")
    left = len(lines) - _MOST_LINES
    return "".join([*lines[:_MOST_LINES], f"\\ {left} more lines\n"] if left > 0 else lines)


def _count_same(old: list[str], new: list[str]) -> int:
    for number, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return number
    return min(len(old), len(new))
