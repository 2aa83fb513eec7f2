"""Copying, moving and renaming: found out first, then done as a whole."""

import contextlib
import errno
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from actuators.files.failures import explaining
from actuators.files.jobs import Change, Job
from actuators.files.outcomes import confirm
from actuators.files.ports import FileState, Spot, Trashed
from actuators.files.protection import refuse_precious
from actuators.files.states import require_state, tell_state
from actuators.files.trees import Copied, copy_entry
from actuators.files.undo_records import make_record
from actuators.files.whole_files import make_durable, make_temporary_name, remove_strays, remove_tree, respell
from core.errors import FileError
from core.paths import judge_name, lies_inside
from core.phrases import escape_text
from core.results import ToolOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """From where to where.

    Attributes:
        source: Where it is.
        state: What is known of it.
        target: Where it goes.
        there: What is there now; None if nothing is.
        path: Where it goes, as it was asked for.
    """

    source: Spot
    state: FileState
    target: Spot
    there: FileState | None
    path: str


def plan_copy(job: Job, source: str, destination: str, overwrite: bool = False) -> Change:
    """Plan to copy a file, or a folder with all that is in it."""
    spot = job.find(source, follow=False)
    way = _find_way(job, spot, (source, destination), overwrite=overwrite)
    if way.there and way.there.identity == way.state.identity:
        raise _refuse_taken(way.path, "it is the same file")
    return _plan(job, way, "copy", partial(_copy, job, way))


def plan_move(job: Job, source: str, destination: str, overwrite: bool = False) -> Change:
    """Plan to move a file or folder."""
    spot = job.find_changing(source, follow=False)
    refuse_precious(job, source, spot)
    way = _find_way(job, spot, (source, destination), overwrite=overwrite)
    return _plan(job, way, "move", partial(_move, job, way))


def plan_rename(job: Job, source: str, target: str) -> Change:
    """Plan to give a file or folder another name in the same folder."""
    name = judge_name(target)
    spot = job.find_changing(source, follow=False)
    refuse_precious(job, source, spot)
    state = require_state(job, spot, source)
    goal = Spot(spot.folder, name)
    path = str(job.path(source).parent / name)
    with explaining("look at", path):
        there = goal.state()
    _check_target(job, spot, state, (goal, there, path), overwrite=False)
    way = Way(source=spot, state=state, target=goal, there=there, path=path)
    return _plan(job, way, "rename", partial(_move, job, way))


def _plan(job: Job, way: Way, kind: str, carry_out: Any) -> Change:
    real, goal = job.spell(way.source), job.spell(way.target)
    operation = {
        "kind": kind,
        "source": real,
        "destination": goal,
        "type": way.state.kind,
        "size_bytes": way.state.size_bytes,
        "replaces": way.there is not None and way.there.identity != way.state.identity,
    }
    before = {real: tell_state(job, way.source), goal: tell_state(job, way.target)}
    return Change(operation=operation, before=before, carry_out=carry_out)


def _find_way(job: Job, spot: Spot, paths: tuple[str, str], *, overwrite: bool) -> Way:
    source, destination = paths
    state = require_state(job, spot, source)
    if state.kind == "other":
        raise FileError(f'"{escape_text(source)}" is a device, pipe or socket.', code="wrong_type")
    target, path = job.find_changing(destination), destination
    with explaining("look at", destination):
        there = target.state()
        if there is not None and there.kind == "folder" and not _is_renaming(job, spot, target, state, there):
            name = job.path(source).name
            target, path = Spot(job.hold_folder(target.descend()), name), str(job.path(destination) / name)
            there = target.state()
    _check_target(job, spot, state, (target, there, path), overwrite=overwrite)
    return Way(source=spot, state=state, target=target, there=there, path=path)


def _is_renaming(job: Job, source: Spot, target: Spot, state: FileState, there: FileState) -> bool:
    """Tell whether a folder gets another spelling of its name, where case makes no difference."""
    same = source.name.casefold() == target.name.casefold() and source.name != target.name
    return same and state.identity == there.identity and job.spell(source) != job.spell(target)


