"""FakeServer: a sound system in memory, for dry runs, simulation and faults on purpose.

A typical use::

    sound = FakeSound([AudioDevice("speakers", "Speakers", "output", 40.0, muted=False, is_default=True)])
    tools = AudioTools(FakeServer(sound, [SoundFault("set_device_level", "ignored")]))
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from actuators.audio.ports import PLAYER, AudioDevice, AudioStream, AudioTarget
from actuators.base import Availability
from core.base.errors import DeviceError, FileError

Trouble = Literal["server_gone", "target_gone", "ignored", "late", "taken_back"]
"""``server_gone``: nothing answers; ``target_gone``: what is acted on vanishes before; ``ignored``: the call returns and
nothing changes; ``late``: it changes when somebody waits for it; ``taken_back``: it changes, and then back again."""

EVERY = 0
STEPS_OF_A_SOUND = 20


@dataclass(frozen=True, slots=True)
class SoundFault:
    """One thing that goes wrong with a call of a method, from 1; ``EVERY`` (0) for all of them."""

    call: str
    trouble: Trouble
    number: int = 1


@dataclass(slots=True)
class FakeSound:
    """The state of a simulated sound system, which its maker may change at any time; at most one default for each target."""

    devices: list[AudioDevice] = field(default_factory=list[AudioDevice])
    streams: list[AudioStream] = field(default_factory=list[AudioStream])
    played: list[str] = field(default_factory=list[str])
    unplayable: set[str] = field(default_factory=set[str])
    lasting: bool = False


class FakeServer:
    """Devices and streams of a ``FakeSound``."""

    scale = "linear"

    def __init__(self, sound: FakeSound, faults: Iterable[SoundFault] = ()) -> None:
        self.sound = sound
        self._faults = tuple(faults)
        self._calls: Counter[str] = Counter()
        self._late: list[Callable[[], None]] = []

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("audio", available=True, reason="A simulated sound system.")

    async def devices(self, target: AudioTarget) -> tuple[AudioDevice, ...]:
        """Return the devices of a target."""
        self._take("devices")
        return tuple(device for device in self.sound.devices if device.target == target)

    async def streams(self, target: AudioTarget) -> tuple[AudioStream, ...]:
        """Return what applications play or record."""
        self._take("streams")
        return tuple(stream for stream in self.sound.streams if stream.target == target)

    async def await_change(self, timeout_s: float) -> None:
        """Let happen what is late; no time passes here."""
        del timeout_s
        while self._late:
            self._late.pop(0)()
        await asyncio.sleep(0)

    async def set_device_level(self, device: AudioDevice, level_percent: float) -> None:
        """Set the level of a device."""
        self._change("set_device_level", device, lambda: self._put_device(device.id, level_percent=level_percent))

    async def set_device_mute(self, device: AudioDevice, *, muted: bool) -> None:
        """Silence a device or not."""
        self._change("set_device_mute", device, lambda: self._put_device(device.id, muted=muted))

    async def set_stream_level(self, stream: AudioStream, level_percent: float) -> None:
        """Set the level of a stream."""
        self._change("set_stream_level", stream, lambda: self._put_stream(stream.id, level_percent=level_percent))

    async def set_stream_mute(self, stream: AudioStream, *, muted: bool) -> None:
        """Silence a stream or not."""
        self._change("set_stream_mute", stream, lambda: self._put_stream(stream.id, muted=muted))

    async def set_default(self, device: AudioDevice, timeout_s: float) -> None:
        """Make a device the default of its target; ``not_settled`` if a fault keeps it from being so."""
        self._change("set_default", device, lambda: self._choose(device))
        await self.await_change(timeout_s)
        if self._trouble("set_default") == "ignored":
            raise DeviceError(f"{device.name} did not become the default.", code="not_settled")

    async def move_stream(self, stream: AudioStream, device: AudioDevice) -> None:
        """Send a stream to another device."""
        self._find_device(device.id)
        self._change("move_stream", stream, lambda: self._put_stream(stream.id, device=device.id))

    async def play(self, path: str) -> float:
        """Show a stream of ours for a moment, or until cancelled; return 0 s. ``wrong_type`` if the file is declared no sound."""
        self._take("play")
        if path in self.sound.unplayable:
            raise FileError(f"{path} is not a sound that can be played.", code="wrong_type", evidence={"path": path})
        default = next((each.id for each in self.sound.devices if each.target == "output" and each.is_default), "")
        stream = AudioStream(f"play-{self._calls['play']}", PLAYER, "", 0, "output", default, 100.0, muted=False)
        self.sound.streams.append(stream)
        try:
            if self.sound.lasting:
                await asyncio.Event().wait()
            for _ in range(STEPS_OF_A_SOUND):
                await asyncio.sleep(0)
        finally:
            self.sound.streams.remove(stream)
        self.sound.played.append(path)
        return 0.0

    async def close(self) -> None:
        """Keep the state: it belongs to whoever made it."""

    def _take(self, call: str) -> Trouble | None:
        """Count a call and return what goes wrong with it."""
        self._calls[call] += 1
        trouble = self._trouble(call)
        if trouble == "server_gone":
            raise DeviceError("The sound system does not answer.", code="server_missing")
        return trouble

    def _trouble(self, call: str) -> Trouble | None:
        number = self._calls[call]
        for fault in self._faults:
            if fault.call == call and fault.number in {EVERY, number}:
                return fault.trouble
        return None

    def _change(self, call: str, part: AudioDevice | AudioStream, change: Callable[[], None]) -> None:
        trouble = self._take(call)
        if trouble == "target_gone":
            self.sound.devices[:] = [device for device in self.sound.devices if device.id != part.id]
            self.sound.streams[:] = [stream for stream in self.sound.streams if stream.id != part.id]
        if isinstance(part, AudioDevice):
            self._find_device(part.id)
        else:
            self._find_stream(part.id)
        devices, streams = self.sound.devices.copy(), self.sound.streams.copy()
        if trouble == "late":
            self._late.append(change)
        elif trouble != "ignored":
            change()
        if trouble == "taken_back":
            self.sound.devices[:], self.sound.streams[:] = devices, streams

    def _put_device(self, device_id: str, **changes: Any) -> None:
        at = self._find_device(device_id)
        self.sound.devices[at] = replace(self.sound.devices[at], **changes)

    def _put_stream(self, stream_id: str, **changes: Any) -> None:
        at = self._find_stream(stream_id)
        self.sound.streams[at] = replace(self.sound.streams[at], **changes)

    def _choose(self, device: AudioDevice) -> None:
        self._find_device(device.id)
        self.sound.devices[:] = [
            replace(each, is_default=each.id == device.id) if each.target == device.target else each
            for each in self.sound.devices
        ]

    def _find_device(self, device_id: str) -> int:
        found = next((at for at, device in enumerate(self.sound.devices) if device.id == device_id), None)
        if found is None:
            raise DeviceError(f"Device {device_id} does not exist.", code="device_missing", evidence={"id": device_id})
        return found

    def _find_stream(self, stream_id: str) -> int:
        found = next((at for at, stream in enumerate(self.sound.streams) if stream.id == stream_id), None)
        if found is None:
            raise DeviceError(f"Stream {stream_id} does not exist.", code="device_missing", evidence={"id": stream_id})
        return found
