"""Faders: acts on devices and streams, each read back until the world follows."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from actuators.audio.mixing.addressing import Sound, make_missing_error
from actuators.audio.mixing.reports import say_percent
from actuators.audio.ports import AudioServer
from core.base.errors import DeviceError

Result = TypeVar("Result")
LOOK_AGAIN_S = 0.1
TOLERANCE_PERCENT = 1.0


class Faders:
    """Sets the levels and mutes of what is meant, and knows whether they were taken."""

    def __init__(self, server: AudioServer, settle_limit_s: float) -> None:
        """Use this sound system; what doesn't show after so many seconds counts as not done."""
        self._server = server
        self._settle_limit_s = settle_limit_s

    async def apply_levels(self, sound: Sound, wanted: Mapping[str, float]) -> Sound:
        """Set the level of each part in percent by its id; return it as read back, or ``not_settled``."""
        for part in sound.parts:
            if part.level_percent != wanted[part.id]:
                await self.order(sound, self._server.set_level(part, wanted[part.id]))
        after = await self.settle(sound, lambda now: is_level(now, wanted))
        if not is_level(after, wanted):
            read = {part.id: part.level_percent for part in after.parts}
            raise DeviceError(
                f"The volume of {sound.name} was set to {say_percent(max(wanted.values()))}, "
                f"but it is {say_percent(after.level_percent or 0.0)}.",
                code="not_settled",
                hint="Another program may control it; check what does, and try again.",
                evidence={"wanted": dict(wanted), "read": read, **sound.tell()},
            )
        return after

    async def apply_mutes(self, sound: Sound, wanted: Mapping[str, bool]) -> Sound:
        """Silence each part or not, and return those that last as read back; ``not_settled`` if they don't follow."""
        for part in sound.parts:
            if part.muted != wanted[part.id]:
                await self.order(sound, self._server.set_mute(part, muted=wanted[part.id]))
        after = await self.settle(sound, lambda now: is_muted(now, wanted))
        if not is_muted(after, wanted):
            read = {part.id: part.muted for part in after.parts}
            raise DeviceError(
                f"{sound.name} was {'muted' if all(wanted.values()) else 'unmuted'}, but nothing changed.",
                code="not_settled",
                hint="Another program may control it; check what does, and try again.",
                evidence={"wanted": dict(wanted), "read": read, **sound.tell()},
            )
        return after

    async def read(self, sound: Sound) -> Sound:
        """Return what was found as it is now; ``device_missing`` or ``app_missing`` if nothing of it is left."""
        if not sound.app:
            devices = await self._server.devices(sound.target)
            found = tuple(device for device in devices if device.id in sound.ids)
            if not found:
                raise make_missing_error(devices, sound.name, sound.target)
            return Sound(sound.target, found)
        streams = await self._server.streams(sound.target)
        left = tuple(stream for stream in streams if stream.id in sound.ids)
        if not left:
            raise DeviceError(
                f"{sound.app} no longer plays sound: it stopped meanwhile.", code="app_missing", evidence=sound.tell()
            )
        return Sound(sound.target, left, sound.app, words=sound.words)

    async def order(self, sound: Sound, act: Awaitable[None]) -> None:
        """Do one act; where its device is gone, say what is there, and where a stream has ended, go on without it."""
        try:
            await act
        except DeviceError as error:
            if error.code == "device_missing":
                await self.read(sound)  # knows better what is there
                if sound.app:
                    return
            raise

    async def settle(self, sound: Sound, holds: Callable[[Sound], bool]) -> Sound:
        """Read until it is as it should be or the time is up, and return what was read last."""
        end_s = time.monotonic() + self._settle_limit_s
        while not holds(now := await self.read(sound)) and (left_s := end_s - time.monotonic()) > 0:
            await self._server.await_change(min(left_s, LOOK_AGAIN_S))
        return now


def is_level(sound: Sound, wanted: Mapping[str, float]) -> bool:
    """Tell whether each part is as loud as wanted, or as near as systems round."""
    levels = ((part.level_percent, wanted[part.id]) for part in sound.parts)
    return all(level is not None and abs(level - aim) <= TOLERANCE_PERCENT for level, aim in levels)


def is_muted(sound: Sound, wanted: Mapping[str, bool]) -> bool:
    """Tell whether each part is as silent as wanted."""
    return all(part.muted == wanted[part.id] for part in sound.parts)


async def finish(act: Awaitable[Result]) -> Result:
    """Do something to its end even if whoever waits is cancelled meanwhile; what it raises counts more."""
    task = asyncio.ensure_future(act)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    result = task.result()
    if cancelled is not None:
        raise cancelled
    return result
