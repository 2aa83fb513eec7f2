"""A change of a text as lines that say what was added and what was removed."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from core.base.late_dataclasses import dataclass

MOST_LINES = 400
"""Lines of one change that are shown; how many more there are is told."""

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)")


class DiffLine(NamedTuple):
    """A line of a change, with its number after the change or before it; 0 for none."""

    kind: Literal["add", "cut", "same", "head"]
    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Diff:
    """A change of a file.

    Attributes:
        left_out: How many more lines there are.
    """

    title: str
    lines: Sequence[DiffLine]
    left_out: int = 0

    @property
    def weight(self) -> str:
        """How many lines are added and removed: ``+2 −1``."""
        counts = {kind: sum(line.kind == kind for line in self.lines) for kind in ("add", "cut")}
        return f"+{counts['add']} −{counts['cut']}"


def read_diff(title: str, text: str) -> Diff:
    """Return a change from its unified diff."""
    lines = tuple(_read_lines(text))
    return Diff(title, lines[:MOST_LINES], max(0, len(lines) - MOST_LINES))


def _read_lines(text: str) -> Iterator[DiffLine]:
    before = after = 0
    for line in text.removesuffix("\n").split("\n") if text else ():
        if hunk := _HUNK.match(line):
            before, after = int(hunk[1]), int(hunk[2])
            if max(before, after) > 1 or hunk[3]:
                yield DiffLine("head", hunk[3])
        elif not (before or after) or line.startswith("\\"):
            continue  # names of the files, and that an end of line is missing
        elif line.startswith("+"):
            yield DiffLine("add", line[1:], after)
            after += 1
        elif line.startswith("-"):
            yield DiffLine("cut", line[1:], before)
            before += 1
        else:
            yield DiffLine("same", line[1:], after)
            before, after = before + 1, after + 1
