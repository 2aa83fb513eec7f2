"""States of files as short texts: what a change starts from, and what a receipt rests upon."""

import hashlib
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from actuators.files.stores.failures import explaining, refuse
from actuators.files.stores.ground import list_own_names
from core.base.errors import FileError
from core.base.phrases import escape_text
from core.tools.previews import ABSENT

if TYPE_CHECKING:
    from actuators.files.jobs.jobs import FileJob
    from actuators.files.ports import FilePlace, FileState, Folder, OpenFile

CHUNK_BYTES = 1 << 20
DEEPEST = 300
_SHOWN = 200
LARGE_BYTES = 64 << 20
"""What is larger is told by identity, size and time instead of its digest, and isn't kept for going back."""


def read_chunks(job: "FileJob", file: "OpenFile") -> Iterator[bytes]:
    """Yield the content of an open file piece by piece."""
    while chunk := file.stream.read(CHUNK_BYTES):
        job.check()
        yield chunk


def compute_digest(job: "FileJob", folder: "Folder", name: str, algorithm: str = "sha256") -> str:
    """Return the digest of a file's content by an algorithm of ``hashlib``, in hexadecimal digits."""
    digest = hashlib.new(algorithm, usedforsecurity=False)
    with closing(folder.open(name)) as file:
        for chunk in read_chunks(job, file):
            digest.update(chunk)
    return digest.hexdigest()


def tell_state(job: "FileJob", spot: "FilePlace", *, changing: bool = False) -> str:
    """Return the state of what is at a place, as previews and guards have it; refuse by a PolicyError to change what Surehand keeps."""
    with explaining("look at", job.spell(spot)):
        state = spot.state()
        if state is None:
            return ABSENT
        if state.kind == "folder":
            with spot.descend() as folder:
                return fingerprint_folder(job, folder, changing=changing)
        if state.kind == "link":
            return hashlib.sha256(b"link\0" + spot.folder.read_link(spot.name).encode()).hexdigest()
        if state.kind == "other":
            return f"other:{state.identity}"
        told = f"file:{state.identity}:{state.size_bytes}:{state.modified_ns}"
        try:
            return told if state.size_bytes > LARGE_BYTES else compute_digest(job, spot.folder, spot.name)
        except PermissionError:  # who may not read it may still move it
            return told


def fingerprint_folder(job: "FileJob", folder: "Folder", *, changing: bool = False) -> str:
    """Return a short text that changes when anything below a folder does, as far as names, sizes and times tell."""
    digest = hashlib.sha256()
    for path, state in walk_folder(job, folder, changing=changing):
        size = 0 if state.kind == "folder" else state.size_bytes
        time = 0 if state.kind == "folder" else state.modified_ns
        digest.update(f"{path}\0{state.kind}\0{size}\0{time}\0".encode("utf-8", "surrogateescape"))
    return f"folder:{digest.hexdigest()}"


def walk_folder(
    job: "FileJob", folder: "Folder", prefix: str = "", depth: int = 0, *, changing: bool = False
) -> Iterator[tuple[str, "FileState"]]:
    """Yield everything below a folder, sorted; ``too_large`` if it nests too deep, a PolicyError if it must not be changed."""
    if depth > DEEPEST:
        raise FileError(
            f'The folders in "{escape_text(folder.path[:_SHOWN])}…" nest deeper than {DEEPEST}.',
            code="too_large",
            hint="Move the upper folders apart first.",
        )
    if changing and (own := list_own_names(folder)):
        raise job.own_ground.refuse(f"{folder.path}/{own[0]}")
    for name in folder.names():
        job.check()
        path = f"{prefix}{name}"
        state = folder.state(name)
        yield path, state
        if state.kind == "folder":
            with folder.descend(name) as below:
                yield from walk_folder(job, below, f"{path}/", depth + 1, changing=changing)


def count_content(job: "FileJob", spot: "FilePlace", state: "FileState") -> dict[str, int]:
    """Return how many files (and links) something is, and their bytes."""
    if state.kind != "folder":
        return {"files": 1, "size_bytes": state.size_bytes if state.kind == "file" else 0}
    with explaining("look into", job.spell(spot)), spot.descend() as folder:
        below = [each for _, each in walk_folder(job, folder, changing=True) if each.kind != "folder"]
    return {"files": len(below), "size_bytes": sum(each.size_bytes for each in below if each.kind == "file")}


def require_state(job: "FileJob", spot: "FilePlace", path: str) -> "FileState":
    """Return what is known of a place where something must be; ``not_found`` names what is nearby."""
    with explaining("look at", path):
        state = spot.state()
        if state is not None:
            return state
        job.check()
        near = [name for name in spot.folder.names() if not name.startswith(".")][:20]
    shown = f" There are {', '.join(map(escape_text, near))}." if near else " The folder is empty."
    raise refuse(path, "does not exist", f"Check the name.{shown}", code="not_found", nearby=near)


def require_file(job: "FileJob", spot: "FilePlace", path: str) -> "FileState":
    """Return what is known of a place where a plain file must be; else ``not_found`` or ``wrong_type``."""
    state = require_state(job, spot, path)
    if state.kind != "file":
        raise refuse_type(path, state, "a file")
    return state


def refuse_type(path: str, state: "FileState", wanted: str) -> FileError:
    """Return the refusal of something of the wrong type; wanted is such as ``a file``."""
    words = {"file": "a file", "folder": "a folder", "link": "a link", "other": "a device, pipe or socket"}
    return refuse(
        path, f"is {words[state.kind]}, not {wanted}", "Check it with file.info.", code="wrong_type", type=state.kind
    )
