"""Finding out after a crash whether an archive was packed or unpacked."""

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any

from actuators.files.archives.archive_checks import Member
from actuators.files.archives.packing import pack_again, tell_zipped
from actuators.files.archives.unpacking import move_out, open_archive, read_members, tell_unzipped
from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.recovery import (
    StateReader,
    find_folder_again,
    find_place,
    remove_own,
    say_done,
    say_not_done,
    say_unknown,
)
from actuators.files.jobs.states import compute_digest, read_chunks, tell_state
from actuators.files.jobs.whole_files import make_durable
from actuators.files.ports import FilePlace, Folder
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import bears_mark
from actuators.files.verbs.writing_recovery import remove_roots
from core.base.errors import FileError
from core.results.tool_results import Finding
from core.tools.previews import ABSENT


def _find_zipped(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """An archive appears as a whole; the same sources, packed again, give the same archive."""
    target = find_place(job, facts["path"])
    if target is None:
        return say_unknown(job, target, facts, "its folder is gone")
    remove_own(job, target.folder)
    state = target.state()
    if state is None:
        return say_not_done(facts, ABSENT)
    if state.kind != "file":
        return say_unknown(job, target, facts, "another file is there")
    try:
        packed = pack_again(job, (args["source"], facts["asked"]), facts["sources"], target.folder)
    except FileError as error:
        return say_unknown(job, target, facts, error.message)
    if packed is None or compute_digest(job, target.folder, target.name) != packed.sha256:
        return say_unknown(job, target, facts, "it differs from what packing the sources gives now")
    make_durable(target.folder, facts["path"])
    return say_done(tell_zipped(job, target, facts["asked"], packed))


def _find_unzipped(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """What was unpacked is hidden until all of it is there; then it gets its names, and that is brought to its end."""
    folder = find_folder_again(job, facts["base"], own=bool(facts["roots"]))
    if folder is None:
        remove_roots(job, facts)
        return say_not_done(facts, ABSENT)
    remove_own(job, folder)
    for name in folder.names():
        if bears_mark(name, job.mark, "whole"):
            with explaining("unpack into", facts["path"]):
                move_out(folder, name, lambda _: None)
    present = set(folder.names()) & set(facts["tops"])
    if not present:
        remove_roots(job, facts)
        return say_not_done(facts, ABSENT)
    members = _match(job, (facts["source"], facts["mark"]), facts)
    if len(present) < len(facts["tops"]) or members is None:
        place = FilePlace(folder, min(present))
        return say_unknown(job, place, facts, "the files differ from what the archive holds now")
    make_durable(folder, facts["path"])
    return say_done(tell_unzipped(job, folder, members, {**facts, "asked": args.get("destination") or facts["asked"]}))


def _match(job: FileJob, archive: tuple[str, str], facts: Mapping[str, Any]) -> list[Member] | None:
    """Return the members of an archive if all of them were unpacked as they are; None if not, or if it was changed."""
    path, mark = archive
    spot = job.find(path)
    folder = find_folder_again(job, facts["path"], own=False)
    if folder is None or tell_state(job, spot) != mark:
        return None
    members = read_members(job, spot, path)
    with open_archive(spot, path) as opened:
        return members if _are_there(job, folder, opened, members) else None


def _are_there(job: FileJob, folder: Folder, archive: zipfile.ZipFile, members: Sequence[Member]) -> bool:
    for member in members:
        job.check()
        try:
            with ExitStack() as held:
                above = folder
                for name in member.parts[:-1]:
                    above = held.enter_context(above.descend(name))
                if not _is_there(job, above, archive, member):
                    return False
        except (FileNotFoundError, NotADirectoryError):
            return False
    return True


def _is_there(job: FileJob, folder: Folder, archive: zipfile.ZipFile, member: Member) -> bool:
    name = member.parts[-1]
    state = folder.state(name)
    if state.kind != member.kind:
        return False
    if state.kind == "link":
        return folder.read_link(name) == archive.read(member.info).decode()
    return state.kind == "folder" or _compute_crc(job, folder, name) == member.info.CRC


def _compute_crc(job: FileJob, folder: Folder, name: str) -> int:
    crc = 0
    with closing(folder.open(name)) as file:
        for chunk in read_chunks(job, file):
            crc = zlib.crc32(chunk, crc)
    return crc


ARCHIVE_FINDINGS: Mapping[str, StateReader] = {"zip": _find_zipped, "unzip": _find_unzipped}
