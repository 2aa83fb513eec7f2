"""What steps about files leave for the words behind them: the file that "it" is, and the folder that "there" is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.language.contexts import Context, Held
from core.language.located_paths import LocatedPath, cut_name, get_parent, join_path

IsFile = Callable[[str], bool]


def follow_files(
    behind: Context, slots: Mapping[str, Any], names: Sequence[str], is_file: IsFile, *, is_folder: bool
) -> Context:
    """Return the context behind a step about files.

    Args:
        behind: The context behind it, without what it leaves of files.
        slots: What its slots hold.
        names: The params that name what "it" is, as in ``Traces``; empty where a step leaves none.
        is_file: Tells whether a path is a file by its ending.
        is_folder: Whether the step is about a folder.
    """
    located = [value for name, value in slots.items() if isinstance(value, LocatedPath) and not name.startswith("_")]
    place = next((found for each in reversed(located) if (found := _find_place(each, is_file))), "")
    held = _find_held(slots, names, is_file) if names else ""
    return replace(
        behind,
        held=Held(held, is_folder) if held else behind.held,
        place=place if place and not is_folder else behind.place,
    )


def _find_held(slots: Mapping[str, Any], names: Sequence[str], is_file: IsFile) -> str:
    """Return where the file that a step is about is afterwards."""
    first, *rest = (slots.get(name) for name in names)
    if not isinstance(first, LocatedPath) or first.is_glob:
        return ""
    if not rest:
        return first.full
    second = rest[0]
    if isinstance(second, str):  # the new name
        return join_path(get_parent(first.full), second)
    if not isinstance(second, LocatedPath) or second.is_glob:
        return ""
    return first.full if is_file(first.path) else join_path(first.full, cut_name(second.path))


def _find_place(located: LocatedPath, is_file: IsFile) -> str:
    """Return the folder that a path speaks of; empty where it speaks of none, or of one that was created."""
    if located.base or located.is_glob:
        return ""
    if located.is_one and is_file(located.path):
        parent = get_parent(located.path)
        return "" if parent == "." else parent
    return "" if located.path == "." else located.path