def _check_target(
    job: Job, spot: Spot, state: FileState, goal: tuple[Spot, FileState | None, str], *, overwrite: bool
) -> None:
    target, there, path = goal
    respelled = (
        there is not None and there.identity == state.identity and target.name.casefold() == spot.name.casefold()
    )
    if state.kind == "folder" and not respelled and _lies_in(job, target, spot):
        raise FileError(
            f'"{escape_text(path)}" lies inside the folder itself.',
            code="already_exists",
            hint="Choose a place outside it.",
            evidence={"path": path},
        )
    if there is None or respelled:
        if respelled and target.name == spot.name:
            raise _refuse_taken(path, "it is the same file")
        return
    if state.kind == "folder" or there.kind == "folder":
        raise _refuse_taken(path, "folders are never merged or replaced")
    if not overwrite:
        raise _refuse_taken(path, "something is there already")


def _lies_in(job: Job, target: Spot, folder: Spot) -> bool:
    inside = lies_inside(job.spell(target), job.spell(folder), job.hands.store.platform)
    return inside and job.spell(target) != job.spell(folder)


def _refuse_taken(path: str, why: str) -> FileError:
    return FileError(
        f'"{escape_text(path)}" can\'t be the destination: {why}.',
        code="already_exists",
        hint="Choose another name, or say overwrite for a file.",
        evidence={"path": path},
    )


def _copy(job: Job, way: Way) -> ToolOutcome:
    goal = job.spell(way.target)
    copied, trashed = _put_copy(job, way)
    mark = tell_state(job, way.target)
    output: dict[str, Any] = {"files": copied.files, "size_bytes": copied.size_bytes}
    if copied.sha256:
        output["sha256"] = copied.sha256
    evidence = {"resolved": goal, "state": mark, "identity": way.target.folder.state(way.target.name).identity}
    params: dict[str, Any] = {"paths": [goal], "tree": True, **_tell_replaced(trashed)}
    return confirm(job, way.path, output, evidence, (f"remove {goal}", make_record("remove", params, {goal: mark})))


def _put_copy(job: Job, way: Way) -> tuple[Copied, Trashed | None]:
    """Copy under a hidden name first, so that the destination has all of it or nothing."""
    goal = job.spell(way.target)
    folder, temporary = way.target.folder, make_temporary_name()
    with explaining("copy", goal):
        remove_strays(job, folder)
        try:
            copied = copy_entry(job, way.source, Spot(folder, temporary))
            job.check()
            trashed = _set_aside(job, way)
            try:
                folder.rename(temporary, folder, way.target.name, replace=False)
            except BaseException:
                _bring_back(job, way, trashed)
                raise
        except BaseException:
            with contextlib.suppress(OSError):  # nothing may have been made
                remove_tree(job, folder, temporary)
            raise
    make_durable(folder, goal)
    return copied, trashed


def _move(job: Job, way: Way) -> ToolOutcome:
    real, goal = job.spell(way.source), job.spell(way.target)
    trashed = None
    with explaining("move", real):
        try:
            trashed = _set_aside(job, way)
            if way.there is not None and trashed is None:
                respell(way.source, way.target)
            else:
                way.source.folder.rename(way.source.name, way.target.folder, way.target.name, replace=False)
        except OSError as error:
            _bring_back(job, way, trashed)
            trashed = _move_between_volumes(job, way, error)
    make_durable(way.source.folder, way.target.folder, goal)
    mark = tell_state(job, way.target)
    state = way.target.folder.state(way.target.name)
    evidence = {"resolved": goal, "from": real, "identity": state.identity, "state": mark}
    params: dict[str, Any] = {"source": real, "destination": goal, **_tell_replaced(trashed)}
    return confirm(
        job, way.path, {}, evidence, (f"move {goal} back to {real}", make_record("move_back", params, {goal: mark}))
    )


def _move_between_volumes(job: Job, way: Way, error: OSError) -> Trashed | None:
    if error.errno != errno.EXDEV:
        raise error
    _, trashed = _put_copy(job, way)
    remove_tree(job, way.source.folder, way.source.name)
    return trashed


def _set_aside(job: Job, way: Way) -> Trashed | None:
    """Put what is in the way into the trash; another spelling of the same name is not in the way."""
    if way.there is None or way.there.identity == way.state.identity:
        return None
    return job.hands.trash.put(way.target)


def _bring_back(job: Job, way: Way, trashed: Trashed | None) -> None:
    if trashed is not None:
        job.hands.trash.take_out(trashed, way.target)


def _tell_replaced(trashed: Trashed | None) -> dict[str, Any]:
    return {"replaced": asdict(trashed)} if trashed else {}
