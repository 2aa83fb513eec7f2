"""Packing files and folders into a zip archive."""

import contextlib
import stat
import struct
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial

from actuators.files.archives.archive_checks import MOST_MEMBERS, TIME_FIELD
from actuators.files.jobs.jobs import FileJob, PlannedChange
from actuators.files.jobs.matches import find_matches, names_several
from actuators.files.jobs.recovery import BegunAct, say_done
from actuators.files.jobs.states import compute_digest, read_chunks, require_state, tell_state
from actuators.files.jobs.undo_records import make_record
from actuators.files.jobs.whole_files import confirm_file, make_durable, unfinished
from actuators.files.ports import FilePlace, FileState, Folder
from actuators.files.stores.failures import explaining, refuse
from actuators.files.stores.ground import list_own_names
from actuators.files.stores.temporary_names import is_temporary, make_temporary_name
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text
from core.results.tool_results import Finding, ToolOutcome
from core.tools.previews import ABSENT

_EPOCH = (1980, 1, 1, 0, 0, 0)
_LATEST = (2107, 12, 31, 23, 59, 58)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something to be packed."""

    spot: FilePlace
    state: FileState
    name: str


@dataclass(frozen=True, slots=True)
class Packed:
    """What was packed, and what could not be."""

    sha256: str
    entries: int
    left_out: list[str]


def plan_zip(job: FileJob, source: str | Sequence[str], destination: str | None = None) -> PlannedChange:
    """Plan to pack files and folders into an archive."""
    destination = destination or _name_archive(job, source)
    sources = _find_sources(job, source, destination)
    _refuse_twins(sources)
    target = job.find(destination)
    with explaining("look at", destination):
        if target.state() is not None:
            raise refuse(destination, "already exists", "Choose another name for the archive.", code="already_exists")
    before = _tell_states(job, sources)
    real = job.spell(target)
    return PlannedChange(
        operation={
            "kind": "zip",
            "sources": sorted(before),
            "items": [{"source": each} for each in sorted(before)],
            "destination": real,
        },
        before={**before, real: ABSENT},
        carry_out=partial(_zip, job, sources, target, destination),
        predict=lambda: {"path": real, "asked": destination, "sources": before},
    )


def _name_archive(job: FileJob, source: str | Sequence[str]) -> str:
    """Return the archive that a single file or folder is packed into, beside it, where none is named."""
    path = job.path(source) if isinstance(source, str) and not names_several(source) else None
    if path is None or not path.name:
        raise FileError(
            "The archive has no name.",
            code="missing_destination",
            hint="Give the archive's name as destination.",
            evidence={"source": source if isinstance(source, str) else list(source)},
        )
    return str(path.with_name(f"{path.name}.zip"))


def _find_sources(job: FileJob, source: str | Sequence[str], destination: str) -> list[Source]:
    paths = find_matches(job, source, wanted="file", writing=False, but=destination)
    folders: dict[str, Folder] = {}
    return [_find_source(job, path, folders) for path in paths]


def _tell_states(job: FileJob, sources: list[Source]) -> dict[str, str]:
    return {job.spell(each.spot): tell_state(job, each.spot) for each in sources}


def _find_source(job: FileJob, path: str, folders: dict[str, Folder]) -> Source:
    """Return a source; a folder with many of them is held open once."""
    spot = _find_beside(job, path, folders) or job.find(path)
    if job.spell(spot) == path:
        folders[str(job.path(path).parent)] = spot.folder
    state = require_state(job, spot, path)
    if state.kind not in {"file", "folder"}:
        raise FileError(f"“{escape_text(path)}” is neither a file nor a folder.", code="wrong_type")
    return Source(spot=spot, state=state, name=job.path(path).name or "root")


def _find_beside(job: FileJob, path: str, folders: Mapping[str, Folder]) -> FilePlace | None:
    folder = folders.get(str(job.path(path).parent))
    if folder is None:
        return None
    spot = FilePlace(folder, job.path(path).name)
    with explaining("look at", path):
        state = spot.state()
    return spot if state and state.kind != "link" else None


def _refuse_twins(sources: list[Source]) -> None:
    names: set[str] = set()
    for each in sources:
        if each.name.casefold() in names:
            raise FileError(
                f"Two sources are called “{escape_text(each.name)}”.",
                code="already_exists",
                hint="Pack them into two archives, or rename one.",
                evidence={"name": each.name},
            )
        names.add(each.name.casefold())


def _zip(job: FileJob, sources: list[Source], target: FilePlace, destination: str) -> ToolOutcome:
    real = job.spell(target)
    folder = target.folder
    with explaining("pack into", real), unfinished(job, folder) as temporary:
        entries, left_out = _fill(job, sources, folder, temporary)
        sha256 = compute_digest(job, folder, temporary)
        folder.rename(temporary, folder, target.name, replace=False)
        job.settle()
    make_durable(folder, real)
    return tell_zipped(job, target, destination, Packed(sha256, entries, left_out))


def tell_zipped(job: FileJob, target: FilePlace, asked: str, packed: Packed) -> ToolOutcome:
    """Return the outcome of packing an archive."""
    real = job.spell(target)
    written = confirm_file(job, target, packed.sha256)
    output = {"entries": packed.entries, "left_out": packed.left_out}
    output |= {"sha256": packed.sha256, "size_bytes": written.state.size_bytes}
    record = make_record("remove", {"paths": [real]}, {real: tell_state(job, target)})
    return job.confirm(asked, output, {**written.as_evidence(), "resolved": real}, (f"remove {real}", record))


def pack_again(
    job: FileJob, asked: tuple[str | Sequence[str], str], states: Mapping[str, str], folder: Folder
) -> Packed | None:
    """Return what an archive of the same sources holds, leaving nothing in the folder; None if they changed."""
    sources = _find_sources(job, *asked)
    if _tell_states(job, sources) != states:
        return None
    temporary = make_temporary_name(job.mark)
    try:
        entries, left_out = _fill(job, sources, folder, temporary)
        return Packed(compute_digest(job, folder, temporary), entries, left_out)
    finally:
        with contextlib.suppress(FileNotFoundError):  # it may never have been made
            folder.remove(temporary)


def _fill(job: FileJob, sources: list[Source], folder: Folder, name: str) -> tuple[int, list[str]]:
    left_out: list[str] = []
    with closing(folder.create(name)) as file:
        with zipfile.ZipFile(file.stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for each in sorted(sources, key=lambda each: each.name):
                for spot, state, path in _walk(job, (each.spot, each.state, each.name), left_out):
                    _add(job, archive, (spot, state, path))
                    _check_count(archive)
            count = len(archive.filelist)
        file.sync()
    return count, left_out


def _check_count(archive: zipfile.ZipFile) -> None:
    if len(archive.filelist) > MOST_MEMBERS:
        raise FileError(
            f"More than {MOST_MEMBERS} files and folders can't be packed.",
            code="archive_limit",
            hint="Pack some of them.",
            evidence={"limit": MOST_MEMBERS},
        )


def _walk(
    job: FileJob, entry: tuple[FilePlace, FileState, str], left_out: list[str]
) -> Iterator[tuple[FilePlace, FileState, str]]:
    """Yield everything to pack, in the order of names; pipes, sockets, devices and what Surehand keeps for itself are left out."""
    spot, state, path = entry
    if state.kind == "other":
        left_out.append(path)
        return
    yield entry
    if state.kind != "folder":
        return
    with explaining("pack", job.spell(spot)), spot.descend() as folder:
        left_out += [f"{path}/{name}" for name in list_own_names(folder)]
        for name in folder.names():
            job.check()
            below = folder.state(name)
            if not is_temporary(name):
                yield from _walk(job, (FilePlace(folder, name), below, f"{path}/{name}"), left_out)


def _add(job: FileJob, archive: zipfile.ZipFile, member: tuple[FilePlace, FileState, str]) -> None:
    spot, state, path = member
    if not path.isascii() and path != path.encode("utf-8", "replace").decode():
        raise FileError(
            f"“{escape_text(path)}” has a name that is not text.",
            code="bad_encoding",
            hint="Rename it, or leave it out.",
            evidence={"path": escape_text(path)},
        )
    seconds = state.modified_ns // 1_000_000_000
    moment = min(max(_EPOCH, time.localtime(seconds)[:6]), _LATEST)
    info = zipfile.ZipInfo(f"{path}/" if state.kind == "folder" else path, moment)
    info.create_system = 3  # POSIX: the mode below is one of POSIX
    type_bits = {"folder": stat.S_IFDIR, "link": stat.S_IFLNK}.get(state.kind, stat.S_IFREG)
    info.external_attr = (type_bits | state.mode) << 16
    info.compress_type = zipfile.ZIP_STORED if state.kind != "file" else zipfile.ZIP_DEFLATED
    if 0 <= seconds < 1 << 31:
        info.extra = struct.pack("<HHBl", TIME_FIELD, 5, 1, seconds)
    if state.kind == "folder":
        archive.writestr(info, b"")
    elif state.kind == "link":
        archive.writestr(info, spot.folder.read_link(spot.name).encode())
    else:
        _add_file(job, archive, info, spot)


def _add_file(job: FileJob, archive: zipfile.ZipFile, info: zipfile.ZipInfo, spot: FilePlace) -> None:
    with explaining("pack", job.spell(spot)):
        file = spot.folder.open(spot.name)
    with closing(file):
        info.file_size = file.state().size_bytes
        with archive.open(info, "w") as packed:
            for chunk in read_chunks(job, file):
                packed.write(chunk)


def find_zipped(act: BegunAct) -> Finding:
    """An archive appears as a whole; the same sources, packed again, give the same archive."""
    target = act.require_place()
    act.remove_own(target.folder)
    state = target.state()
    if state is None:
        return act.say_not_done(ABSENT)
    if state.kind != "file":
        return act.say_unknown(target, "another file is there")
    try:
        packed = pack_again(act.job, (act.facts["source"], act.facts["asked"]), act.facts["sources"], target.folder)
    except FileError as error:
        return act.say_unknown(target, error.message)
    if packed is None or compute_digest(act.job, target.folder, target.name) != packed.sha256:
        return act.say_unknown(target, "it differs from what packing the sources gives now")
    make_durable(target.folder, act.facts["path"])
    return say_done(tell_zipped(act.job, target, act.facts["asked"], packed))
