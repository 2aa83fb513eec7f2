"""Parts of the system tools on Windows: windows, opener, lock, power, and programs by name. Windows only."""

import asyncio
import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import wintypes
from pathlib import Path, PureWindowsPath
from typing import Any

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import winreg

import comtypes
import pythoncom
import pywintypes
import win32api
from win32com.shell import shell

from actuators.base import Availability
from actuators.deadlines import finish_within, pause
from actuators.platforms.com_apartment import join_apartment, leave_apartment
from actuators.system.ports.facts import DisplayFacts
from actuators.system.ports.programs import Application, AppWindow
from actuators.system.processes.program_launcher import ProgramLauncher
from actuators.system.processes.shutdown_command import ShutdownCommand
from core.base.errors import ActionError, DeviceError

_CLOSE = 0x0010  # WM_CLOSE
_NO_ASSOCIATION = 1155
_STEP_S = 0.1
_LONGEST_TITLE = 1024
_APP_PATHS = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths"

user32 = ctypes.WinDLL("user32", use_last_error=True)
powrprof = ctypes.WinDLL("powrprof", use_last_error=True)
WINDOW_CALLBACK = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
user32.EnumWindows.argtypes = [WINDOW_CALLBACK, wintypes.LPARAM]
user32.GetWindowTextW.argtypes = [wintypes.HWND, wintypes.LPWSTR, ctypes.c_int]
user32.GetWindowThreadProcessId.argtypes = [wintypes.HWND, ctypes.POINTER(wintypes.DWORD)]
user32.IsWindowVisible.argtypes = [wintypes.HWND]
user32.PostMessageW.argtypes = [wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM]
_PROGRAMS = Path("Microsoft", "Windows", "Start Menu", "Programs")
_ROOTS = ("PROGRAMDATA", "APPDATA")
_AS_WRITTEN = 4  # SLGP_RAWPATH: with its variables, and asked of no network drive

shell32 = ctypes.WinDLL("shell32", use_last_error=True)
shell32.CommandLineToArgvW.argtypes = [wintypes.LPCWSTR, ctypes.POINTER(ctypes.c_int)]
shell32.CommandLineToArgvW.restype = ctypes.POINTER(wintypes.LPWSTR)
kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
kernel32.LocalFree.argtypes = [ctypes.c_void_p]


