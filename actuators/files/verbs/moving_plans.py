"""Copying, moving and renaming: found out first, then done as a whole."""

import errno
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from actuators.files.jobs.jobs import FileJob, PlannedChange
from actuators.files.jobs.parents import refuse_precious
from actuators.files.jobs.states import require_state, tell_state
from actuators.files.jobs.undo_records import make_record
from actuators.files.jobs.whole_files import (
    Copied,
    copy_entry,
    describe_content,
    discard_entry,
    make_durable,
    remove_tree,
    respell,
    unfinished,
)
from actuators.files.ports import FilePlace, FileState, Trashed
from actuators.files.stores.failures import explaining, refuse
from core.addresses.path_parts import lies_inside
from core.addresses.paths import judge_name
from core.base.errors import FileError, UnknownOutcomeError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome, UndoRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """From where to where, what is there now (None for nothing), and whether it only gets another spelling of its name."""

    source: FilePlace
    state: FileState
    target: FilePlace
    there: FileState | None
    path: str
    respelled: bool = False


def plan_copy(job: FileJob, source: str, destination: str, overwrite: bool = False) -> PlannedChange:
    """Plan to copy a file, or a folder with all that is in it."""
    spot = job.find(source, follow=False)
    way = _find_way(job, spot, (source, destination), overwrite=overwrite)
    if way.respelled:
        raise _refuse_taken(way.path, "it is the same file")
    return _plan(job, way, "copy", partial(_copy, job, way))


def plan_move(job: FileJob, source: str, destination: str, overwrite: bool = False) -> PlannedChange:
    """Plan to move a file or folder."""
    spot = job.find(source, follow=False)
    refuse_precious(job, source, spot)
    way = _find_way(job, spot, (source, destination), overwrite=overwrite)
    return _plan(job, way, "move", partial(_move, job, way))


def plan_rename(job: FileJob, source: str, target: str) -> PlannedChange:
    """Plan to give a file or folder another name in the same folder."""
    name = judge_name(target)
    spot = job.find(source, follow=False)
    refuse_precious(job, source, spot)
    state = require_state(job, spot, source)
    goal = FilePlace(spot.folder, name)
    path = str(job.path(source).parent / name)
    with explaining("look at", path):
        there, respelled = goal.state(), _is_respelled(spot, goal)
    way = Route(source=spot, state=state, target=goal, there=there, path=path, respelled=respelled)
    _check_target(job, way, overwrite=False)
    return _plan(job, way, "rename", partial(_move, job, way))


def _plan(job: FileJob, way: Route, kind: str, carry_out: Any) -> PlannedChange:
    real, goal = job.spell(way.source), job.spell(way.target)
    operation = {
        "kind": kind,
        "source": real,
        "destination": goal,
        "type": way.state.kind,
        "size_bytes": way.state.size_bytes,
        "replaces": way.there is not None and not way.respelled,
    }
    job.own_ground.check(goal)  # it may go into a folder under its own name
    before = {real: tell_state(job, way.source, changing=True), goal: tell_state(job, way.target)}
    return PlannedChange(
        operation=operation,
        before=before,
        carry_out=partial(carry_out, mark=before[real]),
        predict=partial(_foresee, job, way, before, copies=kind == "copy"),
    )


def _foresee(job: FileJob, way: Route, before: Mapping[str, str], *, copies: bool) -> dict[str, Any]:
    crossing = way.state.volume != way.target.folder.state().volume
    content = describe_content(job, way.source) if copies or crossing else ""
    return {**_tell_way(job, way), "mark": before[job.spell(way.source)], "content": content, "crossing": crossing}


def _tell_way(job: FileJob, way: Route) -> dict[str, Any]:
    return {
        "source": job.spell(way.source),
        "path": job.spell(way.target),
        "asked": way.path,
        "identity": way.state.identity,
        "there": way.there.identity if way.there and not way.respelled else "",
        "respelled": way.respelled,
    }


