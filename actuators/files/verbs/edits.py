"""Replacing exact text: where it is, and what is nearest where it isn't."""

import re

from rapidfuzz import fuzz, process

from actuators.files.jobs.texts import split_lines
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, escape_text

_MOST_SHOWN = 20
_MOST_WINDOWS = 20_000
_NEAR_PERCENT = 60
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """A text after an edit, and the lines where the old one was, from 1."""

    text: str
    lines: tuple[int, ...]


def replace_exactly(text: str, find: str, replace: str, count: int, path: str, *, whole_lines: bool = False) -> Edit:
    """Replace a text, or only whole lines; ``count_differs`` names where else it is, or the nearest text."""
    if whole_lines:
        find, replace = find.rstrip("\r\n"), replace.rstrip("\r\n")
    lines = find_lines(text, find, whole_lines=whole_lines) if find else ()
    if len(lines) != count:
        raise _refuse_count(text, find, (len(lines), count), lines, path)
    if whole_lines:
        return Edit(_compile_whole(find).sub(lambda _: replace, text), lines)
    return Edit(text.replace(find, replace), lines)


def _compile_whole(find: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\r\n]){re.escape(find)}(?![^\r\n])")


def find_lines(text: str, find: str, *, whole_lines: bool = False) -> tuple[int, ...]:
    """Return the lines, from 1, on which a text begins, or that it is as a whole; places that overlap count once."""
    pattern = _compile_whole(find) if whole_lines else re.compile(re.escape(find))
    lines: list[int] = []
    line, last = 1, 0
    for match in pattern.finditer(text):
        line += len(split_lines(text[last : match.start()] + "x")) - 1
        lines.append(line)
        last = match.start()
    return tuple(lines)


def _refuse_count(text: str, find: str, counts: tuple[int, int], lines: tuple[int, ...], path: str) -> FileError:
    found, wanted = counts
    shown = cut_text(escape_text(find), _SHOWN_CHARS)
    evidence: dict[str, object] = {"path": path, "found": found, "expected": wanted, "lines": list(lines[:_MOST_SHOWN])}
    if found:
        where = ", ".join(map(str, lines[:_MOST_SHOWN])) + ("…" if found > _MOST_SHOWN else "")
        hint = f"It is on line {where}. Include more of the text around it, or set count={found}."
    else:
        line, nearest = find_nearest(text, find)
        evidence |= {"nearest": nearest, "nearest_line": line}
        hint = f"Nearest is line {line}: “{escape_text(nearest)}”." if nearest else "Nothing like it was found."
    return FileError(
        f"“{shown}” is {found} times in “{escape_text(path)}”, not {wanted}.",
        code="count_differs",
        hint=hint,
        evidence=evidence,
    )


def find_nearest(text: str, find: str) -> tuple[int, str]:
    """Return the line and the text that is most like another; (0, "") if nothing is."""
    lines = split_lines(text)[:_MOST_WINDOWS]
    height = max(1, len(split_lines(find)))
    windows = {number: "".join(lines[number : number + height]).strip() for number in range(len(lines))}
    scorer = fuzz.ratio if height > 1 else fuzz.partial_ratio
    choices = {key: each for key, each in windows.items() if each}
    for nearest, percent, number in process.extract(find.strip(), choices, scorer=scorer, limit=1):
        if percent >= _NEAR_PERCENT:
            return int(number) + 1, cut_text(str(nearest), _SHOWN_CHARS)
    return 0, ""
