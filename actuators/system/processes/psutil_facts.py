"""What the machine knows of itself, by psutil and the standard library; nothing is sent anywhere."""

import asyncio
import platform
import socket
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil

from actuators.base import Availability
from actuators.deadlines import pause
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
from core.base.errors import UnsupportedError

_MEASURED_S = 0.2
_INTERNET = (socket.AF_INET, socket.AF_INET6)
ListDisplays = Callable[[], Awaitable[tuple[DisplayFacts, ...]]]


class PsutilFacts:
    """The facts of this machine."""

    def __init__(self, workspace: Path, list_displays: ListDisplays | None = None) -> None:
        """Ask nothing yet; the workspace's volume is told first."""
        self._workspace = workspace
        self._list_displays = list_displays

    def assess_battery(self) -> Availability:
        """Say whether there is a battery."""
        if _read_battery() is not None:
            return Availability("battery", available=True, reason="the system reports a battery")
        remedy = "Ask on a machine that has one."
        return Availability("battery", available=False, reason="this machine has no battery", remedy=remedy)

    def now(self) -> datetime:
        """Return the time with its zone."""
        return datetime.now().astimezone()

    async def battery(self) -> Battery | None:
        """Return the battery."""
        found = await asyncio.to_thread(_read_battery)
        if found is None:
            return None
        known = isinstance(found.secsleft, int | float) and found.secsleft > 0 and not found.power_plugged
        return Battery(round(found.percent, 1), bool(found.power_plugged), found.secsleft if known else None)

    async def cpu(self) -> Cpu:
        """Return the processor and its load over a fifth of a second."""
        before = psutil.cpu_times()
        await pause(_MEASURED_S)
        load = _measure_load(before, psutil.cpu_times())
        threads = psutil.cpu_count() or 1
        return Cpu(load, psutil.cpu_count(logical=False) or threads, threads, await asyncio.to_thread(_read_cpu_name))

    async def memory(self) -> MemoryFacts:
        """Return the memory."""
        found = psutil.virtual_memory()
        return MemoryFacts(found.total, found.available, found.percent)

    async def disks(self) -> tuple[Disk, ...]:
        """Return the volumes, that of the workspace first."""
        return await asyncio.to_thread(self._read_disks)

    async def network(self) -> NetworkFacts:
        """Return the interfaces and their addresses."""
        return await asyncio.to_thread(_read_network)

    async def operating_system(self) -> OperatingSystem:
        """Return the system's name and version."""
        return await asyncio.to_thread(_read_system)

    async def uptime_s(self) -> float:
        """Return the seconds since the machine was started."""
        return round(time.time() - psutil.boot_time(), 1)

    async def displays(self) -> tuple[DisplayFacts, ...]:
        """Return the displays."""
        if self._list_displays is None:
            raise UnsupportedError(
                "Nothing here can list the displays.", hint="Install Surehand with the extra desktop."
            )
        return await self._list_displays()

    def _read_disks(self) -> tuple[Disk, ...]:
        mounts = [each.mountpoint for each in psutil.disk_partitions() if Path(each.mountpoint).is_dir()]
        home = self._workspace.resolve()
        own = max((each for each in mounts if home.is_relative_to(each)), key=len, default=str(home.anchor))
        ordered = dict.fromkeys([own, *mounts])
        return tuple(each for each in map(_read_disk, ordered) if each)


def _read_battery() -> Any:
    ask = getattr(psutil, "sensors_battery", None)
    return ask() if ask else None


def _measure_load(before: Any, after: Any) -> float:
    passed = sum(after) - sum(before)
    idle = after.idle - before.idle + getattr(after, "iowait", 0.0) - getattr(before, "iowait", 0.0)
    return round(min(max((passed - idle) / passed * 100, 0.0), 100.0), 1) if passed > 0 else 0.0


def _read_cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        return platform.processor()
    return platform.processor()


def _read_disk(mount: str) -> Disk | None:
    try:
        found = psutil.disk_usage(mount)
    except OSError:  # a drive without a medium, or one that this user has no permission to see
        return None
    return Disk(mount, found.total, found.free, found.percent) if found.total else None


def _read_network() -> NetworkFacts:
    states = psutil.net_if_stats()
    interfaces = [
        NetworkInterface(
            name,
            name in states and states[name].isup,
            tuple(each.address.partition("%")[0] for each in addresses if each.family in _INTERNET),
        )
        for name, addresses in sorted(psutil.net_if_addrs().items())
        if not any(each.address in {"127.0.0.1", "::1"} for each in addresses)
    ]
    return NetworkFacts(socket.gethostname(), tuple(interfaces))


def _read_system() -> OperatingSystem:
    system, release = platform.system(), platform.release()
    name = f"{system} {release}"
    if system == "Linux":
        try:
            name = platform.freedesktop_os_release().get("PRETTY_NAME", name)
        except OSError:
            name = f"Linux {release}"
    elif system == "Darwin":
        name = f"macOS {platform.mac_ver()[0]}"
    return OperatingSystem(name, f"{system} {release}", platform.machine())
