"""Unpacking a zip archive: under a hidden name first, then renamed into place; all of it or nothing."""

import contextlib
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Any

from actuators.files.archives.archive_checks import (
    MOST_BYTES,
    Member,
    judge_archive,
    judge_link,
    refuse_archive,
    refuse_limit,
)
from actuators.files.jobs.jobs import FileJob, PlannedChange
from actuators.files.jobs.parents import find_deepest, making_folders, split_missing
from actuators.files.jobs.recovery import BegunAct, say_done
from actuators.files.jobs.states import CHUNK_BYTES, read_chunks, require_file, tell_state
from actuators.files.jobs.undo_records import make_record
from actuators.files.jobs.whole_files import WriteTerms, fill_file, make_durable, remove_strays, remove_tree
from actuators.files.ports import FilePlace, FileState, Folder
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import bears_mark, make_temporary_name
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass, replace
from core.base.phrases import escape_text
from core.results.tool_results import Finding, ToolOutcome
from core.tools.previews import ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackTarget:
    """Where an archive is unpacked to, without links, and the names to make first, of which the last is a root that is missing."""

    folder: Folder
    roots: list[str]
    missing: list[str]
    real: str
    asked: str


def plan_unzip(job: FileJob, source: str, destination: str | None = None) -> PlannedChange:
    """Plan to unpack an archive into a folder, or into the one that it lies in."""
    destination = destination or str(job.path(source).parent)
    spot = job.find(source)
    require_file(job, spot, source)
    members = read_members(job, spot, source)
    tops = sorted({member.parts[0] for member in members})
    goal = _find_goal(job, destination, tops)
    for member in members:
        job.own_ground.check(str(job.path(goal.real).joinpath(*member.parts)))
    operation = {
        "kind": "unzip",
        "source": job.spell(spot),
        "destination": goal.real,
        "entries": [member.path for member in members][:100],
        "count": len(members),
        "size_bytes": sum(member.info.file_size for member in members),
    }
    places = {str(job.path(goal.real) / top): ABSENT for top in tops}
    before = {job.spell(spot): tell_state(job, spot), **places}
    base = job.path(goal.folder.path)
    facts = {
        "path": goal.real,
        "asked": goal.asked,
        "source": job.spell(spot),
        "mark": before[job.spell(spot)],
        "roots": [str(base.joinpath(*goal.roots[: count + 1])) for count in range(len(goal.roots))],
        "base": str(base.joinpath(*goal.roots)),
        "tops": goal.missing[:1] or tops,
    }
    return PlannedChange(
        operation=operation,
        before=before,
        carry_out=partial(_unzip, job, (spot, source), goal, facts),
        predict=lambda: facts,
    )


def _find_goal(job: FileJob, destination: str, tops: Sequence[str]) -> UnpackTarget:
    target, missing = find_deepest(job, destination, follow=True)
    real = str(job.path(job.spell(target)).joinpath(*missing))
    if not missing:
        target, missing = _enter_target(job, target, destination, tops)
        return UnpackTarget(folder=target.folder, roots=[], missing=missing, real=real, asked=destination)
    folder = job.hold(target.descend())
    roots, below = split_missing(job, destination, missing)
    return UnpackTarget(folder=folder, roots=roots, missing=below, real=real, asked=destination)


def _enter_target(
    job: FileJob, target: FilePlace, destination: str, tops: Sequence[str]
) -> tuple[FilePlace, list[str]]:
    """Return the folder that is unpacked into; where it isn't there yet, its place and its name."""
    if target.state() is None:
        return FilePlace(target.folder, ""), [target.name]
    with explaining("unpack into", destination):
        folder = job.hold(target.descend())
        taken = {name.casefold() for name in folder.names()}
    if clash := next((top for top in tops if top.casefold() in taken), None):
        raise FileError(
            f"“{escape_text(clash)}” is in “{escape_text(destination)}” already.",
            code="already_exists",
            hint="Unpack it into a new folder.",
            evidence={"path": destination, "entry": clash},
        )
    return FilePlace(folder, ""), []


