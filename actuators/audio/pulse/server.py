"""PulseServer: the sound of Linux, through PulseAudio or through PipeWire's stand-in for it.

The level is the system's own cubic scale, which every mixer there shows: 50 is an eighth of the amplitude, -18 dB.
Devices are addressed by name: their numbers change when the server is restarted.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from actuators.audio.mixing.programs import play_file
from actuators.audio.ports import AudioDevice, AudioPart, AudioStream, AudioTarget
from actuators.audio.pulse.connection import (
    ANSWER_LIMIT_S,
    GoneError,
    PulseConnection,
    Result,
    Work,
    answers,
    find_address,
    find_missing,
)
from actuators.base import Availability
from core.base.errors import DeviceError

FULL_PERCENT = 100.0
NO_INDEX = 2**32 - 1
STATES = ("running", "idle", "suspended")


def read_device(info: Any, target: AudioTarget, default: str) -> AudioDevice:
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


def read_stream(info: Any, target: AudioTarget, device: str) -> AudioStream:
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


def name_app(info: Any) -> str:
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


def _read_state(info: Any) -> str:
    if info.port_active is not None and info.port_active.available == "no":
        return "unplugged"
    return next((state for state in STATES if info.state == state), "unknown")


LOOK_AGAIN_S = 0.1


class PulseServer:
    """Devices and streams of a PulseAudio or PipeWire."""

    scale = "cubic"

    def __init__(self, variables: Mapping[str, str], *, answer_limit_s: float = ANSWER_LIMIT_S) -> None:
        """Connect to nothing yet; the environment says where the server is, which counts as hung after so many seconds."""
        self._address = find_address(variables)
        self._variables = {**variables, "PULSE_SERVER": self._address}
        self._connection = PulseConnection(self._address, answer_limit_s)
        self._balances: dict[str, list[float]] = {}
        self._places: WeakKeyDictionary[Any, dict[AudioTarget, dict[int, str]]] = WeakKeyDictionary()

    def assess(self) -> Availability:
        """Say whether a server accepts connections, and what speaks to it is installed."""
        missing, cure = find_missing()
        if missing:
            return Availability("audio", available=False, reason=missing, remedy=cure)
        if answers(self._address):
            return Availability("audio", available=True, reason=f"A sound server listens at {self._address}.")
        remedy = "Start PipeWire (systemctl --user start pipewire-pulse) or PulseAudio (pulseaudio --start)."
        return Availability(
            "audio", available=False, reason=f"No sound server answers at {self._address}.", remedy=remedy
        )

    async def devices(self, target: AudioTarget) -> tuple[AudioDevice, ...]:
        """Return the devices of a target; monitors of outputs are left out."""

        async def read(pulse: Any) -> tuple[AudioDevice, ...]:
            server, infos = await asyncio.gather(pulse.server_info(), _list_devices(pulse, target))
            return tuple(read_device(info, target, _name_default(server, target)) for info in infos)

        self._connection.forget_changes()
        return await self._connection.run(read)

    async def streams(self, target: AudioTarget) -> tuple[AudioStream, ...]:
        """Return what applications play or record; streams of the server's own modules are left out."""

        async def read(pulse: Any) -> tuple[AudioStream, ...]:
            infos = await (pulse.sink_input_list() if target == "output" else pulse.source_output_list())
            heard = [info for info in infos if name_app(info)]
            names = await self._name_places(pulse, target, {_place(info, target) for info in heard} - {NO_INDEX})
            return tuple(read_stream(info, target, names.get(_place(info, target), "")) for info in heard)

        self._connection.forget_changes()
        return await self._connection.run(read)

    async def await_change(self, timeout_s: float) -> None:
        """Return when the server tells of a change, or the time is up."""
        await self._connection.await_change(timeout_s)

    async def set_level(self, part: AudioPart, level_percent: float) -> None:
        """Set the level of all channels, keeping the balance; that of a device also over silence."""

        async def change(pulse: Any) -> None:
            info = await _find_part(pulse, part)
            balance = self._find_balance(part, info.volume.values)
            info.volume.values = spread_level(level_percent, balance)
            await pulse.volume_set(info, info.volume)

        await self._act(change, _name_part(part))

    async def set_mute(self, part: AudioPart, *, muted: bool) -> None:
        """Silence a device or stream, or not."""

        async def change(pulse: Any) -> None:
            await pulse.mute(await _find_part(pulse, part), muted)

        await self._act(change, _name_part(part))

    async def set_default(self, device: AudioDevice, timeout_s: float) -> None:
        """Make a device the default of its target once the server says that it is; ``not_settled`` if it isn't within the time."""

        async def change(pulse: Any) -> str:
            await pulse.default_set(await _find_part(pulse, device))
            return _name_default(await pulse.server_info(), device.target)

        end_s = time.monotonic() + timeout_s
        self._connection.forget_changes()
        now = await self._act(change, _name_part(device))
        while now != device.id:
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                raise DeviceError(
                    f"The sound server accepted the change, but the default {device.target} is {now or 'none'}, "
                    f"not {device.name}, after {timeout_s:g} s.",
                    code="not_settled",
                    evidence={"wanted": device.id, "default": now},
                )
            await self._connection.await_change(min(left_s, LOOK_AGAIN_S))
            now = await self._find_default(device.target)

    async def move_stream(self, stream: AudioStream, device: AudioDevice) -> None:
        """Order a stream to another device of its target."""

        async def change(pulse: Any) -> None:
            place, found = await asyncio.gather(_find_part(pulse, device), _find_part(pulse, stream))
            move = pulse.sink_input_move if stream.target == "output" else pulse.source_output_move
            await move(found.index, place.index)

        await self._act(change, f"{_name_part(stream)} or the device {device.name}")

    async def play(self, path: str) -> float:
        """Play a sound file by the system's own player; return the seconds that it took."""
        return await play_file(path, self._variables, partial(self._find_default, "output"))

    async def close(self) -> None:
        """End the connection; calling it again does nothing."""
        await self._connection.close()

    async def _act(self, change: Work[Result], what: str) -> Result:
        try:
            return await self._connection.run(change)
        except GoneError as error:
            raise DeviceError(f"{what} is gone.", code="device_missing", evidence={"gone": what}) from error

    def _find_balance(self, part: AudioPart, now: list[float]) -> list[float]:
        """Return what channels have beside each other; a device that is silent has what it had when it was heard last."""
        if isinstance(part, AudioStream):
            return now
        if max(now, default=0.0) > 0:
            self._balances[part.id] = list(now)
        balance = self._balances.get(part.id, [])
        return balance if len(balance) == len(now) else now

    async def _find_default(self, target: AudioTarget) -> str:
        async def read(pulse: Any) -> str:
            return _name_default(await pulse.server_info(), target)

        self._connection.forget_changes()
        return await self._connection.run(read)

    async def _name_places(self, pulse: Any, target: AudioTarget, indices: set[int]) -> Mapping[int, str]:
        """Return the names of devices by number; one connection never gives a number twice, so they are kept for it."""
        known = self._places.setdefault(pulse, {"output": {}, "input": {}})[target]
        if not indices <= known.keys():
            found = await (pulse.sink_list() if target == "output" else pulse.source_list())
            known.update({device.index: device.name for device in found})
        return known


async def _list_devices(pulse: Any, target: AudioTarget) -> list[Any]:
    if target == "output":
        return await pulse.sink_list()
    return [source for source in await pulse.source_list() if source.monitor_of_sink == NO_INDEX]


async def _find_part(pulse: Any, part: AudioPart) -> Any:
    """Return the server's record; raises an error of the library's if it is gone, and ``GoneError`` if a stream's number is another's by now."""
    if isinstance(part, AudioDevice):
        return await (pulse.get_sink_by_name if part.target == "output" else pulse.get_source_by_name)(part.id)
    info = await (pulse.sink_input_info if part.target == "output" else pulse.source_output_info)(int(part.id))
    now = read_stream(info, part.target, "")
    if (now.app, now.binary, now.pid) != (part.app, part.binary, part.pid):
        raise GoneError(part.id)
    return info


def _name_part(part: AudioPart) -> str:
    return f"The {part.target} device {part.name}" if isinstance(part, AudioDevice) else f"{part.app}'s audio stream"


def _name_default(server: Any, target: AudioTarget) -> str:
    return server.default_sink_name if target == "output" else server.default_source_name


def _place(info: Any, target: AudioTarget) -> int:
    return info.sink if target == "output" else info.source
