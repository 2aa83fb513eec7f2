"""Ports at which services of this person listen: a file each in their folder for what runs, locked as long as the service lives.

Pages that hands drive are kept away from these ports. The system lets go of the lock when the process dies, however it dies.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from actuators.own_folders import list_run_folders

ServiceAt = Literal["", "own", "other"]
"""Who serves at a port: nobody of Surehand, this process, or another one of this person."""

_WAIT_S = 5.0
_OWN: set[int] = set()


@contextmanager
def keep_hands_off(port: int) -> Generator[None]:
    """Keep this person's hands away from a port of this machine; an OSError where nothing may listen there."""
    folder = list_run_folders()[0]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sys.platform != "win32" and folder.lstat().st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user")
    lock = _lock(folder, port)
    lock.acquire(timeout=_WAIT_S)  # whoever looks holds it for a moment
    _OWN.add(port)
    try:
        yield
    finally:
        _OWN.discard(port)
        with suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def find_service(port: int) -> ServiceAt:
    """Return who of this person's services listens on a port of this machine. Blocks for a moment."""
    if port in _OWN:
        return "own"
    held = (_lock(folder, port) for folder in list_run_folders() if _name(folder, port).exists())
    return "other" if any(map(_is_held, held)) else ""


def _is_held(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def _lock(folder: Path, port: int) -> FileLock:
    return FileLock(_name(folder, port), mode=0o600, thread_local=False)


def _name(folder: Path, port: int) -> Path:
    return folder / f"{port}.port"
