"""What frames come to that make, take away, copy, move or pack files."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from core.language.file_clauses.frames import FileFrame, FileGoal
from core.language.file_clauses.pieces import FileRead
from core.language.file_clauses.sources import (
    CONDITIONS,
    PLACES,
    FileSource,
    is_spot,
    make_source_slot,
    read_source,
    read_target,
    take_one,
)
from core.language.files.located_paths import LocatedPath, put_into
from core.language.grammars.grammar import PhraseStep, SlotName
from core.language.meanings.interpretation import SlotValue
from core.language.sentences.spans import try_read

_MAKING = ("if_needed", "parents", "saying", "wish_for")
_TAKEN = ("thing", "held", *CONDITIONS, *PLACES)


def delete(frame: FileFrame) -> FileGoal | None:
    """Return what is moved to the trash, or taken away for good."""
    if not frame.has_only(*_TAKEN, "recursive", "whole", "forever", "to_trash"):
        return None
    source = read_source(frame)
    thing = frame.thing
    if source is None or thing is None or any(path.is_sweeping for path in source.paths):
        return None
    if "forever" in frame.roles:
        return None if "to_trash" in frame.roles else purge(frame)
    if "recursive" in frame.roles and (source.is_several or source.noun != "folder"):
        return None
    if "whole" in frame.roles and (source.noun != "folder" or thing.is_empty):
        return None
    if source.said is not None:
        return FileGoal("file.delete", (), {"name": "deleted_file"}, {}, said=("name", "object_type", source.said))
    if not source.noun or (thing.is_empty and thing.is_all):
        return None
    sets = {"object_type": source.noun, **({"only_empty": True} if thing.is_empty else {})}
    return _for_each(frame, "file.delete", "name", source, sets)


def purge(frame: FileFrame) -> FileGoal | None:
    """Return what is taken away for good: one file."""
    return take_one(frame, "file.purge", "one_file", *_TAKEN, "forever")


def create(frame: FileFrame) -> FileGoal | None:
    """Return the file or folder that is made."""
    thing = frame.thing
    if thing is None or not frame.has_only("thing", "named", "into", "place", "where", *_MAKING):
        return None
    if frame.has_class("thing", "packed"):
        return None  # it is made of something
    if thing.is_all or thing.kind or thing.kinds or thing.is_hidden or thing.reference or not frame.has_one_place:
        return None
    names, target = _read_new_names(frame), frame.find_read("into")
    if not names and target and "named" not in frame.roles and not thing.paths and not thing.name:
        names, target = _read_directly(frame, target), None  # "make directories to a/b"
    noun = thing.noun or ("file" if all(frame.slots.is_file(name.path) for name in names) else "")
    if noun not in {"file", "folder"} or any(name.is_glob or not name.is_one for name in names):
        return None
    paths = _put_new(frame, names, target)
    return _make(frame, paths, noun) if paths else None


def _put_new(frame: FileFrame, names: list[LocatedPath], target: FileRead | None) -> tuple[LocatedPath, ...] | None:
    place = frame.place_read
    if target is not None and place is not None:
        return None
    folder = frame.read_folder(place or target)
    if folder is None:
        return None if place or target else tuple(names)
    if len(names) > 1 and not _is_in_front(frame):
        return None  # the last one there, or all of them?
    return try_read(lambda: tuple(put_into(folder, name) for name in names))


def _make(frame: FileFrame, paths: tuple[LocatedPath, ...], noun: str) -> FileGoal | None:
    sets: dict[str, object] = {"object_type": noun}
    saying = frame.find_read("saying")
    is_kept = frame.roles.keys() & {"if_needed", "parents"}
    if is_kept and noun == "folder":
        sets["exist_ok"] = True
    if (is_kept and noun == "file") or (saying and (noun == "folder" or len(paths) > 1)):
        return None
    source = FileSource(paths, noun, "entry")
    goal = _for_each(frame, "file.create", "name", source, sets)
    if saying is None:
        return goal
    if frame.has_class("saying", "line"):
        sets["whole_lines"] = True
    content = frame.make_slot("content", frame.read_text(saying.value), saying)
    return goal._replace(slots=(*goal.slots, content), kinds={**goal.kinds, "content": "quote"}, sets=sets)


def _is_in_front(frame: FileFrame) -> bool:
    read = frame.place_read
    return read is not None and read.start < frame.roles["thing"].start


def _read_new_names(frame: FileFrame) -> list[LocatedPath]:
    thing, named = frame.thing, frame.find_read("named")
    if thing is None or (named and (thing.paths or thing.name)):
        return []
    if frame.has_class("named", "like", "as"):
        return []
    if thing.is_miscounted:
        return []
    if thing.paths:
        found = [frame.read_path(position) for position in thing.paths]
        return [path for path in found if path is not None] if None not in found else []
    if thing.name is not None and not thing.is_several:
        return _read_plain(frame, *thing.name)
    if named is not None and not thing.is_several:
        if named.end == named.start + 1 and frame.clause.tokens[named.start].is_written:
            path = frame.read_path(named.start)
            return [path] if path else []
        return _read_plain(frame, named.start, named.end)
    return []


def _read_directly(frame: FileFrame, read: FileRead) -> list[LocatedPath]:
    is_one = read.end == read.start + 1 and frame.clause.tokens[read.start].is_written
    path = frame.read_path(read.start) if is_one else None
    return [path] if path and (path.is_placed or frame.clause.tokens[read.start].is_quoted) else []


def _read_plain(frame: FileFrame, start: int, end: int) -> list[LocatedPath]:
    name = frame.slots.try_read("plain_entry", frame.clause.cut(start, end))
    return [name] if isinstance(name, LocatedPath) else []


def copy(frame: FileFrame) -> FileGoal | None:
    """Return what is copied, and where to."""
    return _bring(frame, "file.copy", ("leave",))


def move(frame: FileFrame) -> FileGoal | None:
    """Return what is moved, and where to."""
    is_everything = frame.has_class("thing", "everything") and frame.roles.keys().isdisjoint(CONDITIONS)
    if "held" in frame.roles or is_everything:
        return None  # more than anybody may have thought of
    return delete(frame) if "to_trash" in frame.roles else _bring(frame, "file.move", ())


def trash(frame: FileFrame) -> FileGoal | None:
    """Return what is moved to the trash where that is said."""
    return delete(frame) if "to_trash" in frame.roles else None


def put(frame: FileFrame) -> FileGoal | None:
    """Return the same where words such as "in" may say where to."""
    if "to_trash" in frame.roles:
        return delete(frame)
    if (goal := write(frame)) is not None:
        return goal
    source = read_source(frame.without(*PLACES))
    return move(frame) if source and (source.noun or source.said) else None


def _bring(frame: FileFrame, verb: str, manners: tuple[str, ...]) -> FileGoal | None:
    if not frame.has_only(
        *_TAKEN, "into", "newname", "recursive", "whole", "overwrite", "keep", *manners
    ) or not is_spot(frame):
        return None
    into = frame.find_read("into") or frame.find_read("newname")
    place = frame.find_read("place") or frame.find_read("where")
    is_put = frame.act in {"put", "put_copy"}
    inner = frame
    if into is None and place is not None and (is_put or "where" in frame.roles):
        into = place
        inner = frame.without("place", "where")
    elif into is not None and place is not None and place.start > into.start:
        return None  # is the thing there, or where it comes to?
    named = frame.find_read("named") if frame.has_class("named", "as") else None
    if named is not None:
        inner = inner.without("named")
    source = read_source(inner.without("newname"))
    target = read_target(frame, into, named, source) if source else None
    if source is None or target is None or not _may_come(frame, source):
        return None
    destination, kind = target
    reads = [read for read in (into, named) if read]
    slots = (frame.make_slot("destination", destination, *reads),)
    sets = {"overwrite": True} if "overwrite" in frame.roles else {"overwrite": False} if "keep" in frame.roles else {}
    if source.is_several and frame.slots.is_file(destination.path):
        return None
    return _take(inner, verb, source, slots, {"destination": kind}, sets)


def _take(
    frame: FileFrame,
    verb: str,
    source: FileSource,
    slots: tuple[SlotValue, ...],
    kinds: Mapping[str, str],
    sets: Mapping[str, object] = MappingProxyType({}),
) -> FileGoal:
    """Return the goal of a verb that takes a source besides other slots; its words where they stand for what was spoken of."""
    kinds = {"source": source.slot_kind, **kinds}
    if source.said is not None:
        return FileGoal(verb, slots, kinds, sets, said=("source", "", source.said))
    return FileGoal(verb, (make_source_slot(frame, "source", source.value), *slots), kinds, sets)


def _may_come(frame: FileFrame, source: FileSource) -> bool:
    if source.said is None and any(path.path == "*" and not path.base for path in source.paths):
        return False
    if "recursive" in frame.roles or "whole" in frame.roles:
        return source.said is None and not source.is_several and source.noun != "file"
    return True


def rename(frame: FileFrame) -> FileGoal | None:
    """Return what is renamed, and its new name."""
    role = "newname" if "newname" in frame.roles else "named"
    if not frame.has_only("thing", *PLACES, role):
        return None
    read = frame.find_read(role)
    inner = frame.without(role)
    if role == "newname" and not frame.roles[role].classes and not _follows_act(frame):
        return None
    source = read_source(inner)
    target = frame.slots.try_read("new_name", frame.cut(read)) if read else None
    if source is None or read is None or not target or frame.has_class(role, "like") or source.is_several:
        return None
    return _take(inner, "file.rename", source, (frame.make_slot("target", target, read),), {"target": "new_name"})


def _follows_act(frame: FileFrame) -> bool:
    """Whether a new name stands right behind the words of the act, and those behind the thing: "give a.txt the name b.txt"."""
    name, thing = frame.roles["newname"], frame.roles.get("thing")
    ends = [frame.roles[role].end for role in ("act", "rest") if role in frame.roles]
    return name.start in ends and thing is not None and thing.end < name.start


def pack(frame: FileFrame) -> FileGoal | None:
    """Return what is packed, and into which archive."""
    if not frame.has_only(*_TAKEN, "into", "recursive", "whole", "leave"):
        return None
    into = frame.find_read("into")
    named = frame.find_read("named") if frame.has_class("named", "as", "called") else None
    inner = frame.without("named") if named else frame
    source = read_source(inner)
    if source is None or (into and named) or not _may_come(frame, source):
        return None
    read = into or named
    archive = frame.slots.try_read("quoted_file", frame.cut(read)) if read else None
    if (read and not isinstance(archive, LocatedPath)) or (read is None and (source.said or source.is_several)):
        return None
    if read is None and source.noun == "file" and not frame.slots.is_file(source.paths[0].path):
        return None
    slots = (frame.make_slot("destination", archive, read),) if read else ()
    return _take(inner, "file.zip", source, slots, {"destination": "quoted_file"})


def unpack(frame: FileFrame) -> FileGoal | None:
    """Return what is unpacked, and where to."""
    if not frame.has_only("thing", *PLACES, "into", "named", "listing", "contents"):
        return None
    into = frame.find_read("into") or frame.find_read("where")
    place = frame.find_read("place")
    if place and (into is None or into.start < place.start):
        return None  # is it there, or where it comes to?
    inner = frame.without("where")
    source = read_source(inner)
    target = read_target(frame, into, None, source) if source and into else None
    if source is None or (into and (target is None or frame.slots.is_file(target[0].path))) or source.noun == "folder":
        return None
    slots = (frame.make_slot("destination", target[0], into),) if target and into else ()
    return _take(inner, "file.unzip", source, slots, {"destination": "folder"})


def restore(frame: FileFrame) -> FileGoal | None:
    """Return what is taken out of the trash."""
    return take_one(frame, "file.restore", "file", "thing", *PLACES, "named", "from_trash", is_file=False)


def write(frame: FileFrame) -> FileGoal | None:
    """Return the text that is written, and the file."""
    if "at_end" in frame.roles:
        return append(frame)
    text, file = frame.find_read("text"), frame.find_read("file")
    if not frame.has_only("text", "file") or text is None or file is None or frame.has_class("text", "line"):
        return None
    return _put_text(frame, "file.write", text, file)


def append(frame: FileFrame) -> FileGoal | None:
    """Return the text that is added to a file."""
    role = "at_end" if "at_end" in frame.roles else "file"
    text, file = frame.find_read("text"), frame.find_read(role)
    if not frame.has_only("text", role) or text is None or file is None or frame.has_class("file", "in", "as"):
        return None
    goal = _put_text(frame, "file.append", text, file)
    return goal._replace(sets={"whole_lines": True}) if frame.has_class("text", "line") else goal


def _put_text(frame: FileFrame, verb: str, text: FileRead, file: FileRead) -> FileGoal:
    content = frame.make_slot("content", frame.read_text(text.value), text)
    return FileGoal(
        verb, (content, frame.make_slot("path", file.value, file)), {"content": "quote", "path": "quoted_file"}
    )


def _for_each(frame: FileFrame, verb: str, name: str, source: FileSource, sets: Mapping[str, object]) -> FileGoal:
    if len(source.paths) == 1:
        slot = make_source_slot(frame, name, source.paths[0])
        return FileGoal(verb, (slot,), {name: source.slot_kind}, sets)
    names = [name if number == 0 else f"{name}_{number + 1}" for number in range(len(source.paths))]
    slots = [make_source_slot(frame, each, path) for each, path in zip(names, source.paths, strict=True)]
    steps = tuple(PhraseStep(verb, {**sets, name: SlotName(each)}) for each in names)
    return FileGoal(verb, tuple(slots), dict.fromkeys(names, source.slot_kind), {}, steps)


CHANGING: Mapping[str, Callable[[FileFrame], FileGoal | None]] = {
    "create": create,
    "delete": delete,
    "purge": purge,
    "copy": copy,
    "put_copy": copy,
    "move": move,
    "put": put,
    "trash": trash,
    "rename": rename,
    "zip": pack,
    "unzip": unpack,
    "restore": restore,
    "write": write,
    "append": append,
}
"""What an act comes to, by what its words are called in the language's data."""
