"""What a back end of the system family does about the machine itself; what it does about programs is in ``ports``."""

from datetime import datetime
from typing import Literal, Protocol

from actuators.base import Availability
from actuators.system.ports.facts import Battery, Cpu, Disk, DisplayFacts, MemoryFacts, NetworkFacts, OperatingSystem
from core.base.late_dataclasses import dataclass, field

Urgency = Literal["low", "normal", "critical"]
PowerAction = Literal["shutdown", "restart"]


@dataclass(frozen=True, slots=True)
class ScheduledPower:
    """A shutdown or restart that the system has been ordered; ``at`` is when, with its time zone."""

    action: PowerAction
    at: datetime


@dataclass(frozen=True, slots=True)
class Shown:
    """A notification that was taken by a server; ``id`` is 0 where the system gives none."""

    id: int
    server: str
    evidence: dict[str, str] = field(default_factory=dict[str, str])


class Opener(Protocol):
    """Hands files and addresses to the program that the desktop has for them."""

    def assess(self) -> Availability:
        """Say whether it can (capability ``opener``)."""
        ...

    async def open(self, target: str, timeout_s: float) -> dict[str, str | int | None]:
        """Hand a path or address over; return who opens it, if known. ``app_missing``, or ``app_failed``."""
        ...


class Notifier(Protocol):
    """Shows notifications."""

    def assess(self) -> Availability:
        """Say whether it can (capability ``notifications``)."""
        ...

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Show a notification; both texts are plain. ``server_missing`` or ``not_settled``."""
        ...


class ScreenLock(Protocol):
    """Locks the person's session."""

    def assess(self) -> Availability:
        """Say whether it can (capability ``session_lock``)."""
        ...

    async def lock(self, timeout_s: float) -> bool | None:
        """Lock the screen; return whether it is, None if that isn't said. ``server_missing`` or ``not_settled``."""
        ...


class Power(Protocol):
    """Sleep, shutdown and restart."""

    def assess(self) -> Availability:
        """Say whether it can (capability ``power``)."""
        ...

    async def sleep(self) -> None:
        """Order the machine to sleep; an UnsupportedError if it says that it can't."""
        ...

    async def schedule(self, action: PowerAction, delay_s: float) -> ScheduledPower | None:
        """Order a shutdown or restart, as ``sleep``; return what is ordered, None where it isn't said."""
        ...

    async def scheduled(self) -> ScheduledPower | None:
        """Return what is ordered now, where the system says so."""
        ...

    async def cancel(self) -> bool:
        """Call off what is ordered; return whether there was anything."""
        ...


class Brightness(Protocol):
    """The brightness of the screen, in percent."""

    def assess(self) -> Availability:
        """Say whether it can be set (capability ``brightness``)."""
        ...

    async def read(self) -> float:
        """Return the brightness; ``device_missing`` without a screen that has one."""
        ...

    async def write(self, level_percent: float) -> None:
        """Set the brightness; ``device_missing`` or ``no_permission``."""
        ...


class MachineFacts(Protocol):
    """What the machine knows of itself."""

    def assess_battery(self) -> Availability:
        """Say whether there is a battery (capability ``battery``)."""
        ...

    def now(self) -> datetime:
        """Return the time with its zone."""
        ...

    async def battery(self) -> Battery | None:
        """Return the battery; None where there is none."""
        ...

    async def cpu(self) -> Cpu:
        """Return the processor and its load over a fifth of a second."""
        ...

    async def memory(self) -> MemoryFacts:
        """Return the memory."""
        ...

    async def disks(self) -> tuple[Disk, ...]:
        """Return the volumes, that of the workspace first."""
        ...

    async def network(self) -> NetworkFacts:
        """Return the interfaces and their addresses; nothing is sent."""
        ...

    async def operating_system(self) -> OperatingSystem:
        """Return the system's name and version."""
        ...

    async def uptime_s(self) -> float:
        """Return the seconds since the machine was started."""
        ...

    async def displays(self) -> tuple[DisplayFacts, ...]:
        """Return the displays; ``server_missing`` if none answers."""
        ...
