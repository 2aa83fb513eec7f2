"""Taking changes of files back, by the records that they left."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from actuators.files.jobs.jobs import FileJob, JobRunner, check_before
from actuators.files.jobs.parents import find_real_roots, remove_if_empty, remove_made_root
from actuators.files.jobs.states import LARGE_BYTES, tell_state
from actuators.files.jobs.texts import read_text, render_diff
from actuators.files.jobs.undo_records import fetch_content, make_record
from actuators.files.jobs.whole_files import (
    WriteTerms,
    describe_content,
    discard_entry,
    make_durable,
    remove_strays,
    respell,
    write_file,
)
from actuators.files.ports import FilePlace, Trashed
from actuators.files.stores.failures import allowing_missing, explaining
from actuators.files.verbs.moving_plans import move_back
from actuators.undoing import refuse_record
from core.addresses.path_parts import lies_inside
from core.base.errors import FileError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from core.tools.previews import ABSENT, Preview

_TOLD: Mapping[str, str] = {
    "put_back": "put the old content back",
    "cut": "cut back",
    "remove": "remove",
    "move_back": "move back",
    "take_out": "take out of the trash",
    "put_away": "put into the trash",
}

_SEVERAL = "several"
"""The operation of a record that holds those of several changes."""


def _list_operations(records: Sequence[UndoRecord]) -> list[dict[str, Any]]:
    return [item for record in reversed(records) for item in _list_items(record)]


def _list_touched(records: Sequence[UndoRecord]) -> list[str]:
    items = _list_operations(records)
    named = [str(item[name]) for item in items for name in ("path", "source", "destination") if name in item]
    guarded = (path for record in records for path in record.guard.get("states", {}))
    return list(dict.fromkeys((*named, *guarded)))


def _list_items(record: UndoRecord) -> list[dict[str, Any]]:
    params, told = record.params, _TOLD[record.operation]
    if record.operation == "move_back":
        found = [{"source": params["destination"], "destination": params["source"]}]
    elif record.operation == "take_out":
        found = [{"path": params["original"]}]
    else:
        found = [{"path": path} for path in params.get("paths", [params.get("path", "")])]
    if "replaced" in params:
        found.append({"path": params["replaced"]["original"]})
    return [{**item, "does": told} for item in found]


def _render(job: FileJob, record: UndoRecord) -> str:
    """Return the diff of a text that would change; empty where none does."""
    if record.operation not in {"put_back", "cut"}:
        return ""
    path: str = record.params["path"]
    present = _read(job, path)
    kept = record.params.get("content")
    after = fetch_content(job, kept) if kept else present[: record.params["size_bytes"]]
    try:
        return render_diff(read_text(present, path).text, read_text(after, path).text, path)
    except FileError:  # it is not text
        return ""


def _read(job: FileJob, path: str) -> bytes:
    with job.find(path, follow=False) as spot:
        state = spot.state()
        if state is None or state.kind != "file" or state.size_bytes > LARGE_BYTES:
            return b""
        with closing(spot.folder.open(spot.name)) as file:
            return file.stream.read()


async def take_back(runner: JobRunner, context: ActionContext, record: UndoRecord) -> ToolOutcome:
    """Take a change back; ``changed_since`` if that would destroy a later one, ``not_undoable`` for other records."""
    records = _unfold_record(record)
    if not records:
        raise refuse_record(record, "the operation is unknown here")
    work = partial(take_back_records, records=records, begun_before=context.begun_before)
    return await runner.run(context, work)


async def show_back(runner: JobRunner, context: ActionContext, record: UndoRecord) -> Preview | None:
    """Say what taking a change back would change; None for other records. ``changed_since`` as for ``take_back``."""
    records = _unfold_record(record)
    if not records:
        return None
    return await runner.run(context, partial(_show_records, records=records, begun_before=context.begun_before))


def _show_records(job: FileJob, records: Sequence[UndoRecord], *, begun_before: bool) -> Preview:
    paths = _list_touched(records)
    operation = {"kind": "take_back", "items": _list_operations(records)}
    if begun_before:  # what of it is done already is no change by others, and can't be told without going on with it
        return Preview(operation, before=dict.fromkeys(paths, "begun"))
    for each in records:
        with job.part() as part:
            _check_guard(part, each, begun_before=False)
    with job.part() as part:
        return Preview(
            operation,
            "".join(_render(part, each) for each in reversed(records)),
            {path: _tell(part, path) for path in paths},
        )


Operation = Callable[[FileJob, Mapping[str, Any]], list[str]]


def fold_records(records: Sequence[UndoRecord | None]) -> UndoRecord | None:
    """Return one record for several changes in the order in which they were made; None if one can't be taken back."""
    kept = [each for each in records if each]
    if len(kept) < len(records):
        return None
    states = {path: state for each in kept for path, state in each.guard["states"].items()}
    told = [
        {"operation": each.operation, "params": dict(each.params), "paths": list(each.guard["states"])} for each in kept
    ]
    return make_record(_SEVERAL, {"records": told}, states)


