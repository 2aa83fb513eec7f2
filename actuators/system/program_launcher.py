"""Starting programs that go on, and watching them: what every system's launcher shares."""

import asyncio
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import psutil

from actuators.system.detached import Detached, start_detached
from actuators.system.exits import wait_for_exit
from actuators.system.ports import Application, AppWindow, Started, WindowSystem

_GRACE_S = 0.3
"""Seconds in which a program that can't work at all usually says so."""


class ProgramLauncher:
    """Starts programs in the environment that it was given. What applications there are is for each system to say."""

    def __init__(self, variables: Mapping[str, str], windows: WindowSystem) -> None:
        """Start nothing.

        Args:
            variables: The environment variables; programs get them all.
            windows: Where windows are seen.
        """
        self.variables = dict(variables)
        self._windows = windows
        self._started: dict[int, Detached] = {}

    def find_executable(self, name: str) -> str | None:
        """Return the path of an executable."""
        return shutil.which(name, path=self.variables.get("PATH"))

    def build_argv(self, application: Application, args: Sequence[str]) -> list[str]:
        """Return what is executed."""
        return [*application.argv, *args]

    async def start(self, application: Application, args: Sequence[str], folder: Path) -> Started:
        """Start a program; return once it lives, or has ended at once."""
        self._collect()
        argv = self.build_argv(application, args)
        detached = await asyncio.to_thread(start_detached, argv, folder, self.variables)
        self._started[detached.process.pid] = detached
        return await self.wait_for_exit(Started(detached.process.pid), _GRACE_S)

    async def wait_for_exit(self, started: Started, timeout_s: float) -> Started:
        """Return the process as it is when it has ended, or when the time is up."""
        detached = self._started.get(started.pid)
        if detached is None:
            return started
        if not await wait_for_exit(started.pid, timeout_s):
            return started
        code = await asyncio.to_thread(detached.process.wait)
        return replace(started, exit_code=code, words=detached.last_words())

    async def wait_for_window(self, started: Started, known: Collection[str], timeout_s: float) -> AppWindow | None:
        """Return the first window of the process or of what it started."""

        def accepts(windows: Sequence[AppWindow]) -> AppWindow | None:
            family = _list_family(started.pid)
            own = [each for each in windows if each.pid in family]
            fresh = [each for each in windows if each.id not in known]
            detached = self._started.get(started.pid)
            handed_over = detached is None or detached.exit_code == 0
            return next(iter(own or (fresh if handed_over else [])), None)

        return await self._windows.wait_for(accepts, timeout_s)

    async def windows(self) -> tuple[AppWindow, ...]:
        """Return the windows that are there."""
        return await self._windows.list()

    async def close(self) -> None:
        """Let go of what was started, which goes on."""
        self._collect()
        for each in self._started.values():
            each.let_go()
        self._started.clear()
        await self._windows.close()

    def _collect(self) -> None:
        """Forget what has ended, so that it doesn't stay in the system's list of processes."""
        for pid, each in list(self._started.items()):
            if each.exit_code is not None:
                each.let_go()
                del self._started[pid]


def _list_family(pid: int) -> set[int]:
    try:
        root = psutil.Process(pid)
        return {pid} | {each.pid for each in root.children(recursive=True)}
    except psutil.NoSuchProcess:
        return {pid}
