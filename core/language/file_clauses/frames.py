"""FileFrame: one way to read a clause about files, and what its pieces say about paths."""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from core.base.late_dataclasses import dataclass
from core.language.file_clauses.lexicon import ACT
from core.language.file_clauses.pieces import FileClause, FileCover, FilePiece, FileRead
from core.language.files.globs import ends_like, leave_out, list_endings
from core.language.files.located_paths import LocatedPath
from core.language.grammars.grammar import PhraseStep
from core.language.meanings.interpretation import SlotValue
from core.language.sentences.spans import Span

_MARKS = frozenset("*?")
_MOST_LETTERS = 6
_PLACES = ("place", "from", "where", "searched")
_SPACE = " "
# What any clause may hold: its act, and what says nothing more of that.
_SILENT = (ACT, "rest", "filler", "quiet", "also", "wish", "should", "needs", "can", "be_done")

_FILES, _FOLDERS, _ENTRIES = (
    frozenset({"file", "files", "sort", "sorts", "kinds", "ending", "packed"}),
    frozenset({"folder", "folders"}),
    "entries",
)
_ALL = frozenset({"all", "everything"})
_SEVERAL = frozenset({"everything", "files", "folders", "sorts", "entries", "kinds"})


@dataclass(frozen=True, slots=True)
class FileThing:
    """What is said about them, apart from conditions.

    Attributes:
        noun: ``file``, ``folder``, ``entry`` for either; empty where it isn't said.
        is_one: Whether any one is meant: "a file".
        is_the: Whether known ones are meant: "the files".
        is_empty: Whether they are empty.
        paths: The tokens that write names or paths.
        name: The tokens of a name without quotes: where it begins and ends.
        count: How many of them were said; 0 where that wasn't.
        kind: The glob of their kind.
        reference: ``it`` or ``them``, where they were spoken of before.
        is_pictured: Whether its kind is called by what it shows or holds, such as pictures and songs, without a word for files.
    """

    noun: str
    is_several: bool
    is_all: bool
    is_one: bool
    is_the: bool
    is_new: bool
    is_empty: bool
    is_hidden: bool
    paths: tuple[int, ...]
    name: tuple[int, int] | None
    count: int
    kind: str
    kinds: tuple[str, ...]
    reference: str
    is_whole: bool
    is_pictured: bool
    start: int
    end: int

    @property
    def is_miscounted(self) -> bool:
        """Whether there are more or fewer names than were said to be."""
        return self.count not in {0, len(self.paths)}


def read_thing(piece: FilePiece) -> FileThing:
    """Return what a piece says of the thing."""
    reads = {read.name: read for read in piece.reads}
    classes = set(piece.classes)
    name, kind = reads.get("name"), reads.get("kind") or reads.get("kinds")
    several = reads.get("several")
    if "kinds" in reads or several:
        classes.add("kinds")
    if kind and classes == {"all"}:
        classes.add("ending")
    paths = reads.get("paths")
    return FileThing(
        noun=_find_noun(classes),
        is_several=not classes.isdisjoint(_SEVERAL),
        is_all=not classes.isdisjoint(_ALL),
        is_one="a" in classes,
        is_the="the" in classes,
        is_new="new" in classes,
        is_empty="empty" in classes,
        is_hidden="hidden" in classes,
        paths=paths.value if paths else (),
        name=(name.start, name.end) if name else None,
        count=int(reads["count"].value) if "count" in reads else 0,
        kind=kind.value if kind else "",
        kinds=several.value if several else (),
        reference=next((each for each in ("it", "them") if each in reads), ""),
        is_whole="everything" in classes or ("all" in classes and not classes.isdisjoint(_SEVERAL)),
        is_pictured="kinds" in reads and len(list_endings(reads["kinds"].value)) > 1,
        start=piece.start,
        end=piece.end,
    )


def _find_noun(classes: set[str]) -> str:
    if not classes.isdisjoint(_FOLDERS):
        return "folder"
    if _ENTRIES in classes or "everything" in classes:
        return "entry"
    return "file" if not classes.isdisjoint(_FILES) else ""


class FileGoal(NamedTuple):
    """What a frame comes to.

    Attributes:
        said: The words that stand for something spoken of, and the slot that takes it.
        untold: What the verb can't be told, as ``FileClauseWords.untold`` has it; empty where it can do all that is said.
    """

    verb: str
    slots: tuple[SlotValue, ...]
    kinds: Mapping[str, str]
    sets: Mapping[str, Any] = MappingProxyType({})
    steps: tuple[PhraseStep, ...] = ()
    said: tuple[str, str, Span] | None = None
    untold: str = ""


