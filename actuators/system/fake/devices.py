"""Opener, notifier, lock, power, brightness and facts of the fake machine."""

from datetime import datetime, timedelta

from actuators.base import Availability
from actuators.system.fake.machine import FakeMachinePart, FakeNotification
from actuators.system.ports.devices import PowerAction, ScheduledPower, Shown, Urgency
from actuators.system.ports.facts import Battery, Cpu, Disk, DisplayFacts, MemoryFacts, NetworkFacts, OperatingSystem
from core.base.errors import DeviceError


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
