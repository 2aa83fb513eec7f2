"""What a plan would change, as lines for a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from core.base.phrases import escape_text, split_lines
from core.tools.previews import list_items


def describe_changes(changes: Sequence[Mapping[str, Any]], name: Callable[[str], str] = str) -> Iterator[str]:
    """Yield the lines of a ``diff_preview``: what would change, its diff, or why that can't be told or done.

    Args:
        changes: The ``diff_preview``.
    """
    for change in changes:
        told = name(change["id"])
        yield f"{told[:1].upper()}{told[1:]} would change: {escape_text(change['text'])}"
        told = (*list_items(change.get("operation", {})), *split_lines(change.get("diff", "")))
        yield from (f"    {line}" for line in told)
        if note := change.get("note"):
            yield f"    {escape_text(note)}"
