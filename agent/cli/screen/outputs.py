"""What a step gave, for a screen: in a few words beside it, and as lines below it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.base.phrases import cut_text, escape_text, quote_text, split_lines
from core.results.records import to_data

MOST_LINES = 20
"""Lines of an output that are shown where not all of them are asked for."""

_LONGEST_LINE = 300
_LONGEST_QUOTE = 80


def tell_output(output: Mapping[str, Any]) -> str:
    """Return what was read in a few words: how many rows or lines, or the beginning of the text; empty for nothing."""
    rows = _find_rows(output)
    if rows is not None:
        return _count(len(rows), "row")
    if lines := find_lines(output):
        return _count(len(lines), "line")
    text = output.get("text")
    if isinstance(text, str) and text.strip():
        return quote_text(text, _LONGEST_QUOTE)
    if isinstance(holds := output.get("holds"), bool):
        return f"→ {'yes' if holds else 'no'}"
    count = output.get("count")
    return f"→ {count} found" if isinstance(count, int) and not isinstance(count, bool) else ""


def list_output(output: Mapping[str, Any], *, full: bool, rest: str = "") -> Iterator[str]:
    """Yield the lines that stand below a step: of a text of several lines the first, and how many more there are.

    Args:
        full: Whether everything is shown: all lines, long texts and rows as well.
    """
    if full:
        yield from _list_whole(output)
        return
    lines = find_lines(output)
    yield from (cut_text(line, _LONGEST_LINE) for line in lines[:MOST_LINES])
    left = len(lines) - MOST_LINES
    if left > 0:
        yield f"… {left:,} more line{'' if left == 1 else 's'}: {rest}"


def find_lines(output: Mapping[str, Any]) -> Sequence[str]:
    """Return the lines of an output's text, escaped; none where it has only one."""
    text = output.get("text")
    if not isinstance(text, str) or "\n" not in text.strip():
        return ()
    return split_lines(text.replace("\r\n", "\n").strip("\n"))


def _list_whole(output: Mapping[str, Any]) -> Iterator[str]:
    if rows := _find_rows(output):
        yield from (escape_text(json.dumps(to_data(row), ensure_ascii=False)) for row in rows)
    elif lines := find_lines(output):
        yield from lines
    elif isinstance(text := output.get("text"), str) and len(text.strip()) > _LONGEST_QUOTE:
        yield escape_text(text.strip())


def _find_rows(output: Mapping[str, Any]) -> Sequence[Any] | None:
    """Return the records or table that were read; None where the output is something else."""
    rows = output.get("rows")
    if isinstance(rows, list | tuple):
        return rows
    value = output.get("value")
    is_records = isinstance(value, list | tuple) and value and all(isinstance(each, Mapping) for each in value)
    return value if is_records else None


def _count(number: int, what: str) -> str:
    return f"→ {number:,} {what}{'' if number == 1 else 's'}"