class Win32WindowSystem:
    """The windows that are shown and have a title."""

    async def list(self) -> tuple[AppWindow, ...]:
        """Return the windows."""
        return await asyncio.to_thread(list_windows)

    async def wait_for(
        self, accepts: Callable[[Sequence[AppWindow]], AppWindow | None], timeout_s: float
    ) -> AppWindow | None:
        """Look at the windows now and then until one is accepted; None when the time is up."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + timeout_s
        while (found := accepts(await self.list())) is None and loop.time() < end_s:
            await pause(_STEP_S)
        return found

    async def close_windows(self, windows: Sequence[AppWindow]) -> None:
        """Close windows as their close buttons would."""
        for each in windows:
            user32.PostMessageW(int(each.id), _CLOSE, 0, 0)

    async def close(self) -> None:
        """Do nothing."""


def list_windows() -> tuple[AppWindow, ...]:
    """Return the windows that are shown and have a title, from the front to the back."""
    found: list[AppWindow] = []

    def take(window: int, _: int) -> bool:
        title = ctypes.create_unicode_buffer(_LONGEST_TITLE)
        if user32.IsWindowVisible(window) and user32.GetWindowTextW(window, title, _LONGEST_TITLE):
            pid = wintypes.DWORD()
            user32.GetWindowThreadProcessId(window, ctypes.byref(pid))
            found.append(AppWindow(str(window), title.value, pid.value))
        return True

    user32.EnumWindows(WINDOW_CALLBACK(take), 0)
    return tuple(found)


async def read_displays() -> tuple[DisplayFacts, ...]:
    """Return the displays in the order of the system."""
    areas = [area for _, _, area in await asyncio.to_thread(win32api.EnumDisplayMonitors)]
    return tuple(
        DisplayFacts(index, right - left, bottom - top, left, top)
        for index, (left, top, right, bottom) in enumerate(areas)
    )


class WindowsLauncher(ProgramLauncher):
    """Starts the programs of the start menu, those that the registry knows by name, and executables."""

    def assess(self) -> Availability:
        """Say what can be started."""
        return Availability("launcher", available=True, reason="start menu, registered programs and executables")

    async def applications(self) -> tuple[Application, ...]:
        """Return the applications of the start menu, and the registered ones that are not in it."""
        found = await asyncio.to_thread(read_applications, self.variables)
        return tuple(sorted(found, key=lambda each: (each.name.casefold(), each.id)))


def read_applications(variables: Mapping[str, str]) -> list[Application]:
    """Return the applications of the start menu, and the registered ones that are not in it."""
    listed = read_start_menu(variables)
    known = {each.executable.casefold() for each in listed}
    registered = {each.id: each for each in read_app_paths()}
    return [*listed, *(each for each in registered.values() if each.executable.casefold() not in known)]


def read_start_menu(variables: Mapping[str, str]) -> tuple[Application, ...]:
    """Return the programs of the start menu; blocks, and uses COM on the calling thread.

    A shortcut of the person stands for one of all users at the same place. Shortcuts to documents and to apps of the
    store, which have no program of their own, are left out.
    """
    folders = [Path(variables[root]) / _PROGRAMS for root in _ROOTS if variables.get(root)]
    found: dict[str, Application] = {}
    join_apartment()
    try:
        for folder in folders:
            found |= {each.id: each for each in _read_folder(folder)}
    finally:
        leave_apartment()
    return tuple(found.values())


def _read_folder(folder: Path) -> Iterator[Application]:
    for file in sorted(folder.rglob("*.lnk")):
        with contextlib.suppress(pywintypes.com_error):  # one bad file may not hide the others
            link = _open_link(file)
            program = winreg.ExpandEnvironmentStrings(link.GetPath(_AS_WRITTEN)[0])
            if program.casefold().endswith(".exe"):
                entry_id = "-".join(file.relative_to(folder).with_suffix("").parts).casefold()
                argv = (program, *split_arguments(link.GetArguments()))
                wanted = winreg.ExpandEnvironmentStrings(link.GetWorkingDirectory())
                yield Application(entry_id, file.stem, program, argv, folder=wanted if Path(wanted).is_dir() else "")


def _open_link(file: Path) -> Any:
    kind, context = shell.CLSID_ShellLink, pythoncom.CLSCTX_INPROC_SERVER
    link: Any = pythoncom.CoCreateInstance(kind, None, context, shell.IID_IShellLink)
    storage: Any = link.QueryInterface(pythoncom.IID_IPersistFile)
    storage.Load(str(file))
    return link


def split_arguments(line: str) -> tuple[str, ...]:
    """Return the arguments of a line, divided as programs of Windows divide them."""
    if not line.strip():
        return ()
    count = ctypes.c_int()
    parts = shell32.CommandLineToArgvW(f"program {line}", ctypes.byref(count))
    if not parts:
        return ()
    try:
        return tuple(str(parts[index]) for index in range(1, count.value))
    finally:
        kernel32.LocalFree(parts)


def read_app_paths() -> Iterator[Application]:
    """Yield the applications that are registered under App Paths; those of the person come last and win."""
    for root in (winreg.HKEY_LOCAL_MACHINE, winreg.HKEY_CURRENT_USER):
        with contextlib.suppress(OSError), winreg.OpenKey(root, _APP_PATHS) as paths:
            for index in range(winreg.QueryInfoKey(paths)[0]):
                name = winreg.EnumKey(paths, index)
                with contextlib.suppress(OSError), winreg.OpenKey(paths, name) as entry:
                    program = winreg.ExpandEnvironmentStrings(winreg.QueryValue(entry, None)).strip('"')
                    if program:
                        yield Application(name.casefold(), PureWindowsPath(name).stem, program, (program,))


def start_file(target: str) -> None:
    """Open a path or an address; what Windows asks for that may live in COM's apartment of one thread, and in no other."""
    comtypes.CoInitializeEx(comtypes.COINIT_APARTMENTTHREADED)
    try:
        os.startfile(target)
    finally:
        comtypes.CoUninitialize()


class WindowsOpener:
    """Opens with the program that Windows has for it."""

    def assess(self) -> Availability:
        """Say that it is there."""
        return Availability("opener", available=True, reason="ShellExecute")

    async def open(self, target: str, timeout_s: float) -> dict[str, str | int | None]:
        """Hand a path or an address over."""
        try:
            await finish_within(asyncio.to_thread(start_file, target), timeout_s)
        except OSError as error:
            evidence = {"target": target, "winerror": error.winerror}
            if error.winerror == _NO_ASSOCIATION:
                raise DeviceError(
                    f"Windows has no program for {target}.",
                    code="app_missing",
                    hint="Install one, or set the default program for its type.",
                    evidence=evidence,
                ) from error
            raise ActionError(
                f"{target} could not be opened: {error}",
                code="app_failed",
                hint="Try to open it by hand to see why.",
                evidence=evidence,
            ) from error
        return {"application": None, "pid": None, "opener": "ShellExecute"}


class WindowsLock:
    """Locks the work station."""

    def assess(self) -> Availability:
        """Say that it is there."""
        return Availability("session_lock", available=True, reason="LockWorkStation")

    async def lock(self, timeout_s: float) -> bool | None:
        """Lock the screen; Windows does it later, and doesn't say when."""
        del timeout_s
        if not await asyncio.to_thread(user32.LockWorkStation):
            raise ActionError("Windows refused to lock the screen.", code="not_possible", hint="Lock it by hand.")


class WindowsPower(ShutdownCommand):
    """Shutdown and restart by command, sleep by the system's own function."""

    async def sleep(self) -> None:
        """Order the machine to sleep."""
        if not await asyncio.to_thread(powrprof.SetSuspendState, 0, 0, 0):
            raise ActionError("Windows refused to sleep.", code="not_possible", hint="Do it by hand.")
