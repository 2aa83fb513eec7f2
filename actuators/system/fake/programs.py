"""Launcher, commands and processes of the fake machine."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from actuators.system.fake.machine import FakeMachine, FakeMachinePart, FakeProgram
from actuators.system.ports.programs import Application, AppWindow, CommandResult, Process, Started
from core.base.errors import ActionError, DeviceError


class FakeLauncher(FakeMachinePart):
    """Starts programs of the fake machine."""

    capability = "launcher"

    def __init__(self, machine: FakeMachine) -> None:
        super().__init__(machine)
        self._ended: dict[int, Started] = {}

    async def applications(self) -> tuple[Application, ...]:
        """Return those that the desktop knows."""
        found = [each.describe() for each in self._machine.programs if each.name]
        return tuple(sorted(found, key=lambda each: (each.name.casefold(), each.id)))

    def find_executable(self, name: str) -> str | None:
        """Return the path of a program."""
        program = self._find(name)
        return program.executable if program else None

    def build_argv(self, application: Application, args: Sequence[str]) -> list[str]:
        """Return what is executed."""
        return [*application.argv, *args]

    async def start(self, application: Application, args: Sequence[str], folder: Path) -> Started:
        """Start a program."""
        del folder
        self._machine.check("start")
        program = self._find(application.executable)
        if program is None:
            raise ActionError(f"{application.executable} is gone.", code="app_failed", hint="Install it again.")
        process = self._machine.spawn(program, argv=(*application.argv, *args))
        started = Started(process.pid, program.exit_code, program.words)
        self._ended[process.pid] = started
        return started

    async def wait_for_exit(self, started: Started, timeout_s: float) -> Started:
        """Return the process as it is; no time passes."""
        del timeout_s
        known = self._ended.get(started.pid, started)
        gone = known.exit_code is None and started.pid not in self._machine.processes
        return replace(known, exit_code=0) if gone else known

    async def wait_for_window(self, started: Started, known: Collection[str], timeout_s: float) -> AppWindow | None:
        """Return the window of the process; no time passes."""
        del known, timeout_s
        return self._machine.windows.get(started.pid)

    async def windows(self) -> tuple[AppWindow, ...]:
        """Return the windows that are there."""
        return tuple(self._machine.windows.values())

    async def close(self) -> None:
        """Do nothing."""

    def _find(self, name: str) -> FakeProgram | None:
        names = {name, name.rpartition("/")[2]} if "/" not in name else {name}
        programs = self._machine.programs
        return next((each for each in programs if names & {each.executable, each.executable.rpartition("/")[2]}), None)


class FakeCommands(FakeMachinePart):
    """Runs programs of the fake machine to their end."""

    def find(self, name: str, folder: Path) -> str:
        """Return the path of a program."""
        del folder
        return self._find(name).executable

    async def run(self, argv: Sequence[str], folder: Path, timeout_s: float, limit: int) -> CommandResult:
        """Return what the program is declared to say, cut to the limit."""
        del folder, timeout_s
        self._machine.check("start")
        said = self._find(argv[0]).said
        cut = len(said.stdout) > limit or len(said.stderr) > limit
        return CommandResult(said.exit_code, said.stdout[:limit], said.stderr[:limit], said.truncated or cut)

    def _find(self, name: str) -> FakeProgram:
        wanted = {name, name.rpartition("/")[2]}
        for each in self._machine.programs:
            if wanted & {each.executable, each.executable.rpartition("/")[2]}:
                return each
        raise DeviceError(f"There is no program {name}.", code="app_missing", hint="Check its spelling.")


class FakeExecutables(FakeMachinePart):
    """The files of the fake machine's programs: what one is declared to be is what is in its file."""

    def examine(self, own: Sequence[str], given: Sequence[str], folder: Path, *, code: bool) -> dict[str, str]:
        """Return the digest of the program."""
        del given, folder, code
        found = (each for each in self._machine.programs if each.executable == own[0])
        return {each.executable: hashlib.sha256(repr(each).encode()).hexdigest() for each in found}


class FakeProcesses(FakeMachinePart):
    """The processes of the fake machine."""

    capability = "processes"

    async def list(self) -> tuple[Process, ...]:
        """Return the processes."""
        return tuple(self._machine.processes[pid] for pid in sorted(self._machine.processes))

    def protected(self) -> dict[int, str]:
        """Return those that may not be ended."""
        return {1: "everything else depends on it", 2: "it is Surehand itself"}

    async def close_windows(self, processes: Sequence[Process]) -> tuple[int, ...]:
        """Close windows; the process ends with its window, unless it is stubborn."""
        pids = tuple(each.pid for each in processes if each.pid in self._machine.windows)
        self._end(pid for pid in pids if pid not in self._machine.stubborn)
        return pids

    async def terminate(self, processes: Sequence[Process]) -> None:
        """End processes that aren't stubborn."""
        self._machine.check("terminate")
        self._end(each.pid for each in processes if each.pid not in self._machine.stubborn)

    async def end_by_force(self, processes: Sequence[Process]) -> None:
        """End processes."""
        self._machine.check("kill")
        self._end(each.pid for each in processes)

    async def wait_until_gone(self, processes: Sequence[Process], timeout_s: float) -> tuple[Process, ...]:
        """Return those that live; no time passes."""
        del timeout_s
        return tuple(each for each in processes if each.pid in self._machine.processes)

    async def windows_of(self, processes: Sequence[Process]) -> tuple[AppWindow, ...]:
        """Return the windows of processes."""
        found = (self._machine.windows.get(each.pid) for each in processes)
        return tuple(each for each in found if each)

    def _end(self, pids: Iterable[int]) -> None:
        for pid in tuple(pids):
            self._machine.end(pid)
