"""Opening files and addresses with the desktop's own programs: gio or xdg-open."""

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path

from actuators.base import Availability
from actuators.system.processes.program_launcher import start_detached
from actuators.system.processes.psutil_processes import wait_for_exit
from core.base.errors import ActionError, DeviceError, UnsupportedError

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
