"""Hidden names of unfinished work: they say whose it is, so that what a killed process left is found and removed.

``.surehand-HOST-PROCESS-MARK.part`` may be removed by anyone once its process is no more. ``….whole`` is complete and on
its way to its place, perhaps in pieces; only the action that made it may finish or remove it.
"""

import contextlib
import hashlib
import os
import platform
import re
import secrets
from contextlib import ExitStack
from typing import Literal

import psutil

from actuators.files.ports import FileStore, Folder


def open_private_folder(store: FileStore, held: ExitStack, path: str) -> Folder:
    """Open a folder by its absolute path; it and those above are made where they are missing, for their owner only."""
    pure = store.flavour(path)
    missing: list[str] = []
    while (folder := find_folder(store, held, str(pure))) is None:
        missing.append(pure.name)
        pure = pure.parent
    for name in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.make(name, private=True)
            folder.sync()
        folder = held.enter_context(folder.descend(name))
    return folder


def find_folder(store: FileStore, held: ExitStack, path: str) -> Folder | None:
    """Open a folder by its absolute path, if it is there."""
    try:
        spot = held.enter_context(store.find((store.flavour(path).anchor,), path))
        return held.enter_context(spot.descend())
    except FileNotFoundError:
        return None


Ending = Literal["part", "whole"]

_HOST = hashlib.sha256(platform.node().encode()).hexdigest()[:6]
_TEMPORARY = re.compile(r"\.surehand-([0-9a-f]{6})-(\d+)-([0-9a-f]{12})\.(part|whole)")


def make_mark(run_id: str, action_id: str) -> str:
    """Return a mark for what an action makes: the same one after a crash; a new one outside of a run, without its id."""
    if not run_id:
        return secrets.token_hex(6)
    return hashlib.sha256(f"{run_id}\0{action_id}".encode()).hexdigest()[:12]


def make_temporary_name(mark: str = "", ending: Ending = "part") -> str:
    """Return a hidden name: ``part`` for what is unfinished, ``whole`` for what is complete; a new one without a mark."""
    return f".surehand-{_HOST}-{os.getpid()}-{mark or secrets.token_hex(6)}.{ending}"


def is_temporary(name: str) -> bool:
    """Tell whether a name is one of ours for unfinished work."""
    return _TEMPORARY.fullmatch(name) is not None


def is_stray(name: str) -> bool:
    """Tell whether a name is one of ours for unfinished work, of a process that is no more."""
    found = _TEMPORARY.fullmatch(name) if name.startswith(".") else None
    if found is None or found[1] != _HOST or found[4] != "part":
        return False
    return not psutil.pid_exists(int(found[2]))


def bears_mark(name: str, mark: str, ending: Ending = "part") -> bool:
    """Tell whether a name is one that an action gave, in whatever process, and however the machine was called then."""
    found = _TEMPORARY.fullmatch(name) if name.startswith(".") else None
    return found is not None and (found[3], found[4]) == (mark, ending)
