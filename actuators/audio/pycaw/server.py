"""PycawServer: Windows' sound system through pycaw. Windows only.

The level is Windows' master scalar, which the volume mixer shows: tapered, so that 50 sounds half as loud as 100.
"""

import asyncio
import functools
import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from actuators.audio.ports import AudioDevice, AudioPart, AudioStream, AudioTarget
from actuators.base import Availability
from actuators.deadlines import pause
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import DeviceError, FileError, SurehandError, UnsupportedError

if sys.platform != "win32":
    raise ImportError("Core Audio is a part of Windows")

import winsound

from actuators.audio.pycaw import endpoints as pycaw_endpoints
from actuators.platforms.com_apartment import join_apartment, leave_apartment

Result = TypeVar("Result")
ANSWER_LIMIT_S = 5.0
ASSESS_LIMIT_S = 2.0
LOOK_AGAIN_S = 0.02
PLAYABLE = ".wav"


class PycawServer:
    """Devices and sessions of Windows, by its own taper."""

    scale = "windows"

    def __init__(self, *, answer_limit_s: float = ANSWER_LIMIT_S) -> None:
        """Start nothing yet; the sound system counts as hung after so many seconds."""
        self._answer_limit_s = answer_limit_s
        self._thread = DeviceThread("core-audio", begin=join_apartment, end=leave_apartment)
        self._player = DeviceThread("sound-player")

    def assess(self) -> Availability:
        """Say whether there is a device to hear, asking for two seconds at most."""
        found: list[str] = []
        failed: list[str] = []

        def look() -> None:
            join_apartment()
            try:
                found.extend(filter(None, (pycaw_endpoints.find_default("output"),)))
            except SurehandError as error:
                failed.append(error.message)
            finally:
                leave_apartment()

        asker = threading.Thread(target=look, name="core-audio-check", daemon=True)
        asker.start()
        asker.join(ASSESS_LIMIT_S)
        if found:
            return Availability("audio", available=True, reason="Windows' sound system by pycaw.")
        reason = failed[0] if failed else "Windows has no sound device that is plugged in and enabled."
        remedy = "Plug in or enable a sound device, and check that the service “Windows Audio” runs."
        if asker.is_alive():
            reason = "Windows' sound system does not answer."
        return Availability("audio", available=False, reason=reason, remedy=remedy)

    async def devices(self, target: AudioTarget) -> tuple[AudioDevice, ...]:
        """Return the devices of a target."""
        return await self._call(functools.partial(pycaw_endpoints.list_devices, target))

    async def streams(self, target: AudioTarget) -> tuple[AudioStream, ...]:
        """Return the sessions of applications that play or record, or did and may again."""
        return await self._call(functools.partial(pycaw_endpoints.list_streams, target))

    async def await_change(self, timeout_s: float) -> None:
        """Return after a moment: Windows is looked at again, and tells nothing by itself here."""
        await pause(min(timeout_s, LOOK_AGAIN_S))

    async def set_level(self, part: AudioPart, level_percent: float) -> None:
        """Set the master level of a device, whose balance Windows keeps, or that of a session, a share of its device's."""
        await self._call(functools.partial(pycaw_endpoints.set_level, part, level_percent))

    async def set_mute(self, part: AudioPart, *, muted: bool) -> None:
        """Silence a device or session, or not."""
        await self._call(functools.partial(pycaw_endpoints.set_mute, part, muted=muted))

    async def set_default(self, device: AudioDevice, timeout_s: float) -> None:
        """Make a device the default for all uses once Windows says that it is; ``not_settled`` if it isn't within the time."""
        end_s = time.monotonic() + timeout_s
        await self._call(functools.partial(pycaw_endpoints.set_default, device.id))
        while (now := await self._call(functools.partial(pycaw_endpoints.find_default, device.target))) != device.id:
            if time.monotonic() >= end_s:
                raise DeviceError(
                    f"Windows accepted the change, but the default {device.target} is not {device.name} after {timeout_s:g} s.",
                    code="not_settled",
                    evidence={"wanted": device.id, "default": now},
                )
            await pause(LOOK_AGAIN_S)

    async def move_stream(self, stream: AudioStream, device: AudioDevice) -> None:
        """Refuse by an UnsupportedError: Windows lets no program send another one's sound elsewhere."""
        raise UnsupportedError(
            f"Windows offers no way to send the sound of {stream.app} to {device.name}.",
            hint="Choose the device in Settings > System > Sound > Volume mixer, or make it the default.",
        )

    async def play(self, path: str) -> float:
        """Play a ``.wav`` file to its end; return the seconds. ``wrong_type`` if Windows can't play what is in it."""
        if not path.lower().endswith(PLAYABLE):
            raise UnsupportedError("Windows plays only .wav files without a player.", hint="Convert it to .wav.")
        start_s = time.monotonic()
        flags = winsound.SND_FILENAME | winsound.SND_NODEFAULT
        try:
            await self._player.run(functools.partial(winsound.PlaySound, path, flags), timeout_s=None)
        except RuntimeError as error:
            raise FileError(f"Windows could not play {path}.", code="wrong_type", evidence={"path": path}) from error
        except asyncio.CancelledError:
            winsound.PlaySound(None, winsound.SND_PURGE)  # silence at once; the thread comes back by itself
            raise
        return time.monotonic() - start_s

    async def close(self) -> None:
        """Let the threads end; calling it again does nothing."""
        await self._thread.close()
        await self._player.close()

    async def _call(self, work: Callable[[], Result]) -> Result:
        try:
            return await self._thread.run(work, timeout_s=self._answer_limit_s)
        except TimeoutError as error:
            raise DeviceError(
                f"Windows' sound system did not answer within {self._answer_limit_s:g} s.",
                code="server_missing",
                hint="Restart the service “Windows Audio” (Audiosrv).",
            ) from error
