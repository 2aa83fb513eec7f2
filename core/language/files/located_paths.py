"""LocatedPath: a path with what it hangs below, and what can be done with such paths; nothing is looked up."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from core.base.late_dataclasses import dataclass, replace
from core.base.late_parts import compile_late
from core.language.sentences.spans import Span, UnreadableError

if TYPE_CHECKING:
    from core.language.meanings.interpretation import SlotValue

_ABSOLUTE = compile_late(r"[/\\~]|[A-Za-z]\w*:")
_ANCHORED = compile_late(r"[a-z]+:/")
_SEPARATOR = compile_late(r"[/\\]")
_WILDCARDS = frozenset("*?")
_LEFT_OUT = compile_late(r"!\{[^{}]*\}")
_NAMELESS = frozenset(["", ".", "..", "~"])
HERE = "."
"""The folder that relative paths hang below."""


class LocatedPath(NamedTuple):
    """A path, and what it hangs below.

    Attributes:
        base: The scope that it hangs below, if it is relative: ``inside:…``, ``drive:…`` or nothing.
    """

    path: str
    base: str = ""
    folder: str = ""

    @property
    def full(self) -> str:
        """The path with what it hangs below."""
        return join_path(self.folder, self.path) if self.base else self.path

    @property
    def is_relative(self) -> bool:
        """Whether it hangs below something."""
        return not _ABSOLUTE.match(self.path)

    @property
    def is_anchored(self) -> bool:
        """Whether it begins with a known folder."""
        return _ANCHORED.match(self.path) is not None

    @property
    def is_bare(self) -> bool:
        """Whether it is a name that doesn't say which folder it is in."""
        return self.is_relative and not self.base and self.path != HERE

    @property
    def is_one(self) -> bool:
        """Whether it is a single file or folder with a name: no known folder, no drive, nothing upwards."""
        last = _SEPARATOR.split(self.path.rstrip("/\\"))[-1]
        return last not in _NAMELESS and not last.endswith(":")

    @property
    def is_placed(self) -> bool:
        """Whether it says itself which folder it is in."""
        return _SEPARATOR.search(self.path) is not None

    @property
    def is_glob(self) -> bool:
        """Whether it may mean several files."""
        return not _WILDCARDS.isdisjoint(self.path)

    @property
    def is_sweeping(self) -> bool:
        """Whether it is a glob for everything in a folder, with nothing in it that a name would have."""
        last = _LEFT_OUT.sub("", _SEPARATOR.split(self.path)[-1])
        return self.is_glob and not any(char.isalnum() or char == "~" for char in last)

    def write(self, scope: str) -> str:
        """Return the path for a goal of that scope; what hangs elsewhere is written out in full."""
        return self.path if self.base == scope else self.full


@dataclass(frozen=True, slots=True)
class LocatedPaths:
    """Several paths for one param."""

    paths: tuple[LocatedPath, ...]

    def write(self, scope: str) -> list[str]:
        """Return the paths for a goal of that scope."""
        return [each.write(scope) for each in self.paths]


def list_located(value: Any) -> tuple[LocatedPath, ...]:
    """Return the paths that a slot holds; none if it holds something else."""
    if isinstance(value, LocatedPaths):
        return value.paths
    if isinstance(value, dict):
        return tuple(each for each in cast("dict[str, Any]", value).values() if isinstance(each, LocatedPath))
    return (value,) if isinstance(value, LocatedPath) else ()


def write_located(value: Any, scope: str) -> Any:
    """Return what a slot holds as a goal of a scope takes it."""
    if isinstance(value, dict):
        return {name: write_located(each, scope) for name, each in cast("dict[str, Any]", value).items()}
    return value.write(scope) if isinstance(value, LocatedPath | LocatedPaths) else value


def choose_base(values: Sequence[Any]) -> str:
    """Return the scope of a goal: the base that all its relative paths hang below, or nothing."""
    located = [each for value in values for each in list_located(value)]
    bases = {each.base for each in located}
    return bases.pop() if len(bases) == 1 else ""


def is_glob(span: Span) -> bool:
    """Whether unquoted words hold a star, so that they may mean several files."""
    return "*" in span.text and not span.has_quotes


def put_below(slots: Sequence["SlotValue"], folder: LocatedPath) -> tuple["SlotValue", ...]:
    """Return slots with the paths in them put into a folder that was named in front of them."""
    return tuple(
        replace(slot, value=folder._replace(path=join_path(folder.path, slot.value.path)))
        if isinstance(slot.value, LocatedPath) and slot.value is not folder
        else slot
        for slot in slots
    )


def put_into(folder: LocatedPath, inner: LocatedPath) -> LocatedPath:
    """Return the path of something in a folder."""
    if inner.base or not inner.is_relative:
        raise UnreadableError
    return folder._replace(path=join_path(folder.path, inner.path))


def join_path(folder: str, name: str) -> str:
    """Return the path of something in a folder."""
    if name == HERE:
        return folder
    if folder == HERE:
        return name
    return folder + name if folder.endswith(("/", "\\")) else f"{folder}/{name}"


def cut_name(path: str) -> str:
    """Return the name at the end of a path."""
    return _SEPARATOR.split(path.rstrip("/\\"))[-1]


def get_parent(path: str) -> str:
    """Return the folder that a path lies in, as it is written; a dot where it names none."""
    bare = path.rstrip("/\\")
    parent = bare.removesuffix(cut_name(bare))
    return parent if parent.endswith(":/") or parent == "/" else parent.rstrip("/\\") or HERE


def get_ending(path: str) -> str:
    """Return what stands behind the last dot, in lower case."""
    return path.rpartition(".")[2].lower()
