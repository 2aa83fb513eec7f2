"""How changes of files are taken back: records, and the old content that some of them need.

Operations: ``put_back`` (old content, by its digest, from the state folder), ``cut`` (what was appended goes), ``remove``
(what was made goes, if nobody changed it), ``move_back``, ``take_out`` (of the trash), ``put_away`` (into the trash),
``several`` (the records of several changes, the last of them first).
"""

import contextlib
import hashlib
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from actuators.files.jobs.jobs import UNDO_FOLDER, FileJob
from actuators.files.jobs.whole_files import unfinished
from actuators.files.ports import Folder
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import open_private_folder
from core.base.errors import FileError
from core.results.tool_results import UndoRecord

_MOST_KEPT = 1_000
_DROPPED_AT_ONCE = 100


def keep_content(job: FileJob, content: bytes) -> str:
    """Keep old content in the state folder, so that it outlives a loss of power; return its digest, its name there."""
    digest = hashlib.sha256(content).hexdigest()
    with explaining("keep old content in", str(job.environment.state_dir)):
        folder = _open_kept(job)
        with unfinished(job, folder) as temporary:
            with closing(folder.create(temporary, private=True)) as file:
                file.stream.write(content)
                file.sync()
            folder.rename(temporary, folder, digest, replace=True)
            folder.sync()
        _drop_oldest(folder)
    return digest


def fetch_content(job: FileJob, digest: str) -> bytes:
    """Return content that was kept; ``not_found`` if it is no longer there, or not whole."""
    folder = _open_kept(job)
    try:
        file = folder.open(digest)
    except FileNotFoundError:
        raise FileError("The old content is no longer stored.", code="not_found", evidence={"sha256": digest}) from None
    with closing(file):
        content = file.stream.read()
    if hashlib.sha256(content).hexdigest() != digest:
        raise FileError("The stored old content is damaged.", code="not_found", evidence={"sha256": digest})
    return content


def _open_kept(job: FileJob) -> Folder:
    """Return the folder of old content, which only its owner may enter; it is made where it is missing."""
    path = job.path(str(job.environment.state_dir)) / UNDO_FOLDER
    return open_private_folder(job.hands.store, job.held, str(path))


def make_record(operation: str, params: Mapping[str, Any], states: Mapping[str, str]) -> UndoRecord | None:
    """Return a record of what must still be so, by absolute path, as ``tell_state`` says it; None without params."""
    return UndoRecord("file", operation, params, {"states": dict(states)}) if params else None


def _drop_oldest(folder: Folder) -> None:
    names = folder.names()
    if len(names) <= _MOST_KEPT:
        return
    dated: list[tuple[int, str]] = []
    for name in names:
        with contextlib.suppress(OSError):
            dated.append((folder.state(name).modified_ns, name))
    for _, name in sorted(dated)[:_DROPPED_AT_ONCE]:
        with contextlib.suppress(OSError):  # another session drops it as well
            folder.remove(name)
