"""Starting programs that go on, and watching them: what every system's launcher shares."""

import asyncio
import shutil
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import psutil

from actuators.system.ports.programs import Application, AppWindow, ProgramWindows, Started
from actuators.system.processes.detached import Detached, start_detached
from actuators.system.processes.exits import wait_for_exit

_GRACE_S = 0.3
"""Seconds in which a program that can't work at all usually says so."""
_HANDING_OVER_S = 2.0
"""Seconds in which a program that was handed over to usually shows a new window, if it means to."""


class ProgramLauncher:
    """Starts programs in the environment that it was given. What applications there are is for each system to say."""

    def __init__(self, variables: Mapping[str, str], windows: ProgramWindows) -> None:
        """Start nothing; programs get all variables."""
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
        """Return the first window of the process, of what it started, or of the one that it handed over to.

        One that handed over may have got no window of its own: then what the other one shows already is returned.
        """
        detached = self._started.get(started.pid)
        ended_s: list[float] = []

        def accepts(windows: Sequence[AppWindow]) -> AppWindow | None:
            family = _list_family(started.pid)
            own = [each for each in windows if each.pid in family]
            if own or (detached is not None and detached.exit_code != 0):
                return next(iter(own), None)
            ended_s.append(time.monotonic())
            fresh = [each for each in windows if each.id not in known]
            if not fresh and detached is not None and ended_s[-1] - ended_s[0] >= _HANDING_OVER_S:
                fresh = [each for each in windows if _runs(each.pid, detached.program)]
            return next(iter(fresh), None)

        return await self._windows.wait_for(accepts, timeout_s)

    async def windows(self) -> tuple[AppWindow, ...]:
        """Return the windows that are there."""
        seen: list[AppWindow] = []
        await self._windows.wait_for(seen.extend, 0.0)  # which, other than a list, is refused where none can be seen
        return tuple(seen)

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


def _runs(pid: int, program: str) -> bool:
    """Tell whether a process runs a program, or is an interpreter that does."""
    try:
        process = psutil.Process(pid)
        return Path(program).name in {Path(each).name for each in (process.exe(), *process.cmdline()[:2])}
    except (psutil.Error, OSError, ValueError):
        return False
