"""Parts of the system tools on Linux: gio or xdg-open for files, the kernel or logind for the backlight, notifications over the bus."""

import asyncio
import os
import shutil
from collections.abc import Mapping
from html import escape
from pathlib import Path

from dbus_fast import Variant

from actuators.base import Availability
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError, ask_names
from actuators.system.ports.devices import Shown, Urgency
from actuators.system.processes.program_launcher import start_detached
from actuators.system.processes.psutil_processes import wait_for_exit
from core.base.errors import ActionError, DeviceError, UnsupportedError
from core.base.late_dataclasses import dataclass

_NAME = "org.freedesktop.Notifications"
_SERVER = BusObject(_NAME, "/org/freedesktop/Notifications", _NAME)
_URGENCIES: Mapping[Urgency, int] = {"low": 0, "normal": 1, "critical": 2}
_OWN_TIME = -1
"""Lets the server decide how long it shows a notification."""


class BusNotifier:
    """Shows notifications through whichever server the desktop has."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def assess(self) -> Availability:
        """Say whether a notification server runs or would be started."""
        names = ask_names(self._bus.address)
        if names is None:
            remedy = "Start Surehand within a desktop session, or set DBUS_SESSION_BUS_ADDRESS."
            return Availability("notifications", available=False, reason="no session bus answers", remedy=remedy)
        if _NAME not in names:
            remedy = "Start one, such as dunst."
            return Availability("notifications", available=False, reason="no notification server runs", remedy=remedy)
        return Availability("notifications", available=True, reason="a notification server on the session bus")

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Show a notification; what the server would take for markup is escaped."""
        try:
            abilities: list[str] = (await self._bus.call(_SERVER, "GetCapabilities"))[0]
            server: list[str] = await self._bus.call(_SERVER, "GetServerInformation")
            body = escape(message, quote=False) if "body-markup" in abilities else message
            hints = {"urgency": Variant("y", _URGENCIES[urgency])}
            number: int = (
                await self._bus.call(
                    _SERVER, "Notify", "susssasa{sv}i", "Surehand", 0, "", title, body, [], hints, _OWN_TIME
                )
            )[0]
        except BusRefusalError as error:
            raise DeviceError(
                f"No notification server accepted it: {error.message}",
                code="server_missing",
                hint="Start one, such as dunst.",
                evidence=error.evidence,
            ) from error
        return Shown(number, server[0], {"vendor": server[1], "version": server[2], "urgency": urgency})


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


_OPENERS = (("gio", "open"), ("xdg-open",))
_GRACE_S = 2.0
_NOTHING_OPENS_IT = (
    "no application is registered",
    "no default application",
    "failed to find default application",
    "no method available",
)


class LinuxOpener:
    """Hands over to the first of the desktop's openers that is installed."""

    def __init__(self, variables: Mapping[str, str], folder: Path) -> None:
        self._variables = dict(variables)
        self._folder = folder

    def assess(self) -> Availability:
        """Say whether there is an opener and a display."""
        command = self._find()
        if command is None:
            remedy = "Install xdg-utils, or libglib2.0-bin for gio."
            return Availability(
                "opener", available=False, reason="neither gio nor xdg-open is installed", remedy=remedy
            )
        if not (self._variables.get("DISPLAY") or self._variables.get("WAYLAND_DISPLAY")):
            remedy = "Start Surehand within a desktop session, or set DISPLAY."
            return Availability("opener", available=False, reason="there is no display", remedy=remedy)
        return Availability("opener", available=True, reason=" ".join(command))

    async def open(self, target: str, timeout_s: float) -> dict[str, str | int | None]:
        """Hand a path or an address over. An opener that becomes the program itself, as xdg-open may, is let go."""
        command = self._find()
        if command is None:
            raise UnsupportedError(self.assess().reason, hint=self.assess().remedy)
        started = await asyncio.to_thread(start_detached, [*command, target], self._folder, self._variables)
        try:
            ended = await wait_for_exit(started.process.pid, min(_GRACE_S, timeout_s))
            words, code = started.last_words(), started.process.wait() if ended else None
        finally:
            started.let_go()
        if code:
            raise _explain(target, command, code, words)
        pid = None if ended else started.process.pid
        return {"application": None, "pid": pid, "opener": " ".join(command), "exit_code": code}

    def _find(self) -> list[str] | None:
        for name, *options in _OPENERS:
            if found := shutil.which(name, path=self._variables.get("PATH")):
                return [found, *options]
        return None


def _explain(target: str, command: list[str], code: int, words: str) -> ActionError:
    evidence = {"target": target, "opener": " ".join(command), "exit_code": code, "words": words}
    if any(each in words.casefold() for each in _NOTHING_OPENS_IT):
        return DeviceError(
            f"The desktop has no program for {target}: {words.rstrip('.')}.",
            code="app_missing",
            hint="Install one, or set the default program for its type.",
            evidence=evidence,
        )
    return ActionError(
        f"{target} could not be opened: {words.rstrip('.') or f'code {code}'}.",
        code="app_failed",
        hint="Try to open it by hand to see why.",
        evidence=evidence,
    )
