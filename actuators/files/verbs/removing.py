"""Putting things into the trash, bringing them back, and removing them for good."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from actuators.files.jobs.jobs import FileJob, PlannedChange
from actuators.files.jobs.parents import refuse_precious
from actuators.files.jobs.recovery import BegunAct, get_identity, say_done
from actuators.files.jobs.states import count_content, refuse_type, require_state, tell_state, walk_folder
from actuators.files.jobs.undo_records import make_record
from actuators.files.jobs.whole_files import discard_entry, make_durable, remove_strays
from actuators.files.ports import FilePlace, FileState, Trashed
from actuators.files.stores.failures import explaining, refuse
from core.base.errors import FileError, UnknownOutcomeError
from core.base.phrases import escape_text
from core.results.tool_results import Finding, ToolOutcome
from core.tools.previews import ABSENT

_MOST_LISTED = 20


def plan_delete(job: FileJob, object_type: str, name: str, only_empty: bool = False) -> PlannedChange:
    """Plan to put a file or folder into the trash."""
    spot = job.find(name, follow=False)
    refuse_precious(job, name, spot)
    state = require_state(job, spot, name)
    if (state.kind == "folder") != (object_type == "folder"):
        raise refuse_type(name, state, f"a {object_type}")
    if only_empty:
        _require_empty(spot, state, name)
    real = job.spell(spot)
    return PlannedChange(
        operation={"kind": "delete", "path": real, "type": state.kind, **count_content(job, spot, state)},
        before={real: tell_state(job, spot, changing=True)},
        carry_out=partial(_delete, job, spot, name),
        predict=lambda: {"path": real, "asked": name, "identity": state.identity},
    )


def _require_empty(spot: FilePlace, state: FileState, path: str) -> None:
    held: list[str] = []
    if state.kind == "folder":
        with explaining("look into", path), spot.descend() as folder:
            held = folder.names()[:_MOST_LISTED]
    if held or (state.kind == "file" and state.size_bytes):
        told = f"There are {', '.join(map(escape_text, held))}." if held else f"It has {state.size_bytes} bytes."
        hint = f"{told} Delete it without only_empty if all of that may go."
        raise refuse(path, "is not empty", hint, code="not_empty", held=held)


def plan_restore(job: FileJob, path: str) -> PlannedChange:
    """Plan to bring what was deleted back to where it was."""
    spot = job.find(path, follow=False)
    real = job.spell(spot)
    found = job.hands.trash.find(real)
    latest = next((each for each in found if each.original == real), None)
    if latest is None:
        raise _refuse_missing(path, found)
    with explaining("look at", path):
        if spot.state() is not None:
            what = "can't be restored: something with that name exists"
            hint = "Move that away first."
            raise refuse(path, what, hint, code="already_exists", trashed=latest.place)
    return PlannedChange(
        operation={"kind": "restore", "path": real, "from": latest.place, "deleted": latest.deleted},
        before={real: ABSENT},
        carry_out=partial(_restore, job, spot, path, latest),
        predict=partial(_foresee_restore, job, (real, path), latest),
    )


def plan_purge(job: FileJob, path: str) -> PlannedChange:
    """Plan to remove a file or folder for good."""
    spot = job.find(path, follow=False)
    refuse_precious(job, path, spot)
    state = require_state(job, spot, path)
    if state.kind == "folder":
        _refuse_mounts(job, spot, state, path)
    real = job.spell(spot)
    counts = count_content(job, spot, state)
    facts = {"path": real, "asked": path, "identity": state.identity, **counts}
    return PlannedChange(
        operation={"kind": "purge", "path": real, "type": state.kind, **counts},
        before={real: state.identity},
        carry_out=partial(_purge, job, spot, path),
        predict=lambda: facts,
    )


def _foresee_restore(job: FileJob, paths: tuple[str, str], trashed: Trashed) -> dict[str, Any]:
    with explaining("look at", trashed.place):
        there = job.find_own(trashed.place).state()
    return {
        "path": paths[0],
        "asked": paths[1],
        "trashed": asdict(trashed),
        "identity": there.identity if there else "",
    }


def _delete(job: FileJob, spot: FilePlace, path: str) -> ToolOutcome:
    real = job.spell(spot)
    trashed = job.hands.trash.put(spot.bare, job.mark)
    job.settle()
    make_durable(spot.folder, real)
    return tell_deleted(job, spot, trashed, path)


def tell_deleted(job: FileJob, spot: FilePlace, trashed: Trashed, path: str) -> ToolOutcome:
    """Return the outcome of putting something into the trash."""
    real = job.spell(spot)
    _check_gone(spot, path)
    evidence = {"resolved": real, "gone": True, "trashed": trashed.place, "identity": trashed.mark}
    record = make_record("take_out", asdict(trashed), {real: ABSENT})
    output = {"trashed": trashed.place}
    return job.confirm(path, output, evidence, (f"restore {real} from the trash", record))


def _check_gone(spot: FilePlace, path: str) -> None:
    if spot.state() is not None:
        raise UnknownOutcomeError(
            f"“{escape_text(path)}” was moved to the trash, but a file is there again.",
            hint="Another program creates it again; check it.",
            evidence={"path": path},
        )


def _restore(job: FileJob, spot: FilePlace, path: str, trashed: Trashed) -> ToolOutcome:
    with explaining("restore", path):
        job.hands.trash.take_out(trashed, spot.bare)
    job.settle()
    return tell_restored(job, spot, path, trashed.deleted)


def tell_restored(job: FileJob, spot: FilePlace, path: str, deleted: str) -> ToolOutcome:
    """Return the outcome of bringing something back."""
    real = job.spell(spot)
    mark = tell_state(job, spot)
    evidence = {"resolved": real, "state": mark, "identity": spot.folder.state(spot.name).identity}
    record = make_record("put_away", {"path": real}, {real: mark})
    return job.confirm(path, {"deleted": deleted}, evidence, (f"put {real} into the trash again", record))


def _purge(job: FileJob, spot: FilePlace, path: str) -> ToolOutcome:
    with explaining("remove", job.spell(spot)):
        remove_strays(job, spot.folder)
        counts = discard_entry(job, spot.folder, spot.name)
    job.settle()
    make_durable(spot.folder, job.spell(spot))
    return tell_purged(job, spot, path, counts)


def tell_purged(job: FileJob, spot: FilePlace, path: str, counts: tuple[int, int]) -> ToolOutcome:
    """Return the outcome of removing something for good: how many files are gone, and their bytes."""
    _check_gone(spot, path)
    evidence = {"resolved": job.spell(spot), "gone": True}
    output = {"files": counts[0], "size_bytes": counts[1]}
    return job.confirm(path, output, evidence, ("can't be undone", None))


def _refuse_mounts(job: FileJob, spot: FilePlace, state: FileState, path: str) -> None:
    with explaining("look into", path), spot.descend() as folder:
        volume = spot.folder.state().volume
        other = next((below for below, each in walk_folder(job, folder) if each.volume != volume), None)
        other = path if state.volume != volume else other
    if other is not None:
        hint = "Unmount it, or remove only the other files."
        raise refuse(path, f"contains another volume, at “{escape_text(other)}”", hint, code="in_use", mounted=other)


def _refuse_missing(path: str, found: Sequence[Trashed]) -> FileError:
    listed = [{"path": each.original, "deleted": each.deleted} for each in found[:_MOST_LISTED]]
    names = ", ".join(escape_text(each.original) for each in found[:_MOST_LISTED])
    return FileError(
        f"The trash has nothing from “{escape_text(path)}”.",
        code="not_found",
        hint=f"From the same folder it has {names}." if names else "It has nothing from that folder.",
        evidence={"path": path, "candidates": listed},
    )


def find_deleted(act: BegunAct) -> Finding:
    """The thing itself is where it was, or in the trash with a note."""
    spot = act.require_place()
    act.job.hands.trash.sweep(act.facts["path"], act.job.mark)
    if get_identity(spot.state()) == act.facts["identity"]:
        return act.say_not_done(act.facts["identity"])
    trashed = act.find_trashed(act.facts["path"], act.facts["identity"])
    if trashed is None or spot.state() is not None:
        return act.say_unknown(spot, "it is not in the trash" if trashed is None else "a file is there again")
    make_durable(spot.folder, act.facts["path"])
    return say_done(tell_deleted(act.job, spot, trashed, act.facts["asked"]))


def find_restored(act: BegunAct) -> Finding:
    """The thing itself is in the trash, or where it was; the note goes last."""
    spot, trashed = act.require_place(), Trashed(**act.facts["trashed"])
    if get_identity(spot.state()) == act.facts["identity"]:
        act.job.hands.trash.sweep(trashed.original, trashed.deleted)
        make_durable(spot.folder, act.facts["path"])
        return say_done(tell_restored(act.job, spot, act.facts["asked"], trashed.deleted))
    lies = act.find_trashed(trashed.original, act.facts["identity"])
    if spot.state() is None and lies is not None and lies.place == trashed.place:
        return act.say_not_done(ABSENT)
    return act.say_unknown(spot, "it is neither in the trash nor where it was")


def find_purged(act: BegunAct) -> Finding:
    """The thing itself is there, or it is out of sight at once; what is left of it goes now."""
    spot = act.require_place()
    if get_identity(spot.state()) == act.facts["identity"]:
        return act.say_not_done(act.facts["identity"])
    if spot.state() is not None:
        return act.say_unknown(spot, "another file is there")
    act.remove_own(spot.folder)
    make_durable(spot.folder, act.facts["path"])
    return say_done(tell_purged(act.job, spot, act.facts["asked"], (act.facts["files"], act.facts["size_bytes"])))
