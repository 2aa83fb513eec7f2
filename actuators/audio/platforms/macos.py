"""The back end of the audio tools on macOS, by the system's own scripting."""

import asyncio
import json
import re
import shutil
from collections.abc import Mapping
from typing import Any

from actuators.audio.mixing.mixer import AudioBackEnd
from actuators.audio.mixing.programs import ask_program, run_player
from actuators.audio.ports import AudioDevice, AudioPart, AudioStream, AudioTarget
from actuators.base import Availability, Environment
from actuators.deadlines import pause
from core.base.errors import DeviceError, UnsupportedError

ANSWER_LIMIT_S = 8.0
LOOK_AGAIN_S = 0.05
YES = "spaudio_yes"
_SETTING = re.compile(r"(output volume|input volume|output muted):([^,\n]+)")
_HINT = "Use System Settings > Sound."


class MacServer:
    """Devices of macOS, by its own taper; what can be changed is the default one."""

    scale = "macos"

    def __init__(self, variables: Mapping[str, str], *, answer_limit_s: float = ANSWER_LIMIT_S) -> None:
        """Start nothing yet; one of the system's programs counts as hung after so many seconds."""
        self._answer_limit_s = answer_limit_s
        self._variables = dict(variables)

    def assess(self) -> Availability:
        """Say whether the system's scripting is there."""
        if shutil.which("osascript", path=self._variables.get("PATH")):
            reason = "macOS' own scripting; not proven on a Mac yet."
            return Availability("audio", available=True, reason=reason)
        return Availability(
            "audio", available=False, reason="osascript is not on this system.", remedy="It comes with macOS."
        )

    async def devices(self, target: AudioTarget) -> tuple[AudioDevice, ...]:
        """Return the devices of a target; only the default one's level is known."""
        settings, listed = await asyncio.gather(self._read_settings(), self._read_profile())
        channels, default = f"coreaudio_device_{target}", f"coreaudio_default_audio_{target}_device"
        return tuple(
            _read_device(item, target, settings if item.get(default) == YES else None)
            for item in listed
            if item.get(channels)
        )

    async def streams(self, target: AudioTarget) -> tuple[AudioStream, ...]:
        """Refuse by an UnsupportedError: macOS tells no script of other programs' sound."""
        raise UnsupportedError(f"macOS does not tell scripts which applications have {target} sound.", hint=_HINT)

    async def await_change(self, timeout_s: float) -> None:
        """Return after a moment: the scripting tells nothing by itself."""
        await pause(min(timeout_s, LOOK_AGAIN_S))

    async def set_level(self, part: AudioPart, level_percent: float) -> None:
        """Set the level of the default device, and of nothing else (UnsupportedError); macOS keeps the balance."""
        if isinstance(part, AudioStream):
            raise UnsupportedError(f"macOS does not let scripts set the volume of {part.app} alone.", hint=_HINT)
        await self._check_default(part)
        await self._script(f"set volume {part.target} volume {round(level_percent)}")

    async def set_mute(self, part: AudioPart, *, muted: bool) -> None:
        """Silence the default output or not; else an UnsupportedError."""
        if isinstance(part, AudioStream):
            raise UnsupportedError(f"macOS does not let scripts mute {part.app} alone.", hint=_HINT)
        if part.target == "input":
            raise UnsupportedError("macOS can't mute microphones.", hint="Set its volume to 0 instead.")
        await self._check_default(part)
        await self._script(f"set volume output muted {'true' if muted else 'false'}")

    async def set_default(self, device: AudioDevice, timeout_s: float) -> None:
        """Refuse by an UnsupportedError: the scripting chooses no devices."""
        del timeout_s
        raise UnsupportedError(f"macOS' scripting can't make {device.name} the default.", hint=_HINT)

    async def move_stream(self, stream: AudioStream, device: AudioDevice) -> None:
        """Refuse by an UnsupportedError: applications choose their device themselves."""
        raise UnsupportedError(f"macOS does not let scripts send {stream.app} to {device.name}.", hint=_HINT)

    async def play(self, path: str) -> float:
        """Play a sound file by ``afplay``; return the seconds that it took."""
        player = shutil.which("afplay", path=self._variables.get("PATH"))
        if player is None:
            raise UnsupportedError("afplay is not on this system.", hint="It comes with macOS.")
        return await run_player([player, path], path, self._variables, self._read_settings)

    async def close(self) -> None:
        """Do nothing: nothing is kept."""

    async def _check_default(self, device: AudioDevice) -> None:
        """Refuse what the scripting would do to another device than the one that is meant."""
        for now in await self.devices(device.target):
            if now.id == device.id:
                if now.is_default:
                    return
                raise UnsupportedError(
                    f"macOS scripts reach only the default {device.target}, and {device.name} is not the default.",
                    hint=_HINT,
                )
        raise DeviceError(f"The {device.target} device {device.name} is gone.", code="device_missing")

    async def _read_settings(self) -> Mapping[str, str]:
        return dict(_SETTING.findall(await self._script("get volume settings")))

    async def _read_profile(self) -> list[Mapping[str, Any]]:
        command = ("system_profiler", "-json", "SPAudioDataType")
        text = await ask_program(command, self._variables, self._answer_limit_s)
        try:
            groups = json.loads(text)["SPAudioDataType"]
            return [item for group in groups for item in group.get("_items", ())]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DeviceError("system_profiler gave output that can't be read.", code="server_missing") from error

    async def _script(self, line: str) -> str:
        return await ask_program(("osascript", "-e", line), self._variables, self._answer_limit_s)


def _read_device(item: Mapping[str, Any], target: AudioTarget, settings: Mapping[str, str] | None) -> AudioDevice:
    """Return a device; its level is known from the settings, which are those of the default one."""
    name = str(item.get("_name", "unknown"))
    if settings is None:
        return AudioDevice(name, name, target, None, muted=False)
    level = settings.get(f"{target} volume", "").strip()
    muted = target == "output" and settings.get("output muted", "").strip() == "true"
    # A device whose volume is fixed, such as a television, has the level "missing value".
    return AudioDevice(name, name, target, float(level) if level.isdecimal() else None, muted=muted, is_default=True)


def make_back_end(environment: Environment) -> AudioBackEnd:
    """Return the audio tools of macOS; nothing is started."""
    return AudioBackEnd(MacServer(environment.variables))
