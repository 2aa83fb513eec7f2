"""Starting programs on Linux: by desktop entry or by executable."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from actuators.base import Availability
from actuators.system.linux.desktop_entries import BadEntryError, DesktopEntry, expand_command, parse_entry
from actuators.system.ports.programs import Application, ProgramWindows
from actuators.system.processes.program_launcher import ProgramLauncher
from core.base.errors import UnsupportedError

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


class LinuxLauncher(ProgramLauncher):
    """Starts what desktop entries describe, and executables."""

    def __init__(self, variables: Mapping[str, str], windows: ProgramWindows) -> None:
        """Start nothing; programs get all variables."""
        super().__init__(variables, windows)
        self._entries: dict[str, DesktopEntry] = {}

    def assess(self) -> Availability:
        """Say what can be started."""
        if self.variables.get("DISPLAY") or self.variables.get("WAYLAND_DISPLAY"):
            return Availability("launcher", available=True, reason="desktop entries and executables")
        reason = "executables only: without a display (DISPLAY, WAYLAND_DISPLAY) programs with windows won't start"
        return Availability("launcher", available=True, reason=reason)

    async def applications(self) -> tuple[Application, ...]:
        """Return the applications that the desktop shows and can start."""
        entries = await asyncio.to_thread(lambda: list(read_entries(self.variables)))
        self._entries = {each.id: each for each in entries}
        found = [self._describe(each) for each in entries if each.shown]
        return tuple(sorted((each for each in found if each), key=lambda each: (each.name.casefold(), each.id)))

    def build_argv(self, application: Application, args: Sequence[str]) -> list[str]:
        """Return what is executed: the entry's command with its field codes filled in, in a terminal if it wants one."""
        entry = self._entries.get(application.id)
        if entry is None:
            return super().build_argv(application, args)
        argv = [application.executable, *expand_command(entry, args)[1:]]
        return [*self._find_terminal(entry), *argv] if entry.terminal else argv

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

    def _find_terminal(self, entry: DesktopEntry) -> list[str]:
        for name, option in _TERMINALS:
            if found := self.find_executable(name):
                return [found, option] if option else [found]
        raise UnsupportedError(f"{entry.name} needs a terminal, and none was found.", hint="Install xterm.")


def list_entry_folders(variables: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the folders that desktop entries lie in, the person's own first."""
    home = variables.get("XDG_DATA_HOME") or str(Path(variables.get("HOME", "/"), ".local", "share"))
    others = (variables.get("XDG_DATA_DIRS") or _DATA_DIRS).split(":")
    folders = [Path(each, "applications") for each in dict.fromkeys([home, *others]) if each.startswith("/")]
    return tuple(each for each in folders if each.is_dir())


def list_program_names(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the applications are called that the desktop shows; reads the disk, but looks for no executable."""
    return tuple(each.name for each in read_entries(variables) if each.shown)


def read_entries(variables: Mapping[str, str]) -> Iterator[DesktopEntry]:
    """Yield the desktop entries, the person's own first."""
    seen: set[str] = set()
    for folder in list_entry_folders(variables):
        for file in sorted(folder.rglob("*.desktop")):
            entry_id = "-".join(file.relative_to(folder).parts).removesuffix(".desktop")
            if entry_id in seen:
                continue
            seen.add(entry_id)  # even where it is deleted: it stands for those of the same id further on
            if entry := _read_entry(file, entry_id, variables):
                yield entry


def _read_entry(file: Path, entry_id: str, variables: Mapping[str, str]) -> DesktopEntry | None:
    """Return an entry; None where it can't be read or keeps no rules, since one bad file may not hide the others."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return None
        return parse_entry(file.read_text(errors="replace"), entry_id, str(file), variables)
    except (OSError, BadEntryError):
        return None
