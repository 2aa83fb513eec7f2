"""FakeMachine: a machine in memory, for dry runs, simulation and fault injection. No time passes on it but what is waited for."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from actuators.base import Availability
from actuators.clipboard.fake import FakeClipboard
from actuators.system.ports.devices import ScheduledPower, Urgency
from actuators.system.ports.facts import (
    Battery,
    Cpu,
    Disk,
    DisplayFacts,
    MemoryFacts,
    NetworkFacts,
    NetworkInterface,
    OperatingSystem,
)
from actuators.system.ports.programs import Application, AppWindow, CommandResult, Process
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field

_GIGABYTE = 1_000_000_000
_SILENCE = CommandResult(0, "", "")
_CPU = Cpu(12.0, 4, 8, "Fake")
_MEMORY = MemoryFacts(16 * _GIGABYTE, 8 * _GIGABYTE, 50.0)
_NETWORK = NetworkFacts("fake", (NetworkInterface("eth0", up=True, addresses=("192.0.2.7",)),))
_SYSTEM = OperatingSystem("Fake OS 1", "Fake 1.0", "x86_64")


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeProgram:
    """A program that can be started on the fake machine; one without a name isn't known to its desktop.

    Attributes:
        exit_code: What it ends with at once; None where it goes on.
        stubborn: Whether it goes on when it is asked to end, as one does that has something unsaved.
    """

    executable: str
    name: str = ""
    id: str = ""
    names: tuple[str, ...] = ()
    exit_code: int | None = None
    words: str = ""
    window: str = ""
    stubborn: bool = False
    said: CommandResult = _SILENCE

    def describe(self) -> Application:
        """Return it as the launcher lists it."""
        return Application(self.id, self.name, self.executable, (self.executable,), self.names)


@dataclass(slots=True)
class FakeFacts:
    """What the fake machine knows of itself."""

    now: datetime = field(default_factory=lambda: datetime(2026, 11, 22, 9, 30, tzinfo=UTC))
    battery: Battery | None = field(default_factory=lambda: Battery(80.0, charging=False, left_s=7200.0))
    cpu: Cpu = _CPU
    memory: MemoryFacts = _MEMORY
    disks: tuple[Disk, ...] = (Disk("/", 500 * _GIGABYTE, 200 * _GIGABYTE, 60.0),)
    network: NetworkFacts = _NETWORK
    system: OperatingSystem = _SYSTEM
    uptime_s: float = 93_784.0
    displays: tuple[DisplayFacts, ...] = (DisplayFacts(0, 1920, 1080),)


@dataclass(frozen=True, slots=True)
class FakeNotification:
    """A notification that was shown."""

    title: str
    message: str
    urgency: Urgency


class FakeMachine:
    """A machine in memory.

    Attributes:
        faults: Errors by operation (``start``, ``open``, ``notify``, ``lock``, ``sleep``, ``schedule``, ``cancel``,
            ``brightness``, ``terminate``, ``kill``); each is raised instead of doing it.
        deaf: Operations that are taken and have no effect, of ``lock``, ``schedule``, ``cancel`` and ``brightness``.
    """

    def __init__(
        self,
        programs: Iterable[FakeProgram] = (),
        *,
        facts: FakeFacts | None = None,
        missing: Mapping[str, str] | None = None,
    ) -> None:
        """Start it; two processes run that may not be ended."""
        self.programs = list(programs)
        self.processes: dict[int, Process] = {
            1: Process(pid=1, name="init", executable="/sbin/init", started_s=1.0),
            2: Process(pid=2, name="surehand", executable="/usr/bin/surehand", parent=1, started_s=2.0),
        }
        self.windows: dict[int, AppWindow] = {}
        self.stubborn: set[int] = set()
        self.opened: list[str] = []
        self.notifications: list[FakeNotification] = []
        self.clipboard = FakeClipboard()
        self.brightness_percent: float | None = 50.0
        self.locked = False
        self.slept = 0
        self.scheduled: ScheduledPower | None = None
        self.facts = facts or FakeFacts()
        self.faults: dict[str, SurehandError] = {}
        self.deaf: set[str] = set()
        self.missing = dict(missing or {})
        self._next_pid = 100

    def check(self, operation: str) -> None:
        """Raise the error of an operation, if it has one."""
        if operation in self.faults:
            raise self.faults[operation]

    def spawn(self, program: FakeProgram, *, argv: tuple[str, ...] = ()) -> Process:
        """Let a program run, and return its process."""
        pid, self._next_pid = self._next_pid, self._next_pid + 1
        process = Process(
            pid=pid,
            name=program.executable.rpartition("/")[2],
            executable=program.executable,
            argv=argv or (program.executable,),
            user="ada",
            parent=2,
            started_s=float(pid),
        )
        if program.exit_code is None:
            self.processes[pid] = process
            if program.window:
                self.windows[pid] = AppWindow(str(pid), program.window, pid)
            if program.stubborn:
                self.stubborn.add(pid)
        return process

    def end(self, pid: int) -> None:
        """End a process."""
        self.processes.pop(pid, None)
        self.windows.pop(pid, None)


class FakeMachinePart:
    """A part of the fake machine."""

    capability = ""

    def __init__(self, machine: FakeMachine) -> None:
        self._machine = machine

    def assess(self) -> Availability:
        """Say whether the machine has it."""
        reason = self._machine.missing.get(self.capability)
        if reason is not None:
            remedy = "Give the simulated machine one."
            return Availability(self.capability, available=False, reason=reason, remedy=remedy)
        return Availability(self.capability, available=True, reason="A simulated machine.")