class FileFrame:
    """A cover of a clause, by role."""

    def __init__(self, clause: FileClause, cover: FileCover) -> None:
        self.clause, self.cover, self.slots = clause, cover, clause.slots
        self.roles: dict[str, FilePiece] = {piece.role: piece for piece in cover.pieces}
        act = self.roles.get(ACT)
        self.act = act.sense.value if act and act.sense else ""
        self.form = act.sense.form if act and act.sense else ""

    def has_only(self, *roles: str) -> bool:
        """Whether there are no pieces but these, and those that say nothing."""
        return self.roles.keys() <= {*_SILENT, *roles}

    @cached_property
    def thing(self) -> FileThing | None:
        """What it is about."""
        piece = self.roles.get("thing")
        return read_thing(piece) if piece else None

    def find_read(self, role: str) -> FileRead | None:
        """Return what the slot of a piece holds, if there is such a piece."""
        piece = self.roles.get(role)
        return piece.reads[0] if piece and piece.reads else None

    def has_class(self, role: str, *classes: str) -> bool:
        """Whether a piece is there and has a word of one of these classes."""
        piece = self.roles.get(role)
        return piece is not None and not piece.classes.isdisjoint(classes)

    def without(self, *roles: str) -> "FileFrame":
        """Return the same frame without the pieces of some roles."""
        return FileFrame(self.clause, self.cover.without(*roles))

    @property
    def place_read(self) -> FileRead | None:
        """Where the thing is, as it was said."""
        found = [read for role in _PLACES if (read := self.find_read(role))]
        return found[0] if len(found) == 1 else None

    @property
    def has_one_place(self) -> bool:
        """Whether not more than one place was said."""
        return sum(role in self.roles for role in _PLACES) < 2

    def read_folder(self, read: FileRead | None) -> LocatedPath | None:
        """Return the folder that words name, where something is to be changed in it."""
        if read is None:
            return None
        found = self.slots.try_read("folder", self.cut(read))
        is_only_written = found is None and isinstance(read.value, LocatedPath)
        if is_only_written and self.slots.try_read("searched_folder", self.cut(read)) is None:
            return read.value
        return found

    def cut(self, read: FileRead) -> Span:
        """Return the words of a slot."""
        return self.clause.cut(read.start, read.end)

    def make_slot(self, name: str, value: object, *reads: FileRead | FilePiece) -> SlotValue:
        """Return a slot with a value that was read out of words."""
        tokens = self.clause.tokens
        start = min(tokens[read.start].start for read in reads)
        return SlotValue(name, start, max(tokens[read.end - 1].end for read in reads), value)

    def read_text(self, position: int) -> str:
        """Return what a token says byte for byte, without its quotes."""
        token = self.clause.tokens[position]
        return token.literal.value if token.literal else self.clause.span.sentence.source[token.start : token.end]

    def read_path(self, position: int) -> LocatedPath | None:
        """Return the path that a token writes; None if it can't be one."""
        token, text = self.clause.tokens[position], self.read_text(position)
        if not text.strip():
            return None
        if token.literal is None or not _MARKS.isdisjoint(text):
            return LocatedPath(text)
        return self.slots.try_read("quoted_file", self.clause.cut(position, position + 1))

    def read_patterns(self) -> list[str] | None:
        """Return the globs of the names that the thing and its conditions tell, none if they tell none; None if they don't fit."""
        thing, exact = self.thing, self._list_exact()
        end, start, part = self._read_end(), self._read_word("start"), self._read_word("part")
        if exact is None or end is None:
            return None
        if "spaces" in self.roles:
            part = None if part else _SPACE
        if exact:
            fits = all(ends_like(each, end) for each in exact)
            return exact if fits and not start and part == "" and not (thing and thing.kinds) else None
        if part is None:
            return None
        if not end and not start and not part:
            return [*thing.kinds] if thing else []
        if thing and thing.kinds:
            return None
        return [f"{start}*{part}{'*' * bool(part)}{end}"]

    def _list_exact(self) -> list[str] | None:
        thing, named = self.thing, self.find_read("named")
        written = [*(thing.paths if thing else ())]
        if named is not None:
            if not isinstance(named.value, tuple) and named.end != named.start + 1:
                return None
            written += named.value if isinstance(named.value, tuple) else [named.value]
        return [f"{'*' * self.is_extension(position)}{self.read_text(position)}" for position in written]

    def is_extension(self, position: int) -> bool:
        """Whether a token is an ending in front of "files", as in ".pdf files"."""
        text, thing = self.read_text(position), self.thing
        if thing is None or position not in thing.paths:
            return False
        is_several = (thing.noun == "file" and thing.is_several) or (thing.is_all and not thing.noun)
        return is_several and not self.clause.tokens[position].is_quoted and text[0] == "." and text[1:].isalnum()

    def read_file_path(self, position: int) -> LocatedPath | None:
        """Return the path that a token writes, or the glob of an ending."""
        return LocatedPath(f"*{self.read_text(position)}") if self.is_extension(position) else self.read_path(position)

    def _read_end(self) -> str | None:
        """Return how the names end, empty if that isn't said; None where it is said twice."""
        thing = self.thing
        ends = {
            end
            for end in (thing.kind[1:] if thing and thing.kind else "", self._read_ext(), self._read_word("end"))
            if end != ""
        }
        return None if len(ends) > 1 else next(iter(ends), "")

    def _read_word(self, role: str) -> str:
        read = self.find_read(role)
        return self.read_text(read.value) if read else ""

    def _read_ext(self) -> str | None:
        word = self._read_word("ext").removeprefix("*").removeprefix(".")
        return (f".{word}" if word.isalnum() and len(word) <= _MOST_LETTERS else None) if word else ""


def leave_excepted(frame: FileFrame, patterns: list[str] | None) -> list[str] | None:
    """Return globs without what is excepted from them; None where that can't be said, or isn't clear."""
    read = frame.find_read("except")
    if patterns is None or read is None or not patterns:
        return patterns
    thing, piece = frame.roles.get("thing"), frame.roles["except"]
    is_behind = thing is not None and thing.end <= piece.start
    if "for" in frame.roles or not (is_behind or piece.start == 0):
        return None  # what is it left out from?
    if read.name == "paths":
        names = [frame.read_text(position) for position in read.value]
    else:
        names = list(read.value) if isinstance(read.value, tuple) else [read.value]
    left = [leave_out(each, names) for each in patterns]
    return [each for each in left if each is not None] if None not in left else None
