"""Sources and targets: which files or folders a frame takes, copies or changes, and where they come to; nothing is guessed, because it may do harm."""

from typing import NamedTuple

from core.base.late_parts import compile_late
from core.language.file_clauses.frames import FileFrame, FileGoal, FileThing, leave_excepted
from core.language.file_clauses.pieces import FileRead
from core.language.files.globs import ends_like
from core.language.files.located_paths import LocatedPath, LocatedPaths, put_into
from core.language.meanings.interpretation import SlotValue
from core.language.sentences.spans import Span, try_read

CONDITIONS = ("named", "end", "start", "part", "spaces", "ext", "except")
PLACES = ("place", "from", "where")
_ALL = "*"
_ENDING = compile_late(r"\*\.[A-Za-z0-9]+$")


class FileSource(NamedTuple):
    """What a frame is about.

    Attributes:
        paths: One path or glob, or several.
        noun: ``file`` or ``folder``; empty where it isn't said and can't be seen.
    """

    paths: tuple[LocatedPath, ...]
    noun: str
    slot_kind: str
    said: Span | None = None

    @property
    def value(self) -> LocatedPath | LocatedPaths:
        """What a param that takes one or several is filled with."""
        return self.paths[0] if len(self.paths) == 1 else LocatedPaths(self.paths)

    @property
    def is_several(self) -> bool:
        """Whether it may be more than one."""
        return len(self.paths) > 1 or any(path.is_glob for path in self.paths)


def read_source(frame: FileFrame) -> FileSource | None:
    """Return what is meant, where that is said in full; None otherwise."""
    thing = frame.thing
    if thing is None and "held" in frame.roles:
        return _read_all(frame)
    if thing is None or "held" in frame.roles or thing.is_hidden or thing.is_new or not frame.has_one_place:
        return None
    if thing.reference:
        return _read_reference(frame, thing)
    if thing.paths:
        return _read_written(frame, thing)
    if thing.name is not None:
        return _read_named(frame, thing)
    return _read_some(frame, thing)


def make_source_slot(frame: FileFrame, name: str, value: object) -> SlotValue:
    """Return the slot of what is meant."""
    pieces = [frame.roles[role] for role in ("thing", *CONDITIONS) if role in frame.roles] or [frame.roles["held"]]
    return frame.make_slot(name, value, *pieces)


def take_one(frame: FileFrame, verb: str, kind: str, *roles: str, is_file: bool = True) -> FileGoal | None:
    """Return the goal of a verb that takes the path of one thing.

    Args:
        kind: The kind of slot that holds it.
        roles: The pieces that there may be.
        is_file: Whether it must be a file, rather than a folder.
    """
    source = read_source(frame)
    if not frame.has_only(*roles) or source is None or source.said or source.is_several:
        return None
    if source.noun != "file" and (is_file or not source.noun):
        return None
    return FileGoal(verb, (make_source_slot(frame, "path", source.paths[0]),), {"path": kind})


def _read_all(frame: FileFrame) -> FileSource | None:
    paths = _put(frame, [LocatedPath(_ALL)]) if frame.place_read and frame.has_one_place else None
    return FileSource(paths, "", "several_files") if paths else None


def _read_reference(frame: FileFrame, thing: FileThing) -> FileSource | None:
    if any(role in frame.roles for role in (*CONDITIONS, *PLACES)):
        return None
    kind = "file_list" if thing.reference == "them" else "moved_file"
    return FileSource((), "", kind, frame.clause.cut(thing.start, thing.end))


def _read_written(frame: FileFrame, thing: FileThing) -> FileSource | None:
    if thing.is_one or thing.is_miscounted or any(role in frame.roles for role in CONDITIONS):
        return None
    read = frame.place_read
    if (
        read is not None
        and len(thing.paths) > 1
        and read.name == "place"
        and "from" not in frame.roles
        and read.start >= frame.roles["thing"].start
    ):
        return None  # the last one there, or all of them?
    found = [frame.read_file_path(position) for position in thing.paths]
    if thing.kind and any(path is None or not ends_like(path.path, thing.kind[1:]) for path in found):
        return None
    if not thing.is_all and any(frame.is_extension(position) for position in thing.paths):
        return None  # ".pdf files" may be some of them
    paths = _put(frame, [path for path in found if path is not None])
    if (
        paths is None
        or len(paths) != len(found)
        or (len(paths) > 1 and any(path.is_glob for path in paths) and not all(path.is_glob for path in paths))
    ):
        return None
    if not all(_is_some(path) for path in paths) or (thing.is_all and not any(path.is_glob for path in paths)):
        return None
    if any(path.is_glob for path in paths) and thing.noun and not thing.is_several and not thing.is_all:
        return None  # a glob is never one file
    return FileSource(paths, _find_noun(frame, thing, paths), "moved_file")


def _read_named(frame: FileFrame, thing: FileThing) -> FileSource | None:
    if (
        thing.name is None
        or thing.is_all
        or thing.is_several
        or thing.is_one
        or any(role in frame.roles for role in CONDITIONS)
    ):
        return None
    span = frame.clause.cut(thing.start, thing.end)
    kind = "named_folder" if thing.noun == "folder" else "deleted_file"
    found = frame.slots.try_read(kind, span)
    paths = _put(frame, [found]) if isinstance(found, LocatedPath) else None
    return FileSource(paths, thing.noun, kind) if paths and paths[0].is_one else None


