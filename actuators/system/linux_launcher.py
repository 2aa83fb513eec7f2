"""Starting programs on Linux: by desktop entry or by executable."""

import asyncio
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import psutil

from actuators.base import Availability
from actuators.system.desktop_entries import BadEntryError, DesktopEntry, expand_command, parse_entry
from actuators.system.detached import Detached, start_detached
from actuators.system.exits import wait_for_exit
from actuators.system.ports import Application, AppWindow, Started, WindowSystem
from core.errors import UnsupportedError

_GRACE_S = 0.3
"""Seconds in which a program that can't work at all usually says so."""

_MOST_BYTES = 1_000_000
_DATA_DIRS = "/usr/local/share:/usr/share"
_TERMINALS = (
    ("x-terminal-emulator", "-e"),
    ("gnome-terminal", "--"),
    ("konsole", "-e"),
    ("xfce4-terminal", "-x"),
    ("foot", ""),
    ("kitty", ""),
    ("alacritty", "-e"),
    ("xterm", "-e"),
)


class LinuxLauncher:
    """Starts programs in the environment that it was given."""

    def __init__(self, variables: Mapping[str, str], windows: WindowSystem) -> None:
        """Start nothing.

        Args:
            variables: The environment variables; programs get them all.
            windows: Where windows are seen.
        """
        self._variables = dict(variables)
        self._windows = windows
        self._entries: dict[str, DesktopEntry] = {}
        self._started: dict[int, Detached] = {}

    def assess(self) -> Availability:
        """Say what can be started."""
        if self._variables.get("DISPLAY") or self._variables.get("WAYLAND_DISPLAY"):
            return Availability("launcher", available=True, reason="desktop entries and executables")
        reason = "executables only: without a display (DISPLAY, WAYLAND_DISPLAY) programs with windows won't start"
        return Availability("launcher", available=True, reason=reason)

    async def applications(self) -> tuple[Application, ...]:
        """Return the applications that the desktop shows and can start."""
        entries = await asyncio.to_thread(lambda: list(self._read_entries()))
        self._entries = {each.id: each for each in entries}
        found = [self._describe(each) for each in entries if each.shown]
        return tuple(sorted((each for each in found if each), key=lambda each: (each.name.casefold(), each.id)))

    def find_executable(self, name: str) -> str | None:
        """Return the path of an executable."""
        return shutil.which(name, path=self._variables.get("PATH"))

    async def start(self, application: Application, args: Sequence[str], folder: Path) -> Started:
        """Start a program; return once it lives, or has ended at once."""
        self._collect()
        entry = self._entries.get(application.id)
        argv = [*application.argv, *args] if entry is None else self._expand(entry, application, args)
        detached = await asyncio.to_thread(start_detached, argv, folder, self._variables)
        self._started[detached.process.pid] = detached
        return await self.wait_for_exit(Started(detached.process.pid), _GRACE_S)

    async def wait_for_exit(self, started: Started, timeout_s: float) -> Started:
        """Return the process as it is when it has ended, or when the time is up."""
        detached = self._started.get(started.pid)
        if detached is None:
            return started
        if not await wait_for_exit(started.pid, timeout_s):
            return started
        code = await asyncio.to_thread(detached.process.wait)
        return replace(started, exit_code=code, words=detached.last_words())

    async def wait_for_window(self, started: Started, known: Collection[str], timeout_s: float) -> AppWindow | None:
        """Return the first window of the process or of what it started."""

        def accepts(windows: Sequence[AppWindow]) -> AppWindow | None:
            family = _list_family(started.pid)
            own = [each for each in windows if each.pid in family]
            fresh = [each for each in windows if each.id not in known]
            detached = self._started.get(started.pid)
            handed_over = detached is None or detached.exit_code == 0
            return next(iter(own or (fresh if handed_over else [])), None)

        return await self._windows.wait_for(accepts, timeout_s)

    async def windows(self) -> tuple[AppWindow, ...]:
        """Return the windows that are there."""
        return await self._windows.list()

    async def close(self) -> None:
        """Let go of what was started, which goes on."""
        self._collect()
        for each in self._started.values():
            each.let_go()
        self._started.clear()
        await self._windows.close()

    def _collect(self) -> None:
        """Forget what has ended, so that it doesn't stay in the system's list of processes."""
        for pid, each in list(self._started.items()):
            if each.exit_code is not None:
                each.let_go()
                del self._started[pid]

    def _read_entries(self) -> Iterator[DesktopEntry]:
        seen: set[str] = set()
        for folder in list_entry_folders(self._variables):
            for file in sorted(folder.rglob("*.desktop")):
                entry_id = "-".join(file.relative_to(folder).parts).removesuffix(".desktop")
                if entry_id in seen:
                    continue
                seen.add(entry_id)  # even where it is deleted: it stands for those of the same id further on
                if entry := self._read_entry(file, entry_id):
                    yield entry

    def _read_entry(self, file: Path, entry_id: str) -> DesktopEntry | None:
        """Return an entry; None where it can't be read or keeps no rules, since one bad file may not hide the others."""
        try:
            if file.stat().st_size > _MOST_BYTES:
                return None
            return parse_entry(file.read_text(errors="replace"), entry_id, str(file), self._variables)
        except (OSError, BadEntryError):
            return None

    def _describe(self, entry: DesktopEntry) -> Application | None:
        """Return an application; None where its program isn't there."""
        if entry.try_exec and not self.find_executable(entry.try_exec):
            return None
        command = expand_command(entry, ())
        executable = self.find_executable(command[0]) if command else None
        if executable is None:
            return None
        argv = (executable, *command[1:])
        return Application(
            id=entry.id, name=entry.name, executable=executable, argv=argv, names=entry.names, folder=entry.folder
        )

    def _expand(self, entry: DesktopEntry, application: Application, args: Sequence[str]) -> list[str]:
        argv = [application.executable, *expand_command(entry, args)[1:]]
        return [*self._find_terminal(entry), *argv] if entry.terminal else argv

    def _find_terminal(self, entry: DesktopEntry) -> list[str]:
        for name, option in _TERMINALS:
            if found := self.find_executable(name):
                return [found, option] if option else [found]
        raise UnsupportedError(f"{entry.name} runs in a terminal, and none was found.", hint="Install xterm.")


def list_entry_folders(variables: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the folders that desktop entries lie in, the person's own first."""
    home = variables.get("XDG_DATA_HOME") or str(Path(variables.get("HOME", "/"), ".local", "share"))
    others = (variables.get("XDG_DATA_DIRS") or _DATA_DIRS).split(":")
    folders = [Path(each, "applications") for each in dict.fromkeys([home, *others]) if each.startswith("/")]
    return tuple(each for each in folders if each.is_dir())


def _list_family(pid: int) -> set[int]:
    try:
        root = psutil.Process(pid)
        return {pid} | {each.pid for each in root.children(recursive=True)}
    except psutil.NoSuchProcess:
        return {pid}