def _unfold_record(record: UndoRecord) -> list[UndoRecord]:
    """Return the records of the changes that one holds; none if it holds what can't be carried out here."""
    records = [record]
    if record.operation == _SEVERAL:
        states = record.guard["states"]
        records = [
            replace(
                record,
                operation=each["operation"],
                params=each["params"],
                guard={"states": {path: states[path] for path in each["paths"]}},
            )
            for each in record.params["records"]
        ]
    known = record.domain == "file" and all(each.operation in _OPERATIONS for each in records)
    return records if known else []


def take_back_records(job: FileJob, records: Sequence[UndoRecord], *, begun_before: bool = False) -> ToolOutcome:
    """Take changes, in the order in which they were made, back, the last first; going back may have been cut short before."""
    for each in records:
        with job.part() as part:
            _check_guard(part, each, begun_before=begun_before)
    paths: list[str] = []
    for each in reversed(records):
        with job.part() as part:
            paths += _OPERATIONS[each.operation](part, each.params)
    states = {path: _tell(job, path) for path in paths}
    return ToolOutcome({"paths": paths}, "confirmed", {"states": states}, "can't be undone again")


def _check_guard(job: FileJob, record: UndoRecord, *, begun_before: bool) -> None:
    expected = dict(record.guard.get("states", {}))
    if begun_before and record.operation == "move_back":
        _end_copying(job, record.params)
    now = {path: _tell(job, path) for path in expected}
    if begun_before:
        now |= {path: expected[path] for path in expected if _is_back(job, path, now[path], record)}
    check_before(expected, now, "the change to undo")


def _end_copying(job: FileJob, params: Mapping[str, Any]) -> None:
    """Remove what a whole copy was made of already, where it went back to another volume."""
    source, destination = _find(job, params["source"]), _find(job, params["destination"])
    with explaining("move back", params["destination"]):
        there, moved = source.state(), destination.state()
        if there is None or moved is None or there.volume == moved.volume:
            return
        content = describe_content(job, source)
        if content and content == describe_content(job, destination):
            discard_entry(job, destination.folder, destination.name)


def _is_back(job: FileJob, path: str, now: str, record: UndoRecord) -> bool:
    """Tell whether a path is as it was before already, or on the way there, after going back was cut short."""
    params = record.params
    if record.operation in {"remove", "move_back", "put_away"}:
        return now == ABSENT or _is_replaced(job, path, params)
    if record.operation == "take_out":
        return _lies_there(job, path, params["mark"])
    return now == params.get("content", params.get("before"))


def _lies_there(job: FileJob, path: str, identity: str) -> bool:
    with _find(job, path) as spot, explaining("look at", path):
        state = spot.state()
    return state is not None and state.identity == identity


def _tell(job: FileJob, path: str) -> str:
    """Return the state of a path; nothing is where the folder above it is gone."""
    with allowing_missing(), _find(job, path) as spot:
        return tell_state(job, spot)
    return ABSENT


