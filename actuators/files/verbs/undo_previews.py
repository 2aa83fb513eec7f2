"""What taking changes of files back would change, shown before it is done."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from actuators.files.jobs.diffs import render_diff
from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.states import LARGE_BYTES
from actuators.files.jobs.texts import read_text
from actuators.files.jobs.undo_records import fetch_content
from core.base.errors import FileError
from core.results.tool_results import UndoRecord

_TOLD: Mapping[str, str] = {
    "put_back": "put the old content back",
    "cut": "cut back",
    "remove": "remove",
    "move_back": "move back",
    "take_out": "take out of the trash",
    "put_away": "put into the trash",
}


def list_operations(records: Sequence[UndoRecord]) -> list[dict[str, Any]]:
    """Return what would be done, the last change first, as items of an operation."""
    return [item for record in reversed(records) for item in _list_items(record)]


def list_touched(records: Sequence[UndoRecord]) -> list[str]:
    """Return every path that going back touches, also those that it brings back."""
    items = list_operations(records)
    named = [str(item[name]) for item in items for name in ("path", "source", "destination") if name in item]
    guarded = (path for record in records for path in record.guard.get("states", {}))
    return list(dict.fromkeys((*named, *guarded)))


def render_changes(job: FileJob, records: Sequence[UndoRecord]) -> str:
    """Return the diffs of the texts that would change."""
    return "".join(_render(job, record) for record in reversed(records) if record.operation in _CONTENTS)


def _list_items(record: UndoRecord) -> list[dict[str, Any]]:
    params, told = record.params, _TOLD.get(record.operation, record.operation)
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
    path: str = record.params["path"]
    present = _read(job, path)
    after = _CONTENTS[record.operation](job, record.params, present)
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


def _fetch_old(job: FileJob, params: Mapping[str, Any], present: bytes) -> bytes:
    del present
    return fetch_content(job, params["content"])


def _cut_present(job: FileJob, params: Mapping[str, Any], present: bytes) -> bytes:
    del job
    return present[: params["size_bytes"]]


_CONTENTS: Mapping[str, Callable[[FileJob, Mapping[str, Any], bytes], bytes]] = {
    "put_back": _fetch_old,
    "cut": _cut_present,
}
