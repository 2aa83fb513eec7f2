"""What the tools of files say after an act."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from actuators.anchors import explain_path
from core.results.tool_results import ToolOutcome, UndoRecord

if TYPE_CHECKING:
    from actuators.files.jobs.jobs import FileJob


def describe_place(job: "FileJob", path: str) -> dict[str, Any]:
    """Return an absolute path with the anchor that it hangs on, for an output."""
    found = explain_path(path, job.hands.anchors, job.hands.store.platform)
    if not found["anchor"]:
        return {"path": path, "anchor": None}
    anchor = {"name": found["anchor"], "source": found["source"], "redirected": found["redirected"]}
    return {"path": path, "anchor": anchor}


def confirm(
    job: "FileJob",
    path: str,
    output: Mapping[str, Any],
    evidence: Mapping[str, Any],
    undo: tuple[str, UndoRecord | None],
) -> ToolOutcome:
    """Return the outcome of a change that was read back; its output also has the path and its anchor."""
    return ToolOutcome(
        output={**describe_place(job, path), **output},
        effect="confirmed",
        evidence=evidence,
        undo=undo[0],
        undo_record=undo[1],
    )
