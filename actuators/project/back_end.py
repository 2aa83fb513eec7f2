"""The project tools and their back end: a summary within a number of tokens, over whatever the session works on."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from actuators.base import Availability
from actuators.undoing import refuse_record
from core.addresses.path_parts import lies_inside
from core.addresses.urls import mask_credentials
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, fold_text, quote_text
from core.memory.facts import ContextMemory, Note
from core.outlines.tokens import bound_tokens
from core.results.provenance import Origin, join_origins
from core.results.records import to_data
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.type_makers import integer
from core.tools.ports import ActionContext, Toolset


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


_MOST_LINES = 40
"""Of each part."""
_LONGEST = 160
_LEFT_OUT = "… more was left out"
_TITLES = {"workspace": "Workspace", "pages": "Open pages", "memory": "Remembered", "settings": "Settings made"}


@dataclass(frozen=True, slots=True)
class _Section:
    lines: Sequence[str] = ()
    origins: tuple[Origin, ...] = ()
    is_cut: bool = False


class ProjectTools(Toolset):
    """What the session works on. File names, addresses and what runs left in memory are told as data: nobody vouches for them."""

    domain = "project"
    intent = "project_overview"
    capability = "project"

    def __init__(self, sources: ProjectSources) -> None:
        self._sources = sources

    async def summarize(
        self, context: ActionContext, max_tokens: Annotated[int, integer(50, 4000)] = 600
    ) -> ToolOutcome:
        """Sum up what the session works on: the workspace, the open pages, what runs left in memory, and which settings are made.

        Args:
            max_tokens: Most tokens (o200k) of the summary, 50 to 4,000; what has no room is left out, and that is said.

        Returns:
            Output ``text``: the summary, ``tokens``, ``truncated``: whether anything was left out, and ``parts``: the
            lines by ``workspace``, ``pages``, ``memory`` and ``settings``; evidence ``path``: the workspace, and ``origins``:
            where the rest was read. Values of settings, and what lies in hidden files, are never told.
        """
        memory = await self._sources.read_memory()
        parts = {
            "workspace": await self._tell_workspace(context),
            "pages": _tell_pages(self._sources.list_pages()),
            "memory": _tell_memory(memory),
            "settings": _Section(tuple(map(_write, self._sources.settings))),
        }
        told = {name: context.vault.redact(list(part.lines)) for name, part in parts.items()}
        text, is_full = _fit(told, max_tokens)
        output: dict[str, Any] = {
            "text": text,
            "tokens": bound_tokens(text),
            "truncated": is_full or any(part.is_cut for part in parts.values()),
            "parts": told,
        }
        origins = join_origins(part.origins for part in parts.values())
        return ToolOutcome(output, evidence={"path": self._sources.workspace, "origins": to_data(origins)})

    async def _tell_workspace(self, context: ActionContext) -> _Section:
        """Return the folder and the names in it, where policy lets files in it be read."""
        folder, platform = self._sources.workspace, self._sources.platform
        roots = context.policy.roots
        if not folder or (roots is not None and not any(lies_inside(folder, root, platform) for root in roots)):
            return _Section()
        names = await asyncio.to_thread(self._sources.list_entries)
        lines = [_write(folder), *map(_write, names[:_MOST_LINES])]
        return _Section(lines, (Origin("folder", folder),), len(names) > _MOST_LINES)


def _tell_pages(addresses: Sequence[str]) -> _Section:
    shown = [mask_credentials(each) for each in addresses[:_MOST_LINES]]
    origins = tuple(Origin("page", each) for each in shown)
    return _Section(tuple(map(_write, shown)), origins, len(addresses) > _MOST_LINES)


def _tell_memory(memory: ContextMemory) -> _Section:
    lines = [*_list_preferences(memory), *_list_notes(memory)]
    entries = (*memory.preferences, *memory.opened, *memory.created, *memory.failures)
    origins = join_origins(
        (Origin("memory", each.value if isinstance(each, Note) else each.key), *each.origins) for each in entries
    )
    return _Section(lines[:_MOST_LINES], origins, len(lines) > _MOST_LINES)


def _list_preferences(memory: ContextMemory) -> Iterator[str]:
    """Yield the names of what a person had remembered; whoever needs a value recalls it."""
    for each in memory.preferences:
        yield f"a value called {quote_text(each.key, _LONGEST)}"


def _list_notes(memory: ContextMemory) -> Iterator[str]:
    for word, notes in (("opened", memory.opened), ("made", memory.created), ("failed", memory.failures)):
        for note in notes:
            yield f"{word} {note.kind}: {_write(note.value)}"


def _write(text: str) -> str:
    return cut_text(fold_text(text), _LONGEST)


def _fit(parts: dict[str, list[str]], max_tokens: int) -> tuple[str, bool]:
    """Return the parts as text within a number of tokens, and whether something had no room.

    Every part gets lines in turn, so that a long one leaves room for the others.
    """
    kept: dict[str, int] = dict.fromkeys((name for name, lines in parts.items() if lines), 0)
    room = max_tokens - bound_tokens(f"\n{_LEFT_OUT}")
    waiting = list(kept)
    while waiting:
        for name in list(waiting):
            kept[name] += 1
            if bound_tokens(_join(parts, kept)) > room:
                kept[name] -= 1
                return "\n".join(filter(None, [_join(parts, kept), _LEFT_OUT])), True
            if kept[name] == len(parts[name]):
                waiting.remove(name)
    return _join(parts, kept), False


def _join(parts: dict[str, list[str]], kept: dict[str, int]) -> str:
    blocks = ((_TITLES[name], parts[name][:count]) for name, count in kept.items() if count)
    return "\n".join("\n".join([f"{title}:", *(f"- {line}" for line in lines)]) for title, lines in blocks)


class ProjectBackEnd:
    """Sums up one session's project."""

    def __init__(self, sources: ProjectSources) -> None:
        self._sources = sources
        self.toolsets: Mapping[type[Toolset], Toolset] = {ProjectTools: ProjectTools(sources)}

    def assess(self, capability: str) -> Availability:
        """Say that it is there: it takes nothing of the machine."""
        return Availability(capability, available=True, reason="It is summed up from what is there.")

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Refuse: a summary changes nothing."""
        del context
        raise refuse_record(record, "a summary changes nothing")

    async def close(self) -> None:
        """Let go of the memory."""
        await self._sources.close()
