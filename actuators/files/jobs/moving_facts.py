"""What is foreseen of copies and moves, and what is told of them once they are done."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.outcomes import confirm
from actuators.files.jobs.states import LARGE_BYTES, compute_digest
from actuators.files.jobs.trees import Copied
from actuators.files.jobs.undo_records import make_record
from actuators.files.ports import FilePlace, FileState, Folder, Trashed
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import is_temporary
from core.results.tool_results import ToolOutcome, UndoRecord


def describe_content(job: FileJob, spot: FilePlace) -> str:
    """Return what a copy has in common with its original, as a short text: names, contents or sizes and times, links."""
    with explaining("look at", job.spell(spot)):
        state = spot.folder.state(spot.name)
        if state.kind == "file" and state.size_bytes <= LARGE_BYTES:
            return compute_digest(job, spot.folder, spot.name)
        digest = hashlib.sha256()
        _describe(job, spot.folder, (spot.name, state), "", digest.update)
    return f"{state.kind}:{digest.hexdigest()}"


def _describe(job: FileJob, folder: Folder, entry: tuple[str, FileState], path: str, tell: Any) -> None:
    job.check()
    name, state = entry
    facts = {"file": f"{state.size_bytes}\0{state.modified_ns}"}.get(state.kind, "")
    facts = folder.read_link(name) if state.kind == "link" else facts
    tell(f"{path}\0{state.kind}\0{facts}\0".encode("utf-8", "surrogateescape"))
    if state.kind == "folder":
        with folder.descend(name) as below:
            for each in below.names():
                if not is_temporary(each):
                    _describe(job, below, (each, below.state(each)), f"{path}/{each}", tell)


def count_copied(job: FileJob, spot: FilePlace) -> Copied:
    """Return what there is of a copy, as making it would have said."""
    state = spot.folder.state(spot.name)
    if state.kind == "file":
        return Copied(1, state.size_bytes, compute_digest(job, spot.folder, spot.name))
    if state.kind != "folder":
        return Copied(1, 0)
    with spot.descend() as folder:
        below = [count_copied(job, FilePlace(folder, name)) for name in folder.names()]
    return Copied(sum(each.files for each in below), sum(each.size_bytes for each in below))


def tell_copied(
    job: FileJob, facts: Mapping[str, Any], copied: Copied, states: tuple[str, str], trashed: Trashed | None
) -> ToolOutcome:
    """Return the outcome of a copy."""
    goal = facts["path"]
    output: dict[str, Any] = {"files": copied.files, "size_bytes": copied.size_bytes}
    if copied.sha256:
        output["sha256"] = copied.sha256
    evidence = {"resolved": goal, "state": states[0], "identity": states[1]}
    params: dict[str, Any] = {"paths": [goal], "tree": True, **_tell_replaced(trashed)}
    undo = (f"remove {goal}", make_record("remove", params, {goal: states[0]}))
    return confirm(job, facts["asked"], output, evidence, _check_replaced(facts, trashed, undo))


def tell_moved(job: FileJob, facts: Mapping[str, Any], states: tuple[str, str], trashed: Trashed | None) -> ToolOutcome:
    """Return the outcome of a move."""
    real, goal = facts["source"], facts["path"]
    evidence = {"resolved": goal, "from": real, "identity": states[1], "state": states[0]}
    params: dict[str, Any] = {"source": real, "destination": goal, **_tell_replaced(trashed)}
    undo = (f"move {goal} back to {real}", make_record("move_back", params, {goal: states[0]}))
    return confirm(job, facts["asked"], {}, evidence, _check_replaced(facts, trashed, undo))


def _tell_replaced(trashed: Trashed | None) -> dict[str, Any]:
    return {"replaced": asdict(trashed)} if trashed else {}


def _check_replaced(
    facts: Mapping[str, Any], trashed: Trashed | None, undo: tuple[str, UndoRecord | None]
) -> tuple[str, UndoRecord | None]:
    """Return how to go back, if what was in the place is still there to be put back."""
    if facts["there"] and trashed is None:
        return "can't be undone: the earlier file is no longer in the trash", None
    return undo
