"""The brightness of the screen on Linux: read from the kernel's files, set through them or through logind."""

import asyncio
import os
from pathlib import Path

from actuators.base import Availability
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError
from core.base.errors import ActionError, DeviceError
from core.base.late_dataclasses import dataclass

BACKLIGHTS = Path("/sys/class/backlight")
_SESSION = BusObject("org.freedesktop.login1", "/org/freedesktop/login1/session/auto", "org.freedesktop.login1.Session")
_KINDS = ("firmware", "platform", "raw")
"""The kernel's advice: the firmware's own first, the raw one last."""


@dataclass(frozen=True, slots=True)
class _Device:
    folder: Path
    maximum: int

    def read(self) -> int:
        return _read_number(self.folder / "brightness")


class Backlight:
    """The backlight that the kernel advises to use."""

    def __init__(self, bus: Bus, folder: Path = BACKLIGHTS) -> None:
        self._bus = bus
        self._folder = folder

    def assess(self) -> Availability:
        """Say whether there is a backlight."""
        device = self._find()
        if device is None:
            remedy = "Set the brightness of an external screen with its own buttons."
            return Availability("brightness", available=False, reason="the kernel reports no backlight", remedy=remedy)
        direct = os.access(device.folder / "brightness", os.W_OK)
        if not direct and not self._bus.address:
            remedy = "Give this user write permission there, or use a system with logind."
            reason = f"this user has no permission to set {device.folder.name}, and there is no system bus"
            return Availability("brightness", available=False, reason=reason, remedy=remedy)
        return Availability(
            "brightness", available=True, reason=f"{device.folder.name}{'' if direct else ' by logind'}"
        )

    async def read(self) -> float:
        """Return the brightness in percent."""
        device = self._need()
        return device.read() / device.maximum * 100

    async def write(self, level_percent: float) -> None:
        """Set the brightness in percent."""
        device = self._need()
        wanted = round(device.maximum * level_percent / 100)
        file = device.folder / "brightness"
        if os.access(file, os.W_OK):
            await asyncio.to_thread(file.write_text, str(wanted))
            return
        try:
            await self._bus.call(_SESSION, "SetBrightness", "ssu", "backlight", device.folder.name, wanted)
        except BusRefusalError as error:
            raise ActionError(
                f"logind refused to set the brightness: {error.message}",
                code="no_permission",
                hint="Set it from a session on the machine itself.",
                evidence=error.evidence,
            ) from error

    def _need(self) -> _Device:
        device = self._find()
        if device is None:
            raise DeviceError(
                "This machine has no backlight.", code="device_missing", hint="Set it on the screen itself."
            )
        return device

    def _find(self) -> _Device | None:
        folders = sorted(self._folder.iterdir()) if self._folder.is_dir() else []
        folders.sort(key=lambda folder: _KINDS.index(kind) if (kind := _read_word(folder / "type")) in _KINDS else 3)
        for folder in folders:
            if (maximum := _read_number(folder / "max_brightness")) > 0:
                return _Device(folder, maximum)
        return None


def _read_word(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _read_number(file: Path) -> int:
    word = _read_word(file)
    return int(word) if word.isdigit() else 0
