"""Writing, copying and removing: a reader sees the old content or the new, never a part, whatever happens to the writer."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from actuators.files.jobs.states import LARGE_BYTES, compute_digest, count_content, read_chunks, refuse_type
from actuators.files.ports import FilePlace
from actuators.files.stores.failures import explaining, refuse
from actuators.files.stores.temporary_names import bears_mark, is_stray, is_temporary, make_temporary_name
from core.base.errors import UnknownOutcomeError
from core.base.phrases import escape_text

if TYPE_CHECKING:
    from actuators.files.jobs.jobs import FileJob
    from actuators.files.ports import FileState, Folder, OpenFile


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteTerms:
    """How a file is written: in whose place (None if nothing may be there), and like whom; else like what it replaces."""

    replacing: "FileState | None" = None
    like: "FileState | None" = None
    times: bool = False
    sparse: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What was read back of a file that was written."""

    sha256: str
    state: "FileState"

    def as_evidence(self) -> dict[str, object]:
        """Return it as data."""
        return {"sha256": self.sha256, "size_bytes": self.state.size_bytes, "identity": self.state.identity}


def remove_strays(job: "FileJob", folder: "Folder") -> None:
    """Remove unfinished work in a folder: what a process left that is no more, and what this action left before."""
    for name in folder.names():
        if is_stray(name) or bears_mark(name, job.mark):
            with contextlib.suppress(OSError):  # another start may be at it as well
                remove_tree(job, folder, name)


@contextmanager
def unfinished(job: "FileJob", folder: "Folder") -> Generator[str]:
    """Give a hidden name in a folder, once strays are gone; what has it is removed if the work is not brought to its end."""
    remove_strays(job, folder)
    temporary = make_temporary_name(job.mark)
    try:
        yield temporary
    except BaseException:
        with contextlib.suppress(OSError):  # it may never have been made
            remove_tree(job, folder, temporary)
        raise


def remove_tree(job: "FileJob", folder: "Folder", name: str) -> tuple[int, int]:
    """Remove an entry with all below it, links themselves, and never stop halfway; return how many files and bytes are gone."""
    state = folder.state(name)
    if state.kind != "folder":
        folder.remove(name)
        return 1, state.size_bytes if state.kind == "file" else 0
    files = size = 0
    with folder.descend(name) as below:
        for each in below.names():
            count, size_bytes = remove_tree(job, below, each)
            files, size = files + count, size + size_bytes
    folder.remove_folder(name)
    return files, size


def discard_entry(job: "FileJob", folder: "Folder", name: str) -> tuple[int, int]:
    """Remove an entry at once, also if this is killed before the rest is; return how many files (and links) and bytes are gone."""
    if folder.state(name).kind != "folder":
        return remove_tree(job, folder, name)
    temporary = make_temporary_name(job.mark)
    folder.rename(name, folder, temporary, replace=False)
    try:
        return remove_tree(job, folder, temporary)
    except BaseException:
        with contextlib.suppress(OSError):  # what could not be removed keeps its name
            folder.rename(temporary, folder, name, replace=False)
        raise


def respell(job: "FileJob", source: FilePlace, target: FilePlace) -> None:
    """Give something another spelling of its name where case makes no difference."""
    source.folder.rename(source.name, target.folder, target.name, replace=True)
    if target.name not in target.folder.names():  # some systems take it for the same name and do nothing
        between = make_temporary_name(job.mark, "whole")
        source.folder.rename(source.name, target.folder, between, replace=False)
        target.folder.rename(between, target.folder, target.name, replace=False)


def write_file(job: "FileJob", spot: FilePlace, chunks: Iterable[bytes], terms: WriteTerms = WriteTerms()) -> Written:
    """Write a file as a whole and read it back; an UnknownOutcomeError if it may not outlive a loss of power."""
    path = job.spell(spot)
    with explaining("write", path), unfinished(job, spot.folder) as temporary:
        digest, _ = fill_file(job, spot.folder, temporary, chunks, terms)
        if terms.replacing is not None and not terms.replacing.looks_like(spot.state()):
            what, hint = "was changed by another program at the same moment", "Look at it and repeat the request."
            raise refuse(path, what, code="changed_since", hint=hint)
        job.check()
        spot.folder.rename(temporary, spot.folder, spot.name, replace=terms.replacing is not None)
        job.settle()
    make_durable(spot.folder, path)
    return confirm_file(job, spot, digest)


def make_durable(*folders: "Folder | str") -> None:
    """Let renames in folders outlive a loss of power, the path for the message last; else an UnknownOutcomeError."""
    path = folders[-1]
    for folder in folders:
        if isinstance(folder, str):
            continue
        try:
            folder.sync()
        except OSError as error:
            raise UnknownOutcomeError(
                f"“{escape_text(str(path))}” was changed, but the volume could not save it durably: {error.strerror}.",
                hint="Check the volume, then the file.",
                evidence={"path": path},
            ) from error


def confirm_file(job: "FileJob", spot: FilePlace, sha256: str) -> Written:
    """Read a file back and compare; an UnknownOutcomeError if other content is there."""
    path = job.spell(spot)
    with explaining("read back", path):
        found = compute_digest(job, spot.folder, spot.name)
        state = spot.folder.state(spot.name)
    if found != sha256:
        raise UnknownOutcomeError(
            f"“{escape_text(path)}” was written, but different content was read back.",
            hint="Another program also writes this file.",
            evidence={"path": path, "expected": sha256, "found": found},
        )
    return Written(found, state)


def fill_file(
    job: "FileJob", folder: "Folder", name: str, chunks: Iterable[bytes], terms: WriteTerms
) -> tuple[str, int]:
    """Make a file of a free name and fill it, lasting but for its name; return digest and length of the content."""
    like = terms.like or terms.replacing
    digest = hashlib.sha256()
    with closing(folder.create(name, private=like is not None)) as file:
        for chunk in chunks:
            job.check()
            digest.update(chunk)
            _put(file, chunk, sparse=terms.sparse)
        size = file.stream.tell()
        if terms.sparse:
            file.stream.truncate(size)
        if like is not None:
            file.adopt(like, times=terms.times)
        file.sync()
    return digest.hexdigest(), size


def _put(file: "OpenFile", chunk: bytes, *, sparse: bool) -> None:
    if sparse and not chunk.strip(b"\0"):
        file.stream.seek(len(chunk), os.SEEK_CUR)
    else:
        file.stream.write(chunk)


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


def count_copied(job: "FileJob", spot: FilePlace) -> Copied:
    """Return what there is of a copy, as making it would have said."""
    state = spot.folder.state(spot.name)
    sha256 = compute_digest(job, spot.folder, spot.name) if state.kind == "file" else ""
    return Copied(**count_content(job, spot, state), sha256=sha256)


def describe_content(job: "FileJob", spot: FilePlace) -> str:
    """Return what a copy has in common with its original, as a short text: names, contents or sizes and times, links."""
    with explaining("look at", job.spell(spot)):
        state = spot.folder.state(spot.name)
        if state.kind == "file" and state.size_bytes <= LARGE_BYTES:
            return compute_digest(job, spot.folder, spot.name)
        digest = hashlib.sha256()
        _describe(job, spot.folder, (spot.name, state), "", digest.update)
    return f"{state.kind}:{digest.hexdigest()}"


def _describe(
    job: "FileJob", folder: "Folder", entry: "tuple[str, FileState]", path: str, tell: Callable[[bytes], object]
) -> None:
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
