"""Programs, processes, devices and facts of the fake machine."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from actuators.base import Availability
from actuators.system.fake.machine import FakeMachine, FakeMachinePart, FakeNotification, FakeProgram
from actuators.system.ports.devices import PowerAction, ScheduledPower, Shown, Urgency
from actuators.system.ports.facts import Battery, Cpu, Disk, DisplayFacts, MemoryFacts, NetworkFacts, OperatingSystem
from actuators.system.ports.programs import Application, AppWindow, CommandResult, Process, Started
from core.base.errors import ActionError, DeviceError


class FakeOpener(FakeMachinePart):
    """Notes what is opened."""

    capability = "opener"

    async def open(self, target: str, timeout_s: float) -> dict[str, str | int | None]:
        """Note the target."""
        del timeout_s
        self._machine.check("open")
        self._machine.opened.append(target)
        return {"application": None, "pid": None, "opener": "simulated"}


class FakeNotifier(FakeMachinePart):
    """Notes what is shown."""

    capability = "notifications"

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Note the notification."""
        self._machine.check("notify")
        self._machine.notifications.append(FakeNotification(title, message, urgency))
        return Shown(len(self._machine.notifications), "simulated", {"urgency": urgency})


class FakeScreenLock(FakeMachinePart):
    """Locks nothing."""

    capability = "session_lock"

    async def lock(self, timeout_s: float) -> bool | None:
        """Lock the screen, unless the machine is deaf to it."""
        del timeout_s
        self._machine.check("lock")
        self._machine.locked = self._machine.locked or "lock" not in self._machine.deaf
        return self._machine.locked


class FakePower(FakeMachinePart):
    """Orders nothing that happens."""

    capability = "power"

    async def sleep(self) -> None:
        """Count."""
        self._machine.check("sleep")
        self._machine.slept += 1

    async def schedule(self, action: PowerAction, delay_s: float) -> ScheduledPower | None:
        """Note what is ordered."""
        self._machine.check("schedule")
        if "schedule" not in self._machine.deaf:
            self._machine.scheduled = ScheduledPower(action, self._machine.facts.now + timedelta(seconds=delay_s))
        return self._machine.scheduled

    async def scheduled(self) -> ScheduledPower | None:
        """Return what is ordered."""
        return self._machine.scheduled

    async def cancel(self) -> bool:
        """Forget what is ordered, unless the machine is deaf to it."""
        self._machine.check("cancel")
        was_ordered = self._machine.scheduled is not None
        if "cancel" not in self._machine.deaf:
            self._machine.scheduled = None
        return was_ordered


class FakeBrightness(FakeMachinePart):
    """The brightness of a screen that isn't there."""

    capability = "brightness"

    def assess(self) -> Availability:
        """Say whether it can be set."""
        if self._machine.brightness_percent is None:
            return Availability("brightness", available=False, reason="The simulated machine has no backlight.")
        return super().assess()

    async def read(self) -> float:
        """Return the brightness."""
        if self._machine.brightness_percent is None:
            raise DeviceError("The simulated machine has no backlight.", code="device_missing", hint="Give it one.")
        return self._machine.brightness_percent

    async def write(self, level_percent: float) -> None:
        """Set the brightness, unless the machine is deaf to it."""
        self._machine.check("brightness")
        if "brightness" not in self._machine.deaf:
            self._machine.brightness_percent = level_percent


class FakeMachineFacts(FakeMachinePart):
    """Facts as they are declared."""

    capability = "battery"

    def assess_battery(self) -> Availability:
        """Say whether there is a battery."""
        if self._machine.facts.battery is None:
            return Availability("battery", available=False, reason="The simulated machine has no battery.")
        return self.assess()

    def now(self) -> datetime:
        """Return the time."""
        return self._machine.facts.now

    async def battery(self) -> Battery | None:
        """Return the battery."""
        return self._machine.facts.battery

    async def cpu(self) -> Cpu:
        """Return the processor."""
        return self._machine.facts.cpu

    async def memory(self) -> MemoryFacts:
        """Return the memory."""
        return self._machine.facts.memory

    async def disks(self) -> tuple[Disk, ...]:
        """Return the volumes."""
        return self._machine.facts.disks

    async def network(self) -> NetworkFacts:
        """Return the interfaces."""
        return self._machine.facts.network

    async def operating_system(self) -> OperatingSystem:
        """Return the system."""
        return self._machine.facts.system

    async def uptime_s(self) -> float:
        """Return the uptime."""
        return self._machine.facts.uptime_s

    async def displays(self) -> tuple[DisplayFacts, ...]:
        """Return the displays."""
        return self._machine.facts.displays


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
