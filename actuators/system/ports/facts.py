"""Facts about the machine, and how they are said. Pure: who asks the machine is elsewhere."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.base.late_dataclasses import dataclass

_UNITS = ("bytes", "KB", "MB", "GB", "TB", "PB")
_STEP = 1000.0


@dataclass(frozen=True, slots=True)
class Battery:
    """A battery; ``left_s`` is None where the system doesn't know, or where it is charging."""

    charge_percent: float
    charging: bool
    left_s: float | None = None


@dataclass(frozen=True, slots=True)
class Cpu:
    """The processor."""

    load_percent: float
    cores: int
    threads: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class MemoryFacts:
    """The memory; ``available_bytes`` is what programs could still get."""

    total_bytes: int
    available_bytes: int
    used_percent: float


@dataclass(frozen=True, slots=True)
class Disk:
    """A volume."""

    mount: str
    total_bytes: int
    free_bytes: int
    used_percent: float


@dataclass(frozen=True, slots=True)
class NetworkInterface:
    """An interface with its addresses; the loopback one is left out."""

    name: str
    up: bool
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """The interfaces; whether anything is reached through them isn't tried."""

    host_name: str
    interfaces: tuple[NetworkInterface, ...]


@dataclass(frozen=True, slots=True)
class OperatingSystem:
    """The operating system; ``name`` is the one for people."""

    name: str
    kernel: str
    architecture: str


@dataclass(frozen=True, slots=True)
class DisplayFacts:
    """A display in pixels; ``index`` counts from 0."""

    index: int
    width_px: int
    height_px: int
    x_px: int = 0
    y_px: int = 0


def say_time(now: datetime) -> str:
    """Say the time and the day."""
    zone = now.tzname() or "local time"
    return f"It is {now:%H:%M} ({zone}) on {now:%A}, {now.day} {now:%B %Y}."


def say_battery(battery: Battery) -> str:
    """Say how full the battery is."""
    state = "and charging" if battery.charging else "and not charging"
    left = f"; about {say_duration(battery.left_s)} left" if battery.left_s is not None else ""
    return f"The battery is at {battery.charge_percent:.0f} percent {state}{left}."


def say_cpu(cpu: Cpu) -> str:
    """Say how busy the processor is."""
    return f"The processor is {cpu.load_percent:.0f} percent busy; it has {_count(cpu.threads, 'thread')}."


def say_memory(memory: MemoryFacts) -> str:
    """Say how much memory is left."""
    return f"{say_bytes(memory.available_bytes)} of {say_bytes(memory.total_bytes)} of memory is available."


def say_disks(disks: Sequence[Disk]) -> str:
    """Say how much room is left on the first volume, and how many there are."""
    if not disks:
        return "No volume found."
    first = disks[0]
    others = len(disks) - 1
    more = f" There {'is' if others == 1 else 'are'} {_count(others, 'other volume')}." if others else ""
    return f"{say_bytes(first.free_bytes)} of {say_bytes(first.total_bytes)} is free on {first.mount}.{more}"


def say_network(network: NetworkFacts) -> str:
    """Say which interfaces are up."""
    ups = [each for each in network.interfaces if each.up and each.addresses]
    if not ups:
        return "No network interface has an address."
    return "Connected through " + ", ".join(f"{each.name} ({each.addresses[0]})" for each in ups) + "."


def say_system(system: OperatingSystem) -> str:
    """Say which system this is."""
    return f"This is {system.name} on {system.architecture}."


def say_displays(displays: Sequence[DisplayFacts]) -> str:
    """Say which displays there are."""
    if not displays:
        return "There is no display."
    sizes = ", ".join(f"{each.width_px} by {each.height_px} pixels" for each in displays)
    return f"There {'is' if len(displays) == 1 else 'are'} {_count(len(displays), 'display')}: {sizes}."


def say_bytes(count: int) -> str:
    """Say a number of bytes in units of 1000, with three digits at most behind the point cut off."""
    value = float(count)
    for unit in _UNITS[:-1]:
        if round(value, 1) < _STEP:
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= _STEP
    return f"{value:.1f} {_UNITS[-1]}"


def say_duration(seconds: float) -> str:
    """Say a time span in its two largest units."""
    whole = timedelta(seconds=max(0, round(seconds)))
    hours, rest = divmod(whole.seconds, 3600)
    minutes, last = divmod(rest, 60)
    parts = [(whole.days, "day"), (hours, "hour"), (minutes, "minute"), (last, "second")]
    first = next((index for index, (count, _) in enumerate(parts) if count), len(parts) - 1)
    said = [_count(count, unit) for count, unit in parts[first : first + 2] if count]
    return " and ".join(said) or "0 seconds"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
