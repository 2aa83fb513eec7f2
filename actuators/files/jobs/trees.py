"""Copying entries from folder to folder, each held open."""

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from actuators.files.jobs.states import read_chunks, refuse_type
from actuators.files.jobs.whole_files import WriteTerms, fill_file
from actuators.files.ports import FilePlace
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import is_temporary

if TYPE_CHECKING:
    from actuators.files.jobs.jobs import FileJob


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied; the digest is of a single file, empty for a folder or link."""

    files: int
    size_bytes: int
    sha256: str = ""


def copy_entry(job: "FileJob", source: FilePlace, target: FilePlace) -> Copied:
    """Copy a file, link or folder to a place where nothing is; mode and time are kept, links stay links."""
    path = job.spell(source)
    with explaining("copy", path):
        state = source.folder.state(source.name)
        if state.kind == "link":
            target.folder.make_link(target.name, source.folder.read_link(source.name))
            return Copied(1, 0)
        if state.kind == "file":
            return _copy_file(job, source, target)
        if state.kind == "folder":
            return _copy_folder(job, source, target)
    raise refuse_type(path, state, "a file or folder")


def _copy_file(job: "FileJob", source: FilePlace, target: FilePlace) -> Copied:
    with closing(source.folder.open(source.name)) as file:
        state = file.state()
        terms = WriteTerms(like=state, times=True, sparse=state.sparse)
        sha256, size = fill_file(job, target.folder, target.name, read_chunks(job, file), terms)
    return Copied(1, size, sha256)


def _copy_folder(job: "FileJob", source: FilePlace, target: FilePlace) -> Copied:
    files = size = 0
    target.folder.make(target.name, private=True)
    with source.descend() as above, target.descend() as below:
        state = above.state()
        for name in above.names():
            if is_temporary(name):
                continue
            job.check()
            copied = copy_entry(job, FilePlace(above, name), FilePlace(below, name))
            files, size = files + copied.files, size + copied.size_bytes
        below.sync()
    target.folder.adopt(target.name, state)
    return Copied(files, size)
