"""FileThing: the files or folders that a clause is about."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language.files.globs import list_endings

if TYPE_CHECKING:
    from core.language.file_clauses.pieces import FilePiece

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


def read_thing(piece: "FilePiece") -> FileThing:
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
