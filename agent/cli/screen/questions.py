"""What a person is asked before an act, as one plain sentence."""

from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from core.approvals.approvals import ApprovalRequest
from core.base.phrases import escape_text

_TEXT_KINDS = frozenset({"write", "append", "edit"})


def ask_sentence(request: ApprovalRequest) -> str:
    """Return the question: a change of a text by how many lines it changes, everything else as the plan says it.

    Args:
        request: What must be approved.
    """
    if request.preview is None or request.preview.operation.get("kind") not in _TEXT_KINDS:
        return f"{request.text}?"
    return f"{_tell_change(request.preview.operation, request.preview.diff)}?"


def _tell_change(operation: Mapping[str, Any], diff: str) -> str:
    """Return what a text becomes: ``Change 3 lines in notes.txt``."""
    name = escape_text(_name(str(operation.get("path", ""))))
    added, removed = count_lines(diff)
    if operation.get("creates"):
        return f"Create {name}{f' with {_lines(added)}' if added else ''}"
    if added and removed:
        return f"Change {_lines(max(added, removed))} in {name}"
    if added:
        return f"Add {_lines(added)} to {name}"
    return f"Remove {_lines(removed)} from {name}" if removed else f"Rewrite {name}"


def count_lines(diff: str) -> tuple[int, int]:
    """Return how many lines a unified diff adds and removes.

    Args:
        diff: With or without its two lines of names.
    """
    lines = diff.split("\n")
    if len(lines) > 1 and lines[0].startswith("---") and lines[1].startswith("+++"):
        lines = lines[2:]
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _name(path: str) -> str:
    """Return the last part of a path of any system."""
    is_windows = "\\" in path and not path.startswith("/")
    return (PureWindowsPath(path) if is_windows else PurePosixPath(path)).name or path
