"""Machines as the search for a browser sees them, and the programs behind their commands."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Literal

from core.base.late_dataclasses import dataclass

BrowserKind = Literal["headless-shell", "chromium", "chrome", "edge"]

PROGRAMS = (
    "chromium-headless-shell", "chrome-headless-shell", "headless_shell", "chromium", "chromium-browser", "chrome", "msedge",
)  # fmt: skip

_ASSIGNMENT = re.compile(r"""^\s*(?:export\s+)?(\w+)=["']?([^"'\s;`$]+)["']?\s*$""", re.MULTILINE)
_SCRIPT_PATH = re.compile(r"(?<![\w.$}])/[\w.+@/-]+")


@dataclass(frozen=True, slots=True)
class Machine:
    """What the search may know of a machine.

    Attributes:
        platform: ``linux``, ``darwin`` or ``win32``.
        is_executable: Tells whether a path is a file that may be started.
        read_head: Returns the first bytes of a file, at least 4096 where there are so many; empty if unreadable.
    """

    platform: str
    environment: Mapping[str, str]
    home: str
    is_root: bool
    is_executable: Callable[[str], bool]
    read_head: Callable[[str], bytes]
    follow_links: Callable[[str], str]
    list_matches: Callable[[str], Sequence[str]]

    def make_path(self, text: str) -> PurePath:
        """Return a path in this machine's own notation, with ``~`` replaced."""
        pure = PureWindowsPath if self.platform == "win32" else PurePosixPath
        return pure(self.home, text[2:]) if text.startswith("~/") else pure(text)


def inspect_machine() -> Machine:
    """Return the machine that this program runs on."""
    return Machine(
        platform="linux" if sys.platform.startswith("linux") else sys.platform,
        environment=os.environ,
        home=str(Path.home()),
        is_root=hasattr(os, "geteuid") and os.geteuid() == 0,
        is_executable=_is_executable,
        read_head=_read_head,
        follow_links=lambda path: str(Path(path).resolve()),
        list_matches=_list_matches,
    )


def classify_program(path: str) -> BrowserKind:
    """Tell by its name what kind of browser an executable is."""
    name = re.split(r"[\\/]", path)[-1].lower()
    if "headless" in name:
        return "headless-shell"
    if "edge" in name:
        return "edge"
    return "chromium" if "chromium" in name else "chrome"


def follow_wrapper(path: str, machine: Machine) -> tuple[str | None, str]:
    """Return the program behind a command and how it was found; None and why it can't be started directly."""
    real = machine.follow_links(path)
    if confinement := _find_confinement(f"{path} {real}"):
        return None, confinement
    head = machine.read_head(real)
    if not head.startswith(b"#!"):
        return real, "the program itself" if real == path else f"a link to {real}"
    script = head.decode("utf-8", "replace").partition("\n")[2]
    for candidate in _list_script_targets(script, real, machine):
        target = machine.follow_links(candidate)
        if target != real and machine.is_executable(target) and not machine.read_head(target).startswith(b"#!"):
            return target, f"a script that starts {target}"
    return None, _find_confinement(script) or "a script whose program was not found"


def _list_script_targets(script: str, path: str, machine: Machine) -> Iterator[str]:
    for name, value in _ASSIGNMENT.findall(script):
        script = script.replace(f"${{{name}}}", value).replace(f"${name}", value)
    yield from (found for found in _SCRIPT_PATH.findall(script) if found.rpartition("/")[2] in PROGRAMS)
    # Chrome's and Edge's scripts start the program beside themselves.
    yield from (str(machine.make_path(path).parent / name) for name in PROGRAMS)


def _find_confinement(text: str) -> str:
    if re.search(r"(^|[\s/])snap(d|$|[\s/])", text):
        return "a snap: its browser only starts through snap, which hides the process"
    if "flatpak" in text:
        return "a flatpak: its browser only starts through flatpak, which hides the process"
    return ""


def _is_executable(path: str) -> bool:
    # The access first: a path below a folder that may not be entered is an error for is_file, and plainly no for this.
    return os.access(path, os.X_OK) and Path(path).is_file()


def _list_matches(pattern: str) -> list[str]:
    root = Path(pattern).anchor
    return sorted((str(path) for path in Path(root).glob(str(Path(pattern).relative_to(root)))), reverse=True)


def _read_head(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(16384)
    except OSError:
        return b""