@contextmanager
def open_archive(spot: FilePlace, path: str) -> Generator[zipfile.ZipFile]:
    """Open an archive; what is wrong with it while it is open is said in our words."""
    file = spot.folder.open(spot.name)
    try:
        with zipfile.ZipFile(file.stream) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError, ValueError) as error:
        raise refuse_archive(path, f"is not a zip archive, or is damaged: {error}") from error
    except OSError as error:
        if error.errno is None:  # of what unpacks, not of the system
            raise refuse_archive(path, f"is a damaged zip archive: {error}") from error
        raise
    finally:
        file.close()


def read_members(job: FileJob, spot: FilePlace, path: str) -> list[Member]:
    """Return what an archive holds, once all of it was judged."""
    with explaining("read", path), open_archive(spot, path) as archive:
        job.check()
        return judge_archive(archive.infolist(), path)


def _unzip(job: FileJob, archive: tuple[FilePlace, str], goal: UnpackTarget, facts: Mapping[str, Any]) -> ToolOutcome:
    with (
        explaining("unpack into", goal.real),
        making_folders(job, goal.folder, goal.roots) as (folder, roots),
        ExitStack() as undoing,
    ):
        remove_strays(job, folder)
        temporary, whole = make_temporary_name(job.mark), make_temporary_name(job.mark, "whole")
        undoing.callback(_remove_quietly, job, folder, temporary)
        folder.make(temporary, private=True)
        with ExitStack() as held:  # let go of before it is renamed: Windows renames nothing that is held
            hidden = held.enter_context(folder.descend(temporary))
            members = _unpack(job, archive, _descend(held, hidden, goal.missing))
            hidden.sync()
        job.check()
        undoing.callback(_remove_quietly, job, folder, whole)
        folder.rename(temporary, folder, whole, replace=False)
        move_out(folder, whole, lambda name: undoing.callback(_remove_quietly, job, folder, name))
        undoing.pop_all()
        job.settle()
    make_durable(folder, *[above for above, _ in roots], goal.real)
    made = [str(job.path(above.path) / name) for above, name in roots]
    return tell_unzipped(job, folder, members, {**facts, "roots": made})


def move_out(folder: Folder, whole: str, tell: Callable[[str], object]) -> None:
    """Give what was unpacked its place; what dies in the middle is gone on with."""
    with folder.descend(whole) as hidden:
        for name in hidden.names():
            hidden.rename(name, folder, name, replace=False)
            tell(name)
    folder.remove_folder(whole)


def tell_unzipped(job: FileJob, folder: Folder, members: Sequence[Member], facts: Mapping[str, Any]) -> ToolOutcome:
    """Return the outcome of unpacking an archive, by what was foreseen; ``roots`` are those that were made."""
    states = {str(job.path(folder.path) / name): tell_state(job, FilePlace(folder, name)) for name in facts["tops"]}
    created = [*facts["roots"], *states]
    size = sum(member.info.file_size for member in members if member.kind == "file")
    entries = [str(job.path(facts["path"]).joinpath(*member.parts)) for member in members]
    output = {"entries": entries, "size_bytes": size, "created": created}
    record = make_record("remove", {"paths": created, "tree": True}, states)
    evidence = {"resolved": facts["path"], "states": states}
    return job.confirm(facts["asked"], output, evidence, (f"remove {', '.join(created) or 'nothing'}", record))


def _remove_quietly(job: FileJob, folder: Folder, name: str) -> None:
    with contextlib.suppress(OSError):  # it may be gone already
        remove_tree(job, folder, name)


def _unpack(job: FileJob, archive: tuple[FilePlace, str], folder: Folder) -> list[Member]:
    spot, path = archive
    with open_archive(spot, path) as opened:
        members = judge_archive(opened.infolist(), path)
        size = 0
        for member in members:
            job.check()
            with ExitStack() as held:
                above = _descend(held, folder, member.parts[:-1])
                size += _unpack_member(job, (opened, path), member, above)
            if size > MOST_BYTES:
                raise refuse_limit(path, f"unpacks to more than {MOST_BYTES} bytes")
        _set_folder_states(folder, members)
    return members


