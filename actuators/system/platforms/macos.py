"""The system tools on macOS, by the system's own commands. Not tried on a real Mac yet."""

import asyncio
import plistlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from actuators.base import Availability, Environment
from actuators.clipboard.macos import MacClipboard
from actuators.system.ports.parts import SystemParts
from actuators.system.ports.programs import Application, AppWindow
from actuators.system.processes.commands import (
    CommandLock,
    CommandNotifier,
    CommandOpener,
    SystemCommand,
    SystemCommands,
)
from actuators.system.processes.program_files import ProgramFiles
from actuators.system.processes.program_launcher import ProgramLauncher
from actuators.system.processes.psutil_facts import PsutilFacts
from actuators.system.processes.psutil_processes import PsutilProcesses
from actuators.system.processes.shutdown_command import MACOS_COMMANDS, ShutdownCommand
from actuators.system.tools.back_end import SystemBackEnd
from core.base.errors import UnsupportedError


class AbsentWindows:
    """No windows can be seen."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def list(self) -> tuple[AppWindow, ...]:
        """Return none."""
        return ()

    async def wait_for(
        self, accepts: Callable[[Sequence[AppWindow]], AppWindow | None], timeout_s: float
    ) -> AppWindow | None:
        """Refuse by an UnsupportedError."""
        del accepts, timeout_s
        raise UnsupportedError(self._reason, hint="Wait for “started” instead.")

    async def close_windows(self, windows: Sequence[AppWindow]) -> None:
        """Close none."""

    async def close(self) -> None:
        """Do nothing."""


class AbsentBrightness:
    """The brightness can't be set."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def assess(self) -> Availability:
        """Say why."""
        remedy = "Set it by hand."
        return Availability("brightness", available=False, reason=self._reason, remedy=remedy)

    async def read(self) -> float:
        """Refuse by an UnsupportedError."""
        raise UnsupportedError(self._reason, hint="Look at the screen's own settings.")

    async def write(self, level_percent: float) -> None:
        """Refuse by an UnsupportedError."""
        del level_percent
        raise UnsupportedError(self._reason, hint="Set it by hand.")


_FOLDERS = ("/Applications", "/Applications/Utilities", "/System/Applications", "/System/Applications/Utilities")
_NOTIFY = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
_LOCK = 'tell application "System Events" to keystroke "q" using {control down, command down}'


class MacLauncher(ProgramLauncher):
    """Starts the programs within application bundles, and executables."""

    def assess(self) -> Availability:
        """Say what can be started."""
        return Availability("launcher", available=True, reason="application bundles and executables")

    async def applications(self) -> tuple[Application, ...]:
        """Return the application bundles."""
        found = await asyncio.to_thread(lambda: list(self._read_bundles()))
        return tuple(sorted(found, key=lambda each: (each.name.casefold(), each.id)))

    def _read_bundles(self) -> Iterator[Application]:
        for folder in (*_FOLDERS, str(Path(self.variables.get("HOME", "/"), "Applications"))):
            for bundle in sorted(Path(folder).glob("*.app")):
                if found := read_bundle(bundle):
                    yield found


def read_bundle(bundle: Path) -> Application | None:
    """Return the application of a bundle; None if it has no program."""
    try:
        with (bundle / "Contents" / "Info.plist").open("rb") as file:
            facts: dict[str, Any] = plistlib.load(file, fmt=None)
    except (OSError, plistlib.InvalidFileException, ValueError):
        return None
    program = bundle / "Contents" / "MacOS" / str(facts.get("CFBundleExecutable", ""))
    if not program.is_file():
        return None
    name = str(facts.get("CFBundleDisplayName") or facts.get("CFBundleName") or bundle.stem)
    names = tuple(dict.fromkeys(each for each in (bundle.stem, str(facts.get("CFBundleName", ""))) if each != name))
    return Application(str(facts.get("CFBundleIdentifier", bundle.stem)), name, str(program), (str(program),), names)


def make_back_end(environment: Environment) -> SystemBackEnd:
    """Return the back end; it calls nothing before a tool is called."""
    variables, workspace = environment.variables, environment.workspace
    parts = SystemParts(
        launcher=MacLauncher(variables, AbsentWindows("Surehand can't see the windows of other programs on macOS.")),
        commands=SystemCommands(variables),
        executables=ProgramFiles(variables),
        processes=PsutilProcesses(),
        opener=CommandOpener(SystemCommand(("open",), variables), "open"),
        notifier=CommandNotifier(SystemCommand(("osascript", "-e", _NOTIFY), variables), "Notification Centre"),
        screen_lock=CommandLock(SystemCommand(("osascript", "-e", _LOCK), variables), "the keys that lock the screen"),
        power=ShutdownCommand(variables, MACOS_COMMANDS),
        brightness=AbsentBrightness("macOS has no public way to set the brightness."),
        machine=PsutilFacts(workspace),
        clipboard=MacClipboard(environment),
    )
    return SystemBackEnd(parts, workspace)