def _find_way(job: FileJob, spot: FilePlace, paths: tuple[str, str], *, overwrite: bool) -> Route:
    source, destination = paths
    state = require_state(job, spot, source)
    if state.kind == "other":
        raise FileError(f"“{escape_text(source)}” is a device, pipe or socket.", code="wrong_type")
    target, path = job.find(destination), destination
    with explaining("look at", destination):
        there = target.state()
        respelled = _is_respelled(spot, target)
        if there is not None and there.kind == "folder" and not respelled:
            name = job.path(source).name
            target, path = FilePlace(job.hold(target.descend()), name), str(job.path(destination) / name)
            there = target.state()
    way = Route(source=spot, state=state, target=target, there=there, path=path, respelled=respelled)
    _check_target(job, way, overwrite=overwrite)
    return way


def _is_respelled(spot: FilePlace, target: FilePlace) -> bool:
    """Tell whether something gets another spelling of its own name, where case makes no difference.

    Two hard links whose names differ in case only are no such thing: both are listed.
    """
    state, there = spot.state(), target.state()
    if state is None or there is None or state.identity != there.identity or spot.name == target.name:
        return False
    alike = spot.name.casefold() == target.name.casefold()
    beside = spot.folder.state().identity == target.folder.state().identity
    return alike and beside and target.name not in target.folder.names()


def _check_target(job: FileJob, way: Route, *, overwrite: bool) -> None:
    if way.there is None:
        if way.state.kind == "folder" and _lies_in(job, way.target, way.source):
            raise _refuse_taken(way.path, "it lies inside the folder itself")
        return
    if way.respelled:
        return
    if way.there.identity == way.state.identity:
        raise _refuse_taken(way.path, "it is the same file")
    if way.state.kind == "folder" or way.there.kind == "folder":
        raise _refuse_taken(way.path, "folders are never merged or replaced")
    if not overwrite:
        raise _refuse_taken(way.path, "something with that name exists")


def _lies_in(job: FileJob, target: FilePlace, folder: FilePlace) -> bool:
    inside = lies_inside(job.spell(target), job.spell(folder), job.hands.store.platform)
    return inside and job.spell(target) != job.spell(folder)


def _refuse_taken(path: str, why: str) -> FileError:
    hint = "Choose another name, or set overwrite for a file."
    return refuse(path, f"can't be the destination: {why}", hint, code="already_exists")


def _copy(job: FileJob, way: Route, mark: str) -> ToolOutcome:
    copied, trashed = _put_copy(job, way, mark)
    states = (tell_state(job, way.target), way.target.folder.state(way.target.name).identity)
    return tell_copied(job, _tell_way(job, way), copied, states, trashed)


def _put_copy(job: FileJob, way: Route, mark: str) -> tuple[Copied, Trashed | None]:
    """Copy under a hidden name first, so that the destination has all of it or nothing."""
    goal = job.spell(way.target)
    folder = way.target.folder
    with explaining("copy", goal), unfinished(job, folder) as temporary:
        copied = copy_entry(job, way.source, FilePlace(folder, temporary))
        _check_source(job, way, mark, copied)
        job.check()
        trashed = _set_aside(job, way)
        try:
            folder.rename(temporary, folder, way.target.name, replace=False)
            job.settle()
        except BaseException:
            _bring_back(job, way, trashed)
            raise
    make_durable(folder, goal)
    return copied, trashed


def _check_source(job: FileJob, way: Route, mark: str, copied: Copied) -> None:
    """Refuse a copy of what changed meanwhile: it may be a mixture, and a move would remove what is newer."""
    if copied.sha256 != mark and tell_state(job, way.source) != mark:
        path = job.spell(way.source)
        hint = "Wait until no program writes there, and repeat the request."
        raise refuse(path, "was changed by another program while it was copied", hint, code="changed_since")