def _find(job: FileJob, path: str) -> FilePlace:
    return job.find(path, follow=False)


def _put_back(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    spot = _find(job, params["path"])
    content = fetch_content(job, params["content"])
    remove_strays(job, spot.folder)
    if _tell(job, params["path"]) == params["content"]:
        return [params["path"]]
    write_file(job, spot, [content], WriteTerms(replacing=spot.state()))
    return [params["path"]]


def _cut(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    spot = _find(job, params["path"])
    remove_strays(job, spot.folder)
    if _tell(job, params["path"]) == params.get("before"):
        return [params["path"]]
    with explaining("cut", params["path"]):
        state = spot.folder.state(spot.name)
        with closing(spot.folder.open(spot.name)) as file:
            content = file.stream.read(params["size_bytes"])
    write_file(job, spot, [content], WriteTerms(replacing=state))
    return [params["path"]]


def _remove(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    """Remove what was made, the innermost first; a folder that something came into stays, unless it was made whole."""
    paths: list[str] = list(params["paths"])
    roots = [*job.roots, *find_real_roots(job)]
    for path in reversed(paths):
        if any(lies_inside(root, path, job.hands.store.platform) for root in roots):
            remove_made_root(job, path)
            continue
        spot = _find_left(job, path, params)
        if spot is None:
            continue
        with spot, explaining("remove", path):
            remove_strays(job, spot.folder)
            if params.get("tree"):
                discard_entry(job, spot.folder, spot.name)
            elif spot.folder.state(spot.name).kind == "folder":
                remove_if_empty(spot.folder, spot.name)
            else:
                spot.folder.remove(spot.name)
            make_durable(spot.folder, path)
    inside = [path for path in paths if any(lies_inside(path, root, job.hands.store.platform) for root in roots)]
    return _take_replaced_out(job, params) or inside


def _find_left(job: FileJob, path: str, params: Mapping[str, Any]) -> FilePlace | None:
    try:
        spot = _find(job, path)
    except FileError as error:
        if error.code != "not_found":
            raise
        return None
    if spot.state() is None or _is_replaced(job, path, params):
        remove_strays(job, spot.folder)
        return None
    return spot


def _is_replaced(job: FileJob, path: str, params: Mapping[str, Any]) -> bool:
    return "replaced" in params and _lies_there(job, path, params["replaced"]["mark"])


def _move_back(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    source, destination = _find(job, params["source"]), _find(job, params["destination"])
    with explaining("move back", params["destination"]):
        there, moved = source.state(), destination.state()
        if moved is None or _is_replaced(job, params["destination"], params):
            remove_strays(job, destination.folder)
        elif there is not None and there.identity == moved.identity:
            respell(job, destination, source)
        else:
            move_back(job, destination, source)
    make_durable(source.folder, destination.folder, params["source"])
    return [params["source"], *_take_replaced_out(job, params)]


def _take_replaced_out(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    return _take_out(job, params["replaced"]) if "replaced" in params else []


def _take_out(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    trashed = Trashed(**params)
    with explaining("restore", trashed.original):
        if _lies_there(job, trashed.original, trashed.mark):
            job.hands.trash.sweep(trashed.original, trashed.deleted)
        else:
            job.hands.trash.take_out(trashed, _find(job, trashed.original).bare)
    return [trashed.original]


def _put_away(job: FileJob, params: Mapping[str, Any]) -> list[str]:
    spot = _find(job, params["path"])
    job.hands.trash.sweep(params["path"], job.mark)
    if spot.state() is not None:
        job.hands.trash.put(spot.bare, job.mark)
    return [params["path"]]


_OPERATIONS: Mapping[str, Operation] = {
    "put_back": _put_back,
    "cut": _cut,
    "remove": _remove,
    "move_back": _move_back,
    "take_out": _take_out,
    "put_away": _put_away,
}
