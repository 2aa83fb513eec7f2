"""A sound system in memory, for dry runs, simulation and faults on purpose, and the audio tools on it.

A typical use::

    sound = FakeSound([AudioDevice("speakers", "Speakers", "output", 40.0, muted=False, is_default=True)])
    tools = AudioTools(FakeServer(sound, [SoundFault("set_level", "ignored")]))
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal

from actuators.audio.mixing.mixer import AudioBackEnd
from actuators.audio.ports import PLAYER, AudioDevice, AudioPart, AudioStream, AudioTarget
from actuators.base import Availability
from core.base.errors import DeviceError, FileError
from core.base.late_dataclasses import dataclass, field, replace

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

    async def set_level(self, part: AudioPart, level_percent: float) -> None:
        """Set the level of a device or stream."""
        self._change("set_level", part, lambda: self._put(part, level_percent=level_percent))

    async def set_mute(self, part: AudioPart, *, muted: bool) -> None:
        """Silence a device or stream, or not."""
        self._change("set_mute", part, lambda: self._put(part, muted=muted))

    async def set_default(self, device: AudioDevice, timeout_s: float) -> None:
        """Make a device the default of its target; ``not_settled`` if a fault keeps it from being so."""
        self._change("set_default", device, lambda: self._choose(device))
        await self.await_change(timeout_s)
        if self._trouble("set_default") == "ignored":
            raise DeviceError(f"{device.name} did not become the default.", code="not_settled")

    async def move_stream(self, stream: AudioStream, device: AudioDevice) -> None:
        """Send a stream to another device."""
        self._find(device)
        self._change("move_stream", stream, lambda: self._put(stream, device=device.id))

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

    def _change(self, call: str, part: AudioPart, change: Callable[[], None]) -> None:
        trouble = self._take(call)
        if trouble == "target_gone":
            self.sound.devices[:] = [device for device in self.sound.devices if device.id != part.id]
            self.sound.streams[:] = [stream for stream in self.sound.streams if stream.id != part.id]
        self._find(part)
        devices, streams = self.sound.devices.copy(), self.sound.streams.copy()
        if trouble == "late":
            self._late.append(change)
        elif trouble != "ignored":
            change()
        if trouble == "taken_back":
            self.sound.devices[:], self.sound.streams[:] = devices, streams

    def _put(self, part: AudioPart, **changes: Any) -> None:
        parts, at = self._find(part)
        parts[at] = replace(parts[at], **changes)

    def _choose(self, device: AudioDevice) -> None:
        self._find(device)
        self.sound.devices[:] = [
            replace(each, is_default=each.id == device.id) if each.target == device.target else each
            for each in self.sound.devices
        ]

    def _find(self, part: AudioPart) -> tuple[list[Any], int]:
        kind, parts = (
            ("Device", self.sound.devices) if isinstance(part, AudioDevice) else ("Stream", self.sound.streams)
        )
        found = next((at for at, each in enumerate(parts) if each.id == part.id), None)
        if found is None:
            raise DeviceError(f"{kind} {part.id} does not exist.", code="device_missing", evidence={"id": part.id})
        return parts, found


def make_fake_back_end(sound: FakeSound, faults: Iterable[SoundFault] = ()) -> AudioBackEnd:
    """Return the audio tools on a simulated sound system."""
    return AudioBackEnd(FakeServer(sound, faults))