def _read_some(frame: FileFrame, thing: FileThing) -> FileSource | None:
    patterns, named = frame.read_patterns(), frame.find_read("named")
    if patterns is None or thing.is_one:
        return None
    if named and not thing.is_several and not thing.is_all:
        return _read_one_named(frame, thing, patterns)
    is_known = bool(patterns) and not (thing.kind or thing.kinds)
    is_all = thing.is_all or (thing.is_the and thing.is_several and frame.place_read is not None)
    if not patterns and thing.is_whole and frame.place_read:
        patterns, is_known = [_ALL], True
    is_everything = patterns == [_ALL]
    patterns = leave_excepted(frame, patterns)
    if not patterns or not (is_all or (thing.is_several and is_known)):
        return None
    if not patterns or any(
        "/" in each or "\\" in each or (thing.noun == "entry" and each != _ALL and not _ends(each)) for each in patterns
    ):
        return None
    if named and not thing.is_all and not all("*" in each for each in patterns):
        return None
    globs = [LocatedPath(each) for each in patterns]
    paths = _put(frame, globs) if is_everything or all(map(_is_some, globs)) else None
    noun = "file" if all(map(_ends, patterns)) else thing.noun or "file"
    return FileSource(paths, noun, "several_files") if paths else None


def _ends(pattern: str) -> bool:
    """Whether a glob tells an ending, which folders have none of: "everything ending in .csv"."""
    return _ENDING.search(pattern) is not None


def _is_some(path: LocatedPath) -> bool:
    """Whether a path names something, rather than all that a folder or a drive holds."""
    return path.is_one and not path.is_sweeping


def _read_one_named(frame: FileFrame, thing: FileThing, names: list[str]) -> FileSource | None:
    """Return "the file called x"."""
    paths = _put(frame, [LocatedPath(name) for name in names])
    if paths is None or len(paths) != 1 or not paths[0].is_one or paths[0].is_glob:
        return None
    return FileSource(paths, thing.noun, "moved_file")


def _find_noun(frame: FileFrame, thing: FileThing, paths: tuple[LocatedPath, ...]) -> str:
    if thing.noun:
        return thing.noun
    if all(path.is_glob or frame.slots.is_file(path.path) for path in paths):
        return "file"
    return "folder" if all(path.path.endswith("/") for path in paths) else ""


def _put(frame: FileFrame, paths: list[LocatedPath]) -> tuple[LocatedPath, ...] | None:
    read = frame.place_read
    if read is None:
        return tuple(paths)
    folder = frame.read_folder(read) if read.value != "here" else None
    if folder is None:
        return None
    return try_read(lambda: tuple(put_into(folder, path) for path in paths))


_ODD = frozenset("~*?")


def read_target(
    frame: FileFrame, into: FileRead | None, named: FileRead | None, source: FileSource
) -> tuple[LocatedPath, str] | None:
    """Return where something comes to, and the kind of slot that holds it."""
    folder, kind = _read_place(frame, into) if into else (None, "spot")
    if into and folder is None:
        return None
    if named is None:
        return (folder, kind) if isinstance(folder, LocatedPath) else None
    name = frame.read_path(named.start) if named.end == named.start + 1 else None
    if name is None or name.is_glob or source.is_several or source.said:
        return None
    if not isinstance(folder, LocatedPath):
        return name, "spot"
    path = try_read(put_into, folder, name) if not frame.slots.is_file(folder.path) else None
    return (path, "spot") if path else None


def _read_place(frame: FileFrame, into: FileRead) -> tuple[LocatedPath | None, str]:
    folder = frame.slots.try_read("folder", frame.cut(into))
    if isinstance(into.value, int):
        return _read_bare(frame, into), "spot"
    if isinstance(into.value, LocatedPath):
        return into.value, "spot" if folder is None else "folder"
    return (folder, "folder") if isinstance(folder, LocatedPath) else (None, "folder")


def is_spot(frame: FileFrame) -> bool:
    """Whether a bare name, if there is one, is a single word for where what is written comes to: "move a.txt into numbers"."""
    if "newname" not in frame.roles:
        return True
    read, thing = frame.roles["newname"].reads[0], frame.thing
    kinds = {sense.kind for sense in frame.clause.senses[read.start]}
    is_one = read.end == read.start + 1 and "no_spot" not in kinds and "into" not in frame.roles
    if not is_one or frame.act not in {"move", "copy"} or thing is None:
        return False
    text = frame.read_text(read.start)
    if not thing.paths:
        return "/" in text and frame.has_class("newname", "to", "inward")
    is_written = not (text.isalpha() and text.islower())
    return frame.has_class("newname", "inward") or (frame.has_class("newname", "to") and is_written)


def _read_bare(frame: FileFrame, read: FileRead) -> LocatedPath | None:
    if frame.clause.tokens[read.start].is_written:
        return frame.read_path(read.start) if _ODD.isdisjoint(frame.read_text(read.start)) else None
    name = frame.slots.try_read("plain_entry", frame.cut(read))
    return name if isinstance(name, LocatedPath) else None
