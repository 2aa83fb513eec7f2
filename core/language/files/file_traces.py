"""What steps about files leave for the words behind them: the files that they spoke of, and the folder that "there" is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.language.files.located_paths import LocatedPath, cut_name, get_parent, join_path, list_located
from core.language.meanings.contexts import Context, Mention

IsFile = Callable[[str], bool]
FOLDER_SLOTS = frozenset({"folder", "spoken_folder", "named_folder", "said_folder", "known_folder", "some_folders"})


class FileStep(NamedTuple):
    """A step about files.

    Attributes:
        held: The params that name what it leaves, as in ``Traces``.
        made: What it makes where no param names it, as in ``Traces``; None where it makes nothing.
    """

    slots: Mapping[str, Any]
    held: Sequence[str]
    is_equal: bool
    taken: Sequence[str]
    folders: frozenset[str]
    is_folder: bool
    made: str | None = None

    def find_kind(self, name: str) -> str:
        """Return what kind of thing a slot names."""
        return "folder" if self.is_folder or name in self.folders else "file"


def follow_files(behind: Context, step: FileStep, is_file: IsFile) -> Context:
    """Return the context behind a step about files.

    Args:
        behind: The context behind it, without what it leaves of files.
    """
    slots = step.slots
    located = [value for name, value in slots.items() if isinstance(value, LocatedPath) and not name.startswith("_")]
    place = next((found for each in reversed(located) if (found := _find_place(each, is_file))), "")
    spoken = [Mention("place", place)] if place else []
    for number, words in enumerate(reversed(step.held), 1):
        names = words.split()
        kind = step.find_kind("source" if "source" in names else names[0])
        paths = [path for path in _find_held(slots, names, is_file) if LocatedPath(path).is_one]
        if number == len(step.held) and not paths and step.made is not None:
            kind, paths = ("folder" if step.made.endswith("/") else "file"), [_write_made(step)]
        spoken += [Mention(kind, path, 1 if step.is_equal else number) for path in paths]
    moved = () if step.is_equal else [words.split() for words in step.held if " " in words]
    moves = _list_paths(step, [names["source" not in names[0]] for names in moved])
    return replace(
        behind.speak_of(*spoken, takes=_list_paths(step, step.taken), moves=moves),
        place=place if place and not step.is_folder else behind.place,
    )


def _write_made(step: FileStep) -> str:
    """Return the path of what a step makes by its own rule; empty where only the step will know."""
    assert step.made is not None, "only a step that makes something is asked"
    known = {
        name: value.full
        for name, value in step.slots.items()
        if isinstance(value, LocatedPath) and value.is_one and not value.is_glob
    }
    try:
        return step.made.rstrip("/").format(**known)
    except KeyError:
        return ""


def _list_paths(step: FileStep, names: Sequence[str]) -> tuple[Mention, ...]:
    """Return what slots name that is no longer there."""
    paths = [(name, step.slots.get(name)) for name in names]
    return tuple(
        Mention(step.find_kind(name), path.full, is_gone=True)
        for name, path in paths
        if isinstance(path, LocatedPath) and not path.is_glob
    )


def _find_held(slots: Mapping[str, Any], names: Sequence[str], is_file: IsFile) -> list[str]:
    """Return where the files that a step is about are afterwards."""
    first, *rest = (slots.get(name) for name in names)
    if not rest:
        return [each.full for each in list_located(first) if not each.is_glob]
    if not isinstance(first, LocatedPath) or first.is_glob:
        return []
    second = rest[0]
    if isinstance(second, str):  # the new name
        return [join_path(get_parent(first.full), second)]
    moved = [each for each in list_located(second) if not each.is_glob]
    if len(moved) == 1 and is_file(first.path):
        return [first.full]
    return [join_path(first.full, cut_name(each.path)) for each in moved]


def _find_place(located: LocatedPath, is_file: IsFile) -> str:
    """Return the folder that a path speaks of; empty where it speaks of none, or of one that was created."""
    if located.base or located.is_glob:
        return ""
    if located.is_one and is_file(located.path):
        parent = get_parent(located.path)
        return "" if parent == "." else parent
    return "" if located.path == "." else located.path
