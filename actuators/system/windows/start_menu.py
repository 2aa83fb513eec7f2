"""What the start menu of Windows holds: its shortcuts, and the programs behind them. Windows only."""

import contextlib
import ctypes
import sys
from collections.abc import Iterator, Mapping
from ctypes import wintypes
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import winreg

import pythoncom
import pywintypes
from win32com.shell import shell

from actuators.platforms.com_apartment import join_apartment, leave_apartment
from actuators.system.ports.programs import Application

_PROGRAMS = Path("Microsoft", "Windows", "Start Menu", "Programs")
_ROOTS = ("PROGRAMDATA", "APPDATA")
_AS_WRITTEN = 4  # SLGP_RAWPATH: with its variables, and asked of no network drive

shell32 = ctypes.WinDLL("shell32", use_last_error=True)
shell32.CommandLineToArgvW.argtypes = [wintypes.LPCWSTR, ctypes.POINTER(ctypes.c_int)]
shell32.CommandLineToArgvW.restype = ctypes.POINTER(wintypes.LPWSTR)
kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
kernel32.LocalFree.argtypes = [ctypes.c_void_p]


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
