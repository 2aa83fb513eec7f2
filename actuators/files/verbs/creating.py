"""Making files and folders, with the folders above them; nothing that is there is ever touched."""

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Any

from actuators.files.jobs.jobs import FileJob, PlannedChange
from actuators.files.jobs.parents import find_deepest, making_folders, split_missing
from actuators.files.jobs.recovery import BegunAct, say_done
from actuators.files.jobs.states import refuse_type, tell_state
from actuators.files.jobs.texts import TextStyle, make_whole_lines, render_diff, write_text
from actuators.files.jobs.undo_records import make_record
from actuators.files.jobs.whole_files import (
    WriteTerms,
    confirm_file,
    fill_file,
    make_durable,
    unfinished,
    write_file,
)
from actuators.files.ports import FilePlace, FileState, Folder
from actuators.files.stores.failures import explaining, refuse
from core.base.errors import FileError
from core.results.tool_results import Finding, ToolOutcome
from core.tools.previews import ABSENT


def plan_create(
    job: FileJob,
    object_type: str,
    name: str,
    content: str | None = None,
    exist_ok: bool = False,
    whole_lines: bool = False,
) -> PlannedChange:
    """Plan to make a file or folder."""
    if object_type == "folder" and content is not None:
        raise FileError("A folder can't have content.", code="wrong_type", hint="Create a file in it.")
    spot, missing = find_deepest(job, name)
    real = str(job.path(job.spell(spot)).joinpath(*missing))
    with explaining("look at", name):
        there = None if missing else spot.state()
    operation = {"kind": f"create_{object_type}", "path": real, "creates": there is None, "folders": len(missing[:-1])}
    if there is not None:
        return _plan_nothing(job, spot, there, {**operation, "asked": name, "exist_ok": exist_ok})
    text = make_whole_lines(content, TextStyle().newline) if whole_lines and content is not None else content or ""
    data = write_text(text, TextStyle(), name)
    roots, below = split_missing(job, name, missing)
    base = job.path(job.spell(spot))
    facts = {
        "path": real,
        "asked": name,
        "type": object_type,
        "base": str(base) if missing else str(base.parent),
        "roots": [str(base.joinpath(*roots[: count + 1])) for count in range(len(roots))],
        "names": below or ([] if roots else [spot.name]),
        "sha256": hashlib.sha256(data).hexdigest() if object_type == "file" else "",
    }
    carry_out = partial(_create, job, spot, (roots, data), facts)
    diff = render_diff(None, text, name) if object_type == "file" else ""
    return PlannedChange(
        operation=operation, before={real: ABSENT}, carry_out=carry_out, diff=diff, predict=lambda: facts
    )


def _plan_nothing(job: FileJob, spot: FilePlace, there: FileState, facts: dict[str, Any]) -> PlannedChange:
    path, kind = facts["asked"], facts["kind"].removeprefix("create_")
    if there.kind != kind:
        raise refuse_type(path, there, f"a {kind}")
    if not facts["exist_ok"]:
        hint = "Choose another name, or set exist_ok to leave it as it is."
        raise refuse(path, "already exists", hint, code="already_exists", type=there.kind, size_bytes=there.size_bytes)
    mark = tell_state(job, spot)

    def leave() -> ToolOutcome:
        output = {"created": [], **({"sha256": mark} if kind == "file" else {})}
        return job.confirm(path, output, {"identity": there.identity, "state": mark}, ("nothing was changed", None))

    kept = {"path": job.spell(spot), "kept": mark}
    return PlannedChange(operation=facts, before={job.spell(spot): mark}, carry_out=leave, predict=lambda: kept)


def _create(job: FileJob, spot: FilePlace, making: tuple[list[str], bytes], facts: Mapping[str, Any]) -> ToolOutcome:
    roots, data = making
    folder = job.hold(spot.descend()) if facts["base"] == job.spell(spot) else spot.folder
    with explaining("make", facts["asked"]), making_folders(job, folder, roots) as (folder, made):
        place, count = _put(job, folder, list(facts["names"]), data if facts["type"] == "file" else None)
    job.settle()
    make_durable(*[above for above, _ in made], folder, facts["asked"])
    ways = list_created(job, facts)
    own = ways[len(ways) - count :] if count else []
    created = [str(job.path(above.path) / name) for above, name in made] + own
    return tell_created(job, place, {**facts, "created": created})


