"""ProgramWatch: which programs with windows end while something is done. Any family may use it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import psutil

from actuators.deadlines import finish_within
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass

_LOOKING_S = 1.0


@dataclass(frozen=True, slots=True)
class Watched:
    """A program that has windows."""

    process: psutil.Process
    name: str
    windows: tuple[str, ...]

    @property
    def has_ended(self) -> bool:
        """Whether it is no longer there, or waits only to be buried."""
        try:
            return not self.process.is_running() or self.process.status() == psutil.STATUS_ZOMBIE
        except psutil.Error:
            return True

    def describe(self) -> dict[str, Any]:
        """Return it as data."""
        return {"program": self.name, "pid": self.process.pid, "windows": list(self.windows)}


class ProgramWatch:
    """Looks which programs have windows, and later which of them have ended."""

    def __init__(self, list_windows: Callable[[], Awaitable[Iterable[Any]]]) -> None:
        """Ask a window system, which may fail where there is none, for windows with ``title`` and ``pid``, 0 if not known."""
        self._list_windows = list_windows

    async def look(self) -> tuple[Watched, ...]:
        """Return the programs that have windows now; none where nobody can say."""
        with suppress(SurehandError, TimeoutError):
            windows = await finish_within(self._list_windows(), _LOOKING_S)
            titles: dict[int, list[str]] = {}
            for each in windows:
                if each.pid:
                    titles.setdefault(each.pid, []).append(each.title)
            return await asyncio.to_thread(_find_programs, titles)
        return ()

    async def find_ended(self, watched: Iterable[Watched]) -> list[dict[str, Any]]:
        """Return those that have ended since, as data."""
        return await asyncio.to_thread(lambda: [each.describe() for each in watched if each.has_ended])


def _find_programs(titles: Mapping[int, Iterable[str]]) -> tuple[Watched, ...]:
    found: list[Watched] = []
    for pid, named in titles.items():
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            found.append(Watched(process, process.name(), tuple(named)))
    return tuple(found)