def _move(job: FileJob, way: Route, mark: str) -> ToolOutcome:
    real, goal = job.spell(way.source), job.spell(way.target)
    trashed = None
    with explaining("move", real):
        try:
            trashed = _set_aside(job, way)
            if way.respelled:
                respell(job, way.source, way.target)
            else:
                way.source.folder.rename(way.source.name, way.target.folder, way.target.name, replace=False)
        except OSError as error:
            _bring_back(job, way, trashed)
            trashed = _move_between_volumes(job, way, mark, error)
    job.settle()
    make_durable(way.source.folder, way.target.folder, goal)
    now = tell_state(job, way.target)
    state = _confirm_moved(way, real)
    return tell_moved(job, _tell_way(job, way), (now, state.identity), trashed)


def _confirm_moved(way: Route, real: str) -> FileState:
    """Return the state of what was moved, if its new name is listed and its old one is gone."""
    there = way.source.state()
    state = way.target.folder.state(way.target.name)
    stayed = there is not None and there.identity == way.state.identity and not way.respelled
    if stayed or way.target.name not in way.target.folder.names():
        raise UnknownOutcomeError(
            f"“{escape_text(real)}” was moved, but its old name still exists.",
            hint="Check both names.",
            evidence={"path": real},
        )
    return state


def _move_between_volumes(job: FileJob, way: Route, mark: str, error: OSError) -> Trashed | None:
    if error.errno != errno.EXDEV:
        raise error
    _, trashed = _put_copy(job, way, mark)
    try:
        discard_entry(job, way.source.folder, way.source.name)
    except OSError:
        if tell_state(job, way.source) == mark:  # all of it is still there, so that the copy is one too many
            remove_tree(job, way.target.folder, way.target.name)
            _bring_back(job, way, trashed)
        raise
    return trashed


def move_back(job: FileJob, source: FilePlace, target: FilePlace) -> None:
    """Move something to where nothing is, to another volume as well."""
    try:
        source.folder.rename(source.name, target.folder, target.name, replace=False)
    except OSError as error:
        state = source.folder.state(source.name)
        way = Route(source=source, state=state, target=target, there=None, path=job.spell(target))
        _move_between_volumes(job, way, tell_state(job, source), error)


def _set_aside(job: FileJob, way: Route) -> Trashed | None:
    """Put what is in the way into the trash; another spelling of the same name is not in the way."""
    if way.there is None or way.respelled:
        return None
    return job.hands.trash.put(way.target.bare, job.mark)


def _bring_back(job: FileJob, way: Route, trashed: Trashed | None) -> None:
    if trashed is not None:
        job.hands.trash.take_out(trashed, way.target.bare)


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
    return job.confirm(facts["asked"], output, evidence, _check_replaced(facts, trashed, undo))


def tell_moved(job: FileJob, facts: Mapping[str, Any], states: tuple[str, str], trashed: Trashed | None) -> ToolOutcome:
    """Return the outcome of a move."""
    real, goal = facts["source"], facts["path"]
    evidence = {"resolved": goal, "from": real, "identity": states[1], "state": states[0]}
    params: dict[str, Any] = {"source": real, "destination": goal, **_tell_replaced(trashed)}
    undo = (f"move {goal} back to {real}", make_record("move_back", params, {goal: states[0]}))
    return job.confirm(facts["asked"], {}, evidence, _check_replaced(facts, trashed, undo))


def _tell_replaced(trashed: Trashed | None) -> dict[str, Any]:
    return {"replaced": asdict(trashed)} if trashed else {}


def _check_replaced(
    facts: Mapping[str, Any], trashed: Trashed | None, undo: tuple[str, UndoRecord | None]
) -> tuple[str, UndoRecord | None]:
    """Return how to go back, if what was in the place is still there to be put back."""
    if facts["there"] and trashed is None:
        return "can't be undone: the earlier file is no longer in the trash", None
    return undo