def _put(job: FileJob, folder: Folder, names: list[str], data: bytes | None) -> tuple[FilePlace, int]:
    """Make a file, or a folder without data, with the folders above it, at once; return where it is, and how many were made."""
    while len(names) > 1:
        try:
            _put_whole(job, folder, names, data)
        except FileExistsError:
            folder = job.hold(folder.descend(names.pop(0)))
            continue
        for name in names[:-1]:
            folder = job.hold(folder.descend(name))
        return FilePlace(folder, names[-1]), len(names)
    if not names:  # it is a root itself
        return FilePlace(folder, ""), 0
    if data is None:
        folder.make(names[0])
    else:
        write_file(job, FilePlace(folder, names[0]), [data])
    return FilePlace(folder, names[0]), 1


def _put_whole(job: FileJob, folder: Folder, names: list[str], data: bytes | None) -> None:
    """Make folders with something in the innermost under a hidden name, then give them their name at once."""
    with unfinished(job, folder) as temporary:
        folder.make(temporary)
        with folder.descend(
            temporary
        ) as hidden:  # let go of before it is renamed: Windows renames nothing that is held
            _fill(job, hidden, names[1:], data)
        job.check()
        folder.rename(temporary, folder, names[0], replace=False)
        job.settle()


def _fill(job: FileJob, folder: Folder, names: list[str], data: bytes | None) -> None:
    if len(names) == 1 and data is not None:
        fill_file(job, folder, names[0], [data], WriteTerms())
    else:
        folder.make(names[0])
    if len(names) > 1:
        with folder.descend(names[0]) as below:
            _fill(job, below, names[1:], data)
    folder.sync()


def list_created(job: FileJob, facts: Mapping[str, Any]) -> list[str]:
    """Return everything that is made, the outermost first."""
    base = job.path([facts["base"], *facts["roots"]][-1])
    names = facts["names"]
    return [*facts["roots"], *(str(base.joinpath(*names[: count + 1])) for count in range(len(names)))]


def tell_created(job: FileJob, spot: FilePlace, facts: Mapping[str, Any]) -> ToolOutcome:
    """Return the outcome of making something, by what was foreseen and ``created``."""
    real, paths = facts["path"], facts["created"]
    mark = tell_state(job, spot)
    state = spot.folder.state(spot.name)
    output: dict[str, Any] = {"created": paths}
    if state.kind == "file":
        confirm_file(job, spot, facts["sha256"])
        output |= {"sha256": mark, "size_bytes": state.size_bytes}
    evidence = {"created": paths, "resolved": real, "identity": state.identity, "type": state.kind, "state": mark}
    record = make_record("remove", {"paths": paths}, {real: mark})
    return job.confirm(facts["asked"], output, evidence, (f"remove {', '.join(paths)}", record))


def find_created(act: BegunAct) -> Finding:
    """What is made appears as a whole, with the folders above it."""
    spot = act.find_place()
    mark = tell_state(act.job, spot) if spot else ABSENT
    if "kept" in act.facts:
        return act.say_not_done(mark) if mark == act.facts["kept"] else act.say_unknown(spot, "it was changed")
    if spot is None or mark == ABSENT:
        _tidy_ways(act)
        return act.say_not_done(ABSENT)
    if not _is_made(act, spot, mark):
        return act.say_unknown(spot, "another file is there")
    make_durable(spot.folder, act.facts["path"])
    return say_done(tell_created(act.job, spot, {**act.facts, "created": list_created(act.job, act.facts)}))


def _is_made(act: BegunAct, spot: FilePlace, mark: str) -> bool:
    state = spot.state()
    if state is None or state.kind != act.facts["type"]:
        return False
    return state.kind == "folder" or mark == act.facts["sha256"]


def _tidy_ways(act: BegunAct) -> None:
    """Remove what was begun in the folders on the way, and roots that were made and are empty."""
    ways = [act.facts["base"], *list_created(act.job, act.facts)[:-1]]
    for way in ways:
        folder = act.find_folder(way, own=bool(act.facts["roots"]))
        if folder is None:
            break
        act.remove_own(folder)
    act.remove_roots()
