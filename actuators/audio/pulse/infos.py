"""What PulseAudio's records mean, as devices, streams and levels."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from actuators.audio.ports import AudioDevice, AudioStream, AudioTarget

FULL_PERCENT = 100.0
NO_INDEX = 2**32 - 1
STATES = ("running", "idle", "suspended")


class DeviceInfo(Protocol):
    """A sink or a source, as pulsectl has it."""

    index: int
    name: str
    description: str
    mute: int
    volume: Any
    state: Any
    port_active: Any


class StreamInfo(Protocol):
    """What plays into a sink or records from a source, as pulsectl has it."""

    index: int
    name: str
    mute: int
    volume: Any
    proplist: Mapping[str, str]


def read_device(info: DeviceInfo, target: AudioTarget, default: str) -> AudioDevice:
    """Return a device; the default of its target is known by its name."""
    return AudioDevice(
        id=info.name,
        name=info.description or info.name,
        target=target,
        level_percent=read_level(info.volume.values),
        muted=bool(info.mute),
        is_default=info.name == default,
        state=_read_state(info),
    )


def read_stream(info: StreamInfo, target: AudioTarget, device: str) -> AudioStream:
    """Return a stream that is played or recorded; its device's name is empty where it has none yet."""
    pid = info.proplist.get("application.process.id", "")
    return AudioStream(
        id=str(info.index),
        app=name_app(info),
        binary=info.proplist.get("application.process.binary", ""),
        pid=int(pid) if pid.isdecimal() else 0,
        target=target,
        device=device,
        level_percent=read_level(info.volume.values),
        muted=bool(info.mute),
    )


def name_app(info: StreamInfo) -> str:
    """Return the name of the application that a stream belongs to; empty where it is the server's own."""
    names = (info.proplist.get(key, "") for key in ("application.name", "application.process.binary"))
    return next(filter(None, names), "")


def read_level(values: Sequence[float]) -> float:
    """Return the level in percent of what channels have: the loudest counts, as in the system's own mixers."""
    return round(max(values, default=0.0) * FULL_PERCENT, 2)


def spread_level(level_percent: float, balance: Sequence[float]) -> list[float]:
    """Return what channels get, 1.0 being full, so that the loudest has this level and the balance is kept, if there was any."""
    loudest = max(balance, default=0.0)
    shares = [value / loudest for value in balance] if loudest > 0 else [1.0] * len(balance)
    return [share * level_percent / FULL_PERCENT for share in shares]


def _read_state(info: DeviceInfo) -> str:
    if info.port_active is not None and info.port_active.available == "no":
        return "unplugged"
    return next((state for state in STATES if info.state == state), "unknown")