def _descend(held: ExitStack, folder: Folder, names: Sequence[str]) -> Folder:
    for name in names:
        with contextlib.suppress(FileExistsError):
            folder.make(name)
        folder = held.enter_context(folder.descend(name))
    return folder


def _unpack_member(job: FileJob, archive: tuple[zipfile.ZipFile, str], member: Member, folder: Folder) -> int:
    name = member.parts[-1]
    opened, path = archive
    if member.kind == "folder":
        with contextlib.suppress(FileExistsError):  # made for what is in it
            folder.make(name)
        return 0
    if member.kind == "link":
        target = opened.read(member.info).decode()
        judge_link(target, path)
        folder.make_link(name, target)
        return 0
    with opened.open(member.info) as packed:
        chunks = _limit(iter(partial(packed.read, CHUNK_BYTES), b""), member.info.file_size, path)
        _, size = fill_file(job, folder, name, chunks, _make_terms(member))
    return size


def _make_terms(member: Member) -> WriteTerms:
    if member.modified_ns is None and member.mode is None:
        return WriteTerms()
    like = FileState(kind="file", mode=member.mode or 0o644, modified_ns=member.modified_ns or 0)
    return WriteTerms(like=like, times=member.modified_ns is not None)


def _limit(chunks: Iterator[bytes], size_bytes: int, path: str) -> Iterator[bytes]:
    seen = 0
    for chunk in chunks:
        seen += len(chunk)
        if seen > size_bytes:
            raise refuse_limit(path, "has a member that is longer than stated")
        yield chunk


def _set_folder_states(folder: Folder, members: Sequence[Member]) -> None:
    """Give folders their time and mode, the innermost first, now that nothing is made in them any more."""
    for member in sorted(members, key=lambda each: -len(each.parts)):
        if member.kind == "folder" and member.modified_ns is not None:
            with ExitStack() as held:
                above = _descend(held, folder, member.parts[:-1])
                state = above.state(member.parts[-1])
                above.adopt(
                    member.parts[-1],
                    replace(
                        state, modified_ns=member.modified_ns, mode=(member.mode or state.mode) | 0o700, owner=(-1, -1)
                    ),
                )


def find_unzipped(act: BegunAct) -> Finding:
    """What was unpacked is hidden until all of it is there; then it gets its names, and that is brought to its end."""
    folder = act.find_folder(act.facts["base"], own=bool(act.facts["roots"]))
    if folder is None:
        act.remove_roots()
        return act.say_not_done(ABSENT)
    act.remove_own(folder)
    for name in folder.names():
        if bears_mark(name, act.job.mark, "whole"):
            with explaining("unpack into", act.facts["path"]):
                move_out(folder, name, lambda _: None)
    present = set(folder.names()) & set(act.facts["tops"])
    if not present:
        act.remove_roots()
        return act.say_not_done(ABSENT)
    members = _match(act, (act.facts["source"], act.facts["mark"]))
    if len(present) < len(act.facts["tops"]) or members is None:
        place = FilePlace(folder, min(present))
        return act.say_unknown(place, "the files differ from what the archive holds now")
    make_durable(folder, act.facts["path"])
    return say_done(tell_unzipped(act.job, folder, members, act.facts))


def _match(act: BegunAct, archive: tuple[str, str]) -> list[Member] | None:
    """Return the members of an archive if all of them were unpacked as they are; None if not, or if it was changed."""
    path, mark = archive
    spot = act.job.find(path)
    folder = act.find_folder(act.facts["path"], own=False)
    if folder is None or tell_state(act.job, spot) != mark:
        return None
    members = read_members(act.job, spot, path)
    with open_archive(spot, path) as opened:
        return members if _are_there(act.job, folder, opened, members) else None


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
