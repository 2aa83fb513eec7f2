"""What a step gave or would change, for a screen: in a few words beside it, and as lines below it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agent.reports.words import count_of
from core.base.phrases import cut_text, escape_text, quote_text, split_lines
from core.results.records import to_data
from core.tools.previews import list_items

MOST_LINES = 20
"""Lines of an output that are shown where not all of them are asked for."""

_UNDONE = {"taken_back": "✓", "already": "–", "not_undoable": "⊘", "failed": "✗"}
_LONGEST_LINE = 300
_LONGEST_QUOTE = 80


def tell_output(output: Mapping[str, Any]) -> str:
    """Return what was read in a few words: how many rows or lines, or the beginning of the text; empty for nothing."""
    rows = _find_rows(output)
    if rows is not None:
        return f"→ {count_of(len(rows), 'row')}"
    if lines := find_lines(output):
        return f"→ {count_of(len(lines), 'line')}"
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
        yield f"… {count_of(left, 'more line')}: {rest}"


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


def describe_changes(changes: Sequence[Mapping[str, Any]], name: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the lines of a ``diff_preview``: what would change, its diff, or why that can't be told or done."""
    for change in changes:
        told = name(change["id"])
        yield f"{told[:1].upper()}{told[1:]} would change: {escape_text(change['text'])}"
        told = (*list_items(change.get("operation", {})), *split_lines(change.get("diff", "")))
        yield from (f"    {line}" for line in told)
        if note := change.get("note"):
            yield f"    {escape_text(note)}"


def list_undone(step: Mapping[str, Any], *, with_id: bool = False) -> Iterator[str]:
    """Yield the lines of the record of a step that was to be taken back: what became of it, and how or why."""
    status, error, preview = step["status"], step.get("error"), step.get("preview")
    name = f"{step['action_id']}: " if with_id else ""
    yield f"{_UNDONE[status]} {name}{step['description']}"
    if status in {"taken_back", "already"} and step["how"]:
        yield f"    {'Already undone: ' if status == 'already' else ''}{step['how']}"
    if preview:
        yield from (f"    {line}" for line in (*list_items(preview["operation"]), *split_lines(preview["diff"])))
    if error:
        yield f"    {error['message']} {error['hint']}".rstrip()
