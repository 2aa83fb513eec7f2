"""Starting programs that go on, and watching them: what every system's launcher shares."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO

import psutil

from actuators.system.ports.programs import Application, AppWindow, ProgramWindows, Started
from actuators.system.processes.psutil_processes import wait_for_exit
from core.base.errors import ActionError

_WORDS_BYTES = 4_000
_WINDOWS_FLAGS = 0x0000_0008 | 0x0000_0200  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP


class DetachedProcess(subprocess.Popen[bytes]):
    """A process that may go on after its handle is gone."""

    def __del__(self) -> None:
        """Say nothing: that it still runs is what it is for."""


class Detached:
    """A program that was started, and what it says.

    What it says goes into a file without a name, as it would go into a log of the desktop: a pipe would end the program
    with its reader.
    """

    def __init__(self, process: DetachedProcess, words: IO[bytes]) -> None:
        self.process = process
        self._words = words

    @property
    def program(self) -> str:
        """The path of the program."""
        args = self.process.args
        return str(args[0]) if isinstance(args, list) else str(args)

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it lives. Asking collects it."""
        return self.process.poll()

    def last_words(self) -> str:
        """Return the end of what it said."""
        if self._words.closed:
            return ""
        size = self._words.seek(0, 2)
        self._words.seek(max(0, size - _WORDS_BYTES))
        return self._words.read().decode(errors="replace").strip()

    def let_go(self) -> None:
        """Close our end of its file."""
        self._words.close()


def start_detached(argv: Sequence[str], folder: Path, variables: Mapping[str, str]) -> Detached:
    """Start a program by its path, which no shell reads; blocks. ``app_failed`` if the system can't start it."""
    with ExitStack() as stack:
        words = stack.enter_context(tempfile.TemporaryFile("a+b"))
        try:
            process = DetachedProcess(
                list(argv),
                cwd=folder,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                creationflags=_WINDOWS_FLAGS if sys.platform == "win32" else 0,
            )
        except (OSError, ValueError) as error:
            raise ActionError(
                f"The system can't start {argv[0]}: {error}.",
                code="app_failed",
                hint="Check that it is a program for this machine and is executable.",
                evidence={"argv": list(argv), "folder": str(folder)},
            ) from error
        stack.pop_all()
    return Detached(process, words)


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
