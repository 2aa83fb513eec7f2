"""ProjectSources: where the parts of a summary come from. Whoever puts a session together fills them in."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.memory.facts import ContextMemory


async def _remember_nothing() -> ContextMemory:
    return ContextMemory()


async def _hold_nothing() -> None:
    """Let go of nothing."""


def _list_nothing() -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSources:
    """Where the parts of a summary come from.

    Attributes:
        workspace: The working folder, absolute.
        platform: ``linux``, ``win32`` or ``darwin``, for comparing paths.
        list_entries: Returns the names in it, folders with a slash behind; may read the disk, on a thread.
        settings: Names of the settings that somebody made; never their values.
    """

    workspace: str
    platform: str = "linux"
    list_entries: Callable[[], Sequence[str]] = _list_nothing
    list_pages: Callable[[], Sequence[str]] = _list_nothing
    read_memory: Callable[[], Awaitable[ContextMemory]] = _remember_nothing
    settings: tuple[str, ...] = ()
    close: Callable[[], Awaitable[None]] = _hold_nothing


def list_folder(folder: Path) -> Sequence[str]:
    """Return the names in a folder, sorted, folders with a slash behind; hidden ones are left out."""
    try:
        entries = [each for each in folder.iterdir() if not each.name.startswith(".")]
        return sorted(f"{each.name}/" if each.is_dir() else each.name for each in entries)
    except OSError:  # it can't be read, or is gone; the rest of a summary holds all the same
        return ()
