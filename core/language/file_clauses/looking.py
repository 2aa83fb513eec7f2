"""What frames come to that look for files, list them or read one."""

from collections.abc import Callable, Mapping

from core.language.file_clauses.frames import FileFrame, FileGoal, FileThing, leave_excepted
from core.language.file_clauses.pieces import FileRead
from core.language.file_clauses.sources import CONDITIONS, PLACES, make_source_slot, read_source, take_one
from core.language.files.globs import open_case
from core.language.files.located_paths import LocatedPath
from core.language.grammars.grammar import PhraseStep, SlotName
from core.language.meanings.interpretation import SlotValue

_FURTHER = ("content", "newer", "older", "any_case", "recursive", "listing", "held", "for", "searched")
_ABOUT = ("thing", *CONDITIONS, *PLACES, *_FURTHER)
_SHOWN = frozenset({"show", "ask"})
_HIDDEN, _ANY = ".*", "*"
_KINDS = {"path": "folder", "content": "quote", "newer": "age", "older": "age"}


def find(frame: FileFrame) -> FileGoal | None:
    """Return what is looked for; all files of a folder only where they are asked for."""
    return _look_for(frame) or _find_all(frame)


def search(frame: FileFrame) -> FileGoal | None:
    """Return the same for a folder that is searched."""
    return _look_for(frame) if "for" in frame.roles else None


def show(frame: FileFrame) -> FileGoal | None:
    """Return what is looked for, or the folder that is listed."""
    return _look_for(frame) or _list(frame)


def _look_for(frame: FileFrame) -> FileGoal | None:
    thing, place = frame.thing, frame.place_read
    if thing is None or not frame.has_only(*_ABOUT) or "held" in frame.roles or not _may_look(frame, thing):
        return None
    patterns = _read_patterns(frame, thing)
    told = {name: read for name in ("content", "newer", "older") if (read := frame.find_read(name))}
    if patterns is None or (not patterns and (not told or "any_case" in frame.roles)):
        return None
    if patterns and not _is_clear(frame, thing, patterns, place):
        return None
    slots = _make_place(frame, place)
    for name, read in told.items():
        slots.append(frame.make_slot(name, frame.read_text(read.value) if name == "content" else read.value, read))
    names = [f"pattern{'_' * bool(number)}{number or ''}" for number in range(len(patterns))]
    params = {slot.name: SlotName(slot.name) for slot in slots}
    slots += [make_source_slot(frame, name, pattern) for name, pattern in zip(names, patterns, strict=True)]
    steps = tuple(PhraseStep("file.find", {**params, "pattern": SlotName(name)}) for name in names)
    return FileGoal(
        "file.find",
        tuple(slots),
        {**_KINDS, **dict.fromkeys(names, "file_glob")},
        steps=steps if len(steps) > 1 else (),
    )


def _may_look(frame: FileFrame, thing: FileThing) -> bool:
    is_search = frame.act == "search"
    is_odd = thing.reference or thing.is_new or thing.is_empty or not frame.has_one_place
    return not is_odd and (is_search or frame.roles.keys().isdisjoint({"searched", "for"}))


def _read_patterns(frame: FileFrame, thing: FileThing) -> list[str] | None:
    if thing.name is not None:
        name = frame.clause.cut(*thing.name)
        is_odd = thing.is_several or thing.is_all or (" " in name.text and not name.text[:1].isupper())
        patterns = None if is_odd or any(role in frame.roles for role in CONDITIONS) else [name.text]
    else:
        patterns = frame.read_patterns()
    if thing.is_hidden:
        patterns = None if patterns else [_HIDDEN]
    if patterns is None or any("/" in each or each in {".", ".."} for each in patterns):
        return None
    if "except" in frame.roles and not patterns:
        patterns = [_ANY] if thing.noun == "file" and frame.place_read else None
    patterns = leave_excepted(frame, patterns)
    if patterns is None:
        return None
    return [open_case(each) for each in patterns] if "any_case" in frame.roles else patterns


def _is_clear(frame: FileFrame, thing: FileThing, patterns: list[str], place: FileRead | None) -> bool:
    is_bare = frame.roles.keys().isdisjoint(CONDITIONS)
    if thing.noun == "entry" and is_bare and not (thing.is_hidden or thing.paths):
        return False
    if (thing.kind or thing.kinds) and is_bare and not thing.paths:
        is_clear = thing.is_all or thing.is_the
        if thing.is_pictured and frame.act in _SHOWN:
            is_clear = False  # of a page, or of one's life
        return is_clear or place is not None
    is_named = frame.act == "find" and thing.name is None and all(map(frame.slots.is_file, patterns))
    is_told = bool(thing.noun) or place is not None or is_named or all("*" in each for each in patterns)
    is_searched = frame.act in {"find", "ask"} and patterns[0][:1].isupper()  # to show a folder is to open it
    return is_told and (thing.name is None or place is not None or is_searched)


def _find_all(frame: FileFrame) -> FileGoal | None:
    thing, place = frame.thing, frame.place_read
    is_told = thing is not None and thing.is_all and thing.is_several and thing.noun in {"file", "folder", "entry"}
    if not is_told or not frame.has_only("thing", *PLACES, "recursive") or place is None or _says_more(frame):
        return None
    return FileGoal("file.find", tuple(_make_place(frame, place)), {"path": "folder"})


def _list(frame: FileFrame) -> FileGoal | None:
    place, thing = frame.place_read, frame.thing
    if not frame.has_only("thing", *PLACES, "recursive", "listing", "held") or place is None or _says_more(frame):
        return None
    if thing is None and "held" not in frame.roles:
        return None
    if thing is not None and ("held" in frame.roles or not thing.is_several or thing.noun == "folder"):
        return None
    sets = {"recursive": True} if "recursive" in frame.roles else {}
    return FileGoal("file.list", tuple(_make_place(frame, place)), {"path": "folder"}, sets)


def _says_more(frame: FileFrame) -> bool:
    thing = frame.thing
    is_more = thing is not None and (
        thing.paths or thing.name or thing.kind or thing.is_hidden or thing.is_empty or thing.is_new or thing.reference
    )
    return bool(is_more) or not frame.has_one_place


def _make_place(frame: FileFrame, read: FileRead | None) -> list[SlotValue]:
    if read is None:
        return []
    value = read.value if isinstance(read.value, LocatedPath) else frame.read_folder(read)
    return [frame.make_slot("path", value, read)] if value else []


def read(frame: FileFrame) -> FileGoal | None:
    """Return the file that is read."""
    source = read_source(frame)
    if not frame.has_only("thing", "named", *PLACES, "contents", "screen") or source is None:
        return None
    if source.said is not None:
        return FileGoal("file.read", (), {"path": "quoted_file"}, said=("path", "", source.said))
    is_file = source.noun == "file" or (not source.noun and "contents" in frame.roles)
    if source.is_several or not is_file:
        return None
    return FileGoal("file.read", (make_source_slot(frame, "path", source.paths[0]),), {"path": "quoted_file"})


def info(frame: FileFrame) -> FileGoal | None:
    """Return the file whose size and the like are asked for."""
    return take_one(frame, "file.info", "file", "thing", "named", *PLACES)


LOOKING: Mapping[str, Callable[[FileFrame], FileGoal | None]] = {
    "find": find,
    "search": search,
    "show": show,
    "ask": show,
    "read": read,
    "info": info,
}
"""What an act comes to, by what its words are called in the language's data."""
