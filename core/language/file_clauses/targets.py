"""Targets: where files and folders come to."""

from core.language.file_clauses.frames import FileFrame
from core.language.file_clauses.pieces import FileRead
from core.language.file_clauses.sources import FileSource
from core.language.files.located_paths import LocatedPath, put_into
from core.language.sentences.spans import UnreadableError

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
    try:
        return (put_into(folder, name), "spot") if not frame.slots.is_file(folder.path) else None
    except UnreadableError:
        return None


def _read_place(frame: FileFrame, into: FileRead) -> tuple[LocatedPath | None, str]:
    """Return the folder or file behind "to", and the kind of slot that holds it."""
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
    """Return the folder that is called one, or named by one word."""
    if frame.clause.tokens[read.start].is_written:
        return frame.read_path(read.start) if _ODD.isdisjoint(frame.read_text(read.start)) else None
    name = frame.slots.try_read("plain_entry", frame.cut(read))
    return name if isinstance(name, LocatedPath) else None
