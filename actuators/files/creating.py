"""Making files and folders, with the folders above them; nothing that is there is ever touched."""

import contextlib
from functools import partial
from typing import Any

from actuators.files.diffs import render_diff
from actuators.files.failures import explaining
from actuators.files.jobs import Change, Job
from actuators.files.outcomes import confirm
from actuators.files.parents import find_deepest, make_folders
from actuators.files.ports import FileState, Folder, Spot
from actuators.files.states import refuse_type, tell_state
from actuators.files.texts import TextStyle, write_text
from actuators.files.undo_records import make_record
from actuators.files.whole_files import make_durable, write_file
from core.errors import FileError
from core.phrases import escape_text
from core.previews import ABSENT
from core.results import ToolOutcome


def plan_create(job: Job, object_type: str, name: str, content: str | None = None, exist_ok: bool = False) -> Change:
    """Plan to make a file or folder."""
    if object_type == "folder" and content is not None:
        raise FileError("A folder has no content of its own.", code="wrong_type", hint="Make a file in it.")
    spot, missing = find_deepest(job, name)
    real = str(job.path(job.spell(spot)).joinpath(*missing))
    with explaining("look at", name):
        there = None if missing else spot.state()
    operation = {"kind": f"create_{object_type}", "path": real, "creates": there is None, "folders": len(missing[:-1])}
    if there is not None:
        return _plan_nothing(job, spot, there, {**operation, "asked": name, "exist_ok": exist_ok})
    data = write_text(content or "", TextStyle(), name)
    carry_out = partial(_create, job, spot, missing, {"asked": name, "data": data, "type": object_type})
    diff = render_diff(None, content or "", name) if object_type == "file" else ""
    return Change(operation=operation, before={real: ABSENT}, carry_out=carry_out, diff=diff)


def _plan_nothing(job: Job, spot: Spot, there: FileState, facts: dict[str, Any]) -> Change:
    """Plan to leave what is there, where that is allowed."""
    path, kind = facts["asked"], facts["kind"].removeprefix("create_")
    if there.kind != kind:
        raise refuse_type(path, there, f"a {kind}")
    if not facts["exist_ok"]:
        raise FileError(
            f'"{escape_text(path)}" is there already.',
            code="already_exists",
            hint="Choose another name, or say exist_ok to leave it as it is.",
            evidence={"path": path, "type": there.kind, "size_bytes": there.size_bytes},
        )
    mark = tell_state(job, spot)

    def leave() -> ToolOutcome:
        output = {"created": [], **({"sha256": mark} if kind == "file" else {})}
        return confirm(job, path, output, {"identity": there.identity, "state": mark}, ("nothing was changed", None))

    return Change(operation=facts, before={job.spell(spot): mark}, carry_out=leave)


def _create(job: Job, spot: Spot, missing: list[str], facts: dict[str, Any]) -> ToolOutcome:
    made: list[tuple[Folder, str]] = []
    folder, name = spot.folder, spot.name
    try:
        with explaining("make", facts["asked"]):
            if missing:
                begin = job.hold_folder(spot.descend())
                folder, name = make_folders(job, begin, missing[:-1], made), missing[-1]
            if facts["type"] == "folder":
                folder.make(name)
                made.append((folder, name))
        if facts["type"] == "file":
            write_file(job, Spot(folder, name), [facts["data"]])
            made.append((folder, name))
    except BaseException:
        folder.close()
        for above, each in reversed(made):
            with contextlib.suppress(OSError):  # something came into it meanwhile
                above.remove_folder(each)
            above.close()
        raise
    job.settle()
    make_durable(*[above for above, _ in made], facts["asked"])
    return _tell(job, Spot(folder, name), made, facts)


def _tell(job: Job, spot: Spot, made: list[tuple[Folder, str]], facts: dict[str, Any]) -> ToolOutcome:
    real = job.spell(spot)
    paths = [str(job.path(folder.path) / name) for folder, name in made]
    mark = tell_state(job, spot)
    state = spot.folder.state(spot.name)
    output: dict[str, Any] = {"created": paths}
    if state.kind == "file":
        output |= {"sha256": mark, "size_bytes": state.size_bytes}
    evidence = {"created": paths, "resolved": real, "identity": state.identity, "type": state.kind, "state": mark}
    record = make_record("remove", {"paths": paths}, {real: mark})
    return confirm(job, facts["asked"], output, evidence, (f"remove {', '.join(paths)}", record))
