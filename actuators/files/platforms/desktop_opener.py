"""Opening files by the command that a desktop has for it: ``gio open`` or ``xdg-open`` on Linux, ``open`` on macOS."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence

from actuators.base import Availability
from actuators.files.ports import Opened
from core.base.errors import DeadlineError, UnsupportedError
from core.base.phrases import cut_text, escape_text

_LIMIT_S = 15.0
_ASK_LIMIT_S = 5.0


class FileCommandOpener:
    """Opens files by a command."""

    def __init__(self, commands: Sequence[Sequence[str]], variables: Mapping[str, str], *, needs_display: bool) -> None:
        self._commands = commands
        self._variables = dict(variables)
        self._needs_display = needs_display

    def assess(self) -> Availability:
        """Say whether there is a desktop, and a command to ask it with."""
        names = ", ".join(dict.fromkeys(command[0] for command in self._commands))
        if self._needs_display and not (self._variables.get("DISPLAY") or self._variables.get("WAYLAND_DISPLAY")):
            remedy = "Start it in a desktop session, or set DISPLAY."
            return Availability("opener", available=False, reason="no display found", remedy=remedy)
        command = self._find()
        if command is None:
            remedy = "Install xdg-utils (Debian: sudo apt install xdg-utils)."
            return Availability("opener", available=False, reason=f"none of {names} is installed", remedy=remedy)
        return Availability("opener", available=True, reason=f"files are opened by {' '.join(command)}")

    def open(self, path: str) -> Opened:
        """Open a file or folder."""
        command = self._find()
        available = self.assess()
        if command is None or not available.available:
            raise UnsupportedError(f"Files can't be opened here: {available.reason}.", hint=available.remedy)
        application = self._ask_application(path)
        try:
            # What it starts keeps its standard output; a pipe would be held open as long as that runs.
            done = subprocess.run(
                [*command, path],
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_LIMIT_S,
                check=False,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            raise DeadlineError(
                f"{command[0]} did not answer within {_LIMIT_S:g} s.", evidence={"path": path}
            ) from None
        if done.returncode != 0:
            raise UnsupportedError(
                f"No program opened “{escape_text(path)}”: {' '.join(command)} ended with {done.returncode}.",
                hint="Choose a program for this type in the desktop settings.",
                evidence={"path": path, "command": list(command), "code": done.returncode},
            )
        return Opened(application)

    def _find(self) -> Sequence[str] | None:
        search = self._variables.get("PATH")
        return next((command for command in self._commands if shutil.which(command[0], path=search)), None)

    def _ask_application(self, path: str) -> str:
        """Return the desktop entry that is registered for a file's type; empty if nobody can say."""
        kind = self._ask("xdg-mime", "query", "filetype", path)
        entry = self._ask("xdg-mime", "query", "default", kind) if kind else ""
        return cut_text(escape_text(entry.removesuffix(".desktop")), 200)

    def _ask(self, *command: str) -> str:
        try:
            done = subprocess.run(
                command, env=self._variables, capture_output=True, text=True, timeout=_ASK_LIMIT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout.strip()
