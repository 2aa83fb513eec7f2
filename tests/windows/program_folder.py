"""Programs of ours for a Windows: copies of Python that each do one thing, in a start menu of ours. Windows only."""

import contextlib
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    raise ImportError("these are programs of Windows")

import psutil
import pythoncom
from win32com.shell import shell

from actuators.platforms.com_apartment import join_apartment, leave_apartment
from actuators.platforms.win32_programs import find_program

MENU = Path("Microsoft", "Windows", "Start Menu", "Programs")
LIBRARIES = ("python311.dll", "vcruntime140.dll", "vcruntime140_1.dll")
PROGRAMS = ("sleeper", "stubborn", "quick", "hello", "broken", "endless", "loud", "twin1", "twin2")
# Under which name the start menu has them, and in which folder.
ENTRIES = {
    "sleeper": "Sleeper",
    "stubborn": "Stubborn",
    "twin1": "one/Twin",
    "twin2": "two/Twin",
}
# These must have ended soon after they were started, for which Python is too slow on a busy machine.
COMMANDS = {"Failing": '/c "echo no way 1>&2 & exit 3"', "Quick": '/c "exit 0"'}
# Python reads this at its start, before it looks for a script; so every copy does what its name says.
BEHAVIOUR = '''
import ctypes, os, sys, threading
from ctypes import wintypes

CLOSE, SHOWN = 0x0010, 0x10CF0000
user32 = ctypes.WinDLL("user32")

def show(ends):
    """Show a window, and end with it if it may be closed."""
    window = user32.CreateWindowExW(0, "STATIC", "A window of " + NAME, SHOWN, 50, 50, 300, 100, None, None, None, None)
    message = wintypes.MSG()
    while user32.IsWindow(window) and user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        if ends or message.message != CLOSE:
            user32.DispatchMessageW(ctypes.byref(message))
    return 0

def say(file, text, code=0):
    """Write as other systems do, without a carriage return."""
    file.buffer.write(text)
    file.flush()
    return code

NAME = os.path.basename(sys.executable).partition("-")[0]
ACTS = {
    "quick": lambda: 0,
    "hello": lambda: say(sys.stdout, b"hello\\n"),
    "broken": lambda: say(sys.stderr, b"broken\\n", 2),
    "endless": lambda: threading.Event().wait(60),
    "loud": lambda: say(sys.stdout, b"x" * 3_000_000),
    "stubborn": lambda: show(ends=False),
}
os._exit(ACTS.get(NAME, lambda: show(ends=True))())
'''


class WindowsPrograms:
    """Programs in a folder, and what was started of them.

    Attributes:
        tag: What the names of the executables end in.
    """

    def __init__(self, root: Path) -> None:
        """Lay the programs out."""
        self.tag = f"-{os.getpid():x}"
        self._root = root
        self._programs = root / "bin"
        self._menu = root / "roaming" / MENU
        self._programs.mkdir(parents=True)
        for name in LIBRARIES:
            shutil.copy(Path(sys.base_prefix, name), self._programs)
        own = [each for each in sys.path if Path(each).is_relative_to(sys.base_prefix)]
        paths = [str(self._programs), *own, "import site"]
        (self._programs / "python311._pth").write_text("\n".join(paths), encoding="utf-8")
        (self._programs / "sitecustomize.py").write_text(BEHAVIOUR, encoding="utf-8")
        for name in PROGRAMS:
            shutil.copy(sys.executable, self.find(name))
        join_apartment()
        for name, entry in ENTRIES.items():
            self._add_entry(entry, self.find(name))
        for entry, arguments in COMMANDS.items():
            self._add_entry(entry, Path(os.environ["COMSPEC"]), arguments)
        leave_apartment()

    def find(self, name: str) -> Path:
        """Return the path of a program."""
        return self._programs / f"{name}{self.tag}.exe"

    def variables(self, base: Mapping[str, str]) -> dict[str, str]:
        """Return variables under which nothing but these programs, and those of the system, is found."""
        own = {
            "PATH": f"{self._programs};{base['PATH']}",
            "APPDATA": str(self._root / "roaming"),
            "PROGRAMDATA": str(self._root / "common"),
        }
        return {name: value for name, value in base.items() if name.upper() not in own} | own

    def clear(self) -> None:
        """End whatever was started of these programs."""
        started: list[psutil.Process] = []
        for pid in psutil.pids():
            if find_program(pid).endswith(f"{self.tag}.exe"):
                with contextlib.suppress(psutil.NoSuchProcess):
                    started.append(psutil.Process(pid))
        for process in started:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(started, timeout=10)

    def _add_entry(self, entry: str, program: Path, arguments: str = "") -> None:
        kind, context = shell.CLSID_ShellLink, pythoncom.CLSCTX_INPROC_SERVER
        link: Any = pythoncom.CoCreateInstance(kind, None, context, shell.IID_IShellLink)
        link.SetPath(str(program))
        link.SetArguments(arguments)
        file = self._menu / f"{entry}.lnk"
        file.parent.mkdir(parents=True, exist_ok=True)
        storage: Any = link.QueryInterface(pythoncom.IID_IPersistFile)
        storage.Save(str(file), 0)
