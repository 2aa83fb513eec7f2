"""Running commands to their end, with a limit to their time and to what is kept of their words."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

from actuators.base import Availability
from actuators.system.ports.devices import Shown, Urgency
from actuators.system.ports.programs import CommandResult
from actuators.system.processes.psutil_processes import is_alive, wait_for_exit
from core.base.errors import ActionError, DeviceError

_CHUNK = 65_536
_BYTES_A_CHARACTER = 4
_TRAILING_S = 0.5
_ENDING_S = 5.0
_ROUNDS = 5
_STEP_S = 0.005


class SystemCommands:
    """Commands of this machine."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = dict(variables)

    async def run(self, argv: Sequence[str], folder: Path, timeout_s: float, limit: int) -> CommandResult:
        """Run a command; when the time is up it is ended with all that it started."""
        program = self.find(argv[0], folder)
        running = await self._start_whole([program, *argv[1:]], folder)
        assert running.stdout is not None
        assert running.stderr is not None
        outputs = [_Output(running.stdout, limit), _Output(running.stderr, limit)]
        try:
            ended = await wait_for_exit(running.pid, timeout_s)
        finally:
            if running.poll() is None:
                await asyncio.shield(asyncio.to_thread(_end, running))
        await asyncio.to_thread(running.wait, _ENDING_S)
        await asyncio.gather(*(asyncio.to_thread(each.finish, _TRAILING_S) for each in outputs))
        stdout, stderr = (each.text() for each in outputs)
        truncated = any(each.truncated for each in outputs)
        return CommandResult(running.returncode if ended else None, stdout, stderr, truncated)

    def find(self, name: str, folder: Path) -> str:
        """Return the path of the program of a name."""
        with_folder = any(each in name for each in ("/", "\\"))
        found = shutil.which(str(folder / name) if with_folder else name, path=self._variables.get("PATH"))
        if found is None:
            raise DeviceError(
                f"No executable program {name} found.",
                code="app_missing",
                hint="Check its spelling, or give its path. Shell commands are not programs.",
                evidence={"program": name},
            )
        return found

    async def _start_whole(self, argv: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
        """Start a command; if it isn't wanted any more by the time that it runs, end it."""
        starting = _Starting(lambda: self._start(argv, folder))
        try:
            return await asyncio.to_thread(starting.begin)
        except asyncio.CancelledError:
            if running := starting.give_up():
                await asyncio.shield(asyncio.to_thread(_drop, running))
            raise

    def _start(self, argv: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                argv,
                cwd=folder,
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ActionError(
                f"The system can't start {argv[0]}: {error}.",
                code="app_failed",
                hint="Check that it is a program for this machine.",
                evidence={"argv": list(argv)},
            ) from error


def _end(running: subprocess.Popen[bytes]) -> None:
    end_tree(running.pid)
    running.wait(_ENDING_S)


def _drop(running: subprocess.Popen[bytes]) -> None:
    """End a command that nobody listens to."""
    _end(running)
    for pipe in (running.stdout, running.stderr):
        if pipe is not None:
            pipe.close()


class _Starting:
    """The start of a command on a thread, which whoever ordered it may give up meanwhile."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._unwanted = False

    def begin(self) -> subprocess.Popen[bytes]:
        """Start it; if it isn't wanted any more by then, end it."""
        running = self._start()
        with self._lock:
            self._running, unwanted = running, self._unwanted
        if unwanted:
            _drop(running)
        return running

    def give_up(self) -> subprocess.Popen[bytes] | None:
        """Want it no more; return it if it runs already."""
        with self._lock:
            self._unwanted = True
            return self._running


class _Output:
    """One output of a command, read on a thread of its own so that the command never waits for us."""

    def __init__(self, pipe: IO[bytes], limit: int) -> None:
        self._pipe = pipe
        self._limit = limit
        self._kept = bytearray()
        self._total = 0
        self._thread = threading.Thread(target=self._read, name="command-output", daemon=True)
        self._thread.start()

    @property
    def truncated(self) -> bool:
        """Whether there was more than is kept."""
        return self._total > len(self._kept) or len(self._decode()) > self._limit

    def text(self) -> str:
        """Return what is kept."""
        return self._decode()[: self._limit]

    def finish(self, timeout_s: float) -> None:
        """Wait for the end of the output. What the command left running may hold it open: that isn't waited for."""
        self._thread.join(timeout_s)

    def _read(self) -> None:
        with self._pipe:
            while chunk := os.read(self._pipe.fileno(), _CHUNK):
                self._total += len(chunk)
                self._kept += chunk[: max(0, self._limit * _BYTES_A_CHARACTER - len(self._kept))]

    def _decode(self) -> str:
        return bytes(self._kept).decode(errors="replace")


def end_tree(pid: int) -> None:
    """End a process with all that it started, by force; also what was orphaned since, if the process leads a session."""
    with contextlib.suppress(psutil.NoSuchProcess):
        root = psutil.Process(pid)
        end_s = time.monotonic() + _ENDING_S
        for _ in range(_ROUNDS):  # what is started while others are ended is found in the next round
            family = [each for each in _list_family(root) if is_alive(each.pid)]
            if not family:
                return
            for each in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()
            never = threading.Event()
            while time.monotonic() < end_s and any(is_alive(each.pid) for each in family):
                never.wait(_STEP_S)  # until they have ended, not until who started them has collected them


def _list_family(root: psutil.Process) -> list[psutil.Process]:
    family = [*root.children(recursive=True), root]
    if sys.platform == "win32":
        return family
    known = {each.pid for each in family}
    return [
        *(each for each in psutil.process_iter() if each.pid not in known and _read_session(each.pid) == root.pid),
        *family,
    ]


def _read_session(pid: int) -> int:
    """Return the number of a process's session, which is that of the process that leads it; 0 if it is gone."""
    try:
        return os.getsid(pid)
    except OSError:
        return 0


_LIMIT_S = 10.0
_KEPT = 4_000


class SystemCommand:
    """A command that is called to have one thing done."""

    def __init__(self, argv: Sequence[str], variables: Mapping[str, str]) -> None:
        """Call nothing; the program comes with its first arguments."""
        self._argv = tuple(argv)
        self._variables = dict(variables)

    async def call(self, *args: str, more: Mapping[str, str] | None = None) -> str:
        """Call it and return what it says; ``app_failed`` with that, if it ends with an error or not in time."""
        runner = SystemCommands(self._variables | dict(more or {}))
        result = await runner.run([*self._argv, *args], Path.cwd(), _LIMIT_S, _KEPT)
        if result.exit_code != 0:
            words = (result.stderr or result.stdout).strip() or f"code {result.exit_code}"
            raise ActionError(
                f"{self._argv[0]} refused: {words}",
                code="app_failed",
                hint="Try it by hand to see why.",
                evidence={"program": self._argv[0], "exit_code": result.exit_code},
            )
        return result.stdout


class _CommandPart:
    capability = ""

    def __init__(self, command: SystemCommand, title: str) -> None:
        self._command = command
        self._title = title

    def assess(self) -> Availability:
        """Say that it is there."""
        return Availability(self.capability, available=True, reason=self._title)


class CommandOpener(_CommandPart):
    """Opens by a command."""

    capability = "opener"

    async def open(self, target: str, timeout_s: float) -> dict[str, str | int | None]:
        """Hand a path or an address over."""
        del timeout_s
        await self._command.call(target)
        return {"application": None, "pid": None, "opener": self._title}


class CommandNotifier(_CommandPart):
    """Shows notifications by a command, which gets the texts as environment variables or arguments."""

    capability = "notifications"

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Show a notification; the system gives it no number, so nothing is claimed."""
        await self._command.call(title, message)
        return Shown(0, self._title, {"urgency": urgency})


class CommandLock(_CommandPart):
    """Locks the screen by a command."""

    capability = "session_lock"

    async def lock(self, timeout_s: float) -> bool | None:
        """Lock the screen; nobody says whether it is."""
        del timeout_s
        await self._command.call()
