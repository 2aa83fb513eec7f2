"""Folders that belong to one process, and are removed when that process is gone.

Playwright's driver keeps profiles and downloads in the folder for temporary files. A process that is killed can't remove
them, so each owner gets a folder named by its process id and start time, and every start removes those of dead owners.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import psutil

PREFIX = "surehand"
SHORT = Path("/", "tmp")  # folders in it are made for their owner alone
MOST_BASE = 22  # bytes: of the 107 of a socket's path the owner's folder takes up to 40, and Chromium's 45

_NAME = re.compile(rf"{PREFIX}-(\d+)-(\d+)-\w+")


def make_runtime_folder(base: Path | None = None) -> Path:
    """Make a folder that only its owner may read, and remove those of dead processes, which couldn't."""
    base = base or _pick_base()
    remove_dead_folders(base)
    process = psutil.Process()
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}-{process.pid}-{_read_start_ms(process)}-", dir=base))


def _pick_base() -> Path:
    """Return the folder for temporary files, or the system's own where a socket of the browser's would have too long a path in it."""
    base = Path(tempfile.gettempdir())
    is_long = sys.platform == "linux" and len(os.fsencode(base)) > MOST_BASE
    return SHORT if is_long and os.access(SHORT, os.W_OK | os.X_OK) else base


def remove_dead_folders(base: Path) -> tuple[Path, ...]:
    """Remove the folders whose owner is no longer alive; return those that are gone now."""
    dead = [folder for folder in base.glob(f"{PREFIX}-*") if _is_dead(folder)]
    for folder in dead:
        # Another starting process may remove the same folder at the same time, so what is missing is no error.
        shutil.rmtree(folder, ignore_errors=True)
    return tuple(folder for folder in dead if not folder.exists())


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it; one that is gone already is no error."""
    if folder.exists():
        # On Windows scanners may hold a file; the next start removes it.
        shutil.rmtree(folder, ignore_errors=sys.platform == "win32")


def _is_dead(folder: Path) -> bool:
    name = _NAME.fullmatch(folder.name)
    if not name or folder.is_symlink() or not folder.is_dir():
        return False
    try:
        return _read_start_ms(psutil.Process(int(name[1]))) != int(name[2])
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False


def _read_start_ms(process: psutil.Process) -> int:
    return round(process.create_time() * 1000)
