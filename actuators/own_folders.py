"""The person's own folders: settings and tokens, what belongs to them and this machine, and what runs now.

All of them lie outside of every workspace, and no goal reaches them.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

Identity = tuple[int, int]

_SAYING = ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "USERPROFILE", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
"""Variables of the environment that say where the person's folders are."""


def locate_config_folder() -> Path:
    """Return the person's folder for settings, tokens and secrets; it need not exist."""
    return _find_folder("config")


def locate_state_folder() -> Path:
    """Return the person's folder for what belongs to them and this machine; it need not exist.

    It is asked for with every row and line that is signed or proved, so it is worked out once for what the environment says.
    """
    return _locate(tuple(map(os.environ.get, _SAYING)))


@cache
def _locate(_said: tuple[str | None, ...]) -> Path:
    return _find_folder("state")


def _find_folder(kind: str) -> Path:
    """Return a folder of this program's; a command that only asks a service needs none of them."""
    return getattr(import_module("platformdirs"), f"user_{kind}_path")("surehand", appauthor=False)


def list_run_folders() -> tuple[Path, ...]:
    """Return the folders for what tells of services that run: sockets, and the records with their tokens; the best first.

    On Linux they depend on nothing but the person, so that a job of cron finds the service of a login and the other way round.
    """
    if sys.platform in {"win32", "darwin"}:
        return (locate_state_folder() / "run",)
    homes = (Path("/run/user") / str(os.geteuid()), Path("/", "tmp"))
    return tuple(home / f"surehand-{os.geteuid()}" for home in homes if home.is_dir())


def list_own_folders() -> tuple[str, ...]:
    """Return all of them, as they are written and as they really lie."""
    written = [str(each) for each in (locate_config_folder(), locate_state_folder(), *list_run_folders())]
    return tuple(dict.fromkeys((*written, *map(os.path.realpath, written))))


def spell_really(path: str, own_folders: Sequence[str] = ()) -> str:
    """Return where an absolute path leads, links followed as far as it is there.

    What lies in one of a person's own folders is told by the name given for that.
    """
    return name_own(os.path.realpath(path), own_folders)


def name_own(real: str, own_folders: Sequence[str]) -> str:
    """Return a path by the name that is given for a person's own folder, where it lies in one.

    A folder has other names where it is mounted twice, or where case makes no difference.
    """
    known = {identity: folder for folder in own_folders if (identity := identify(folder))}
    for above in (Path(real), *Path(real).parents) if known else ():
        if (identity := identify(str(above))) and (own := known.get(identity)):
            return str(Path(own) / Path(real).relative_to(above))
    return real


def identify(path: str) -> Identity | None:
    """Return what tells a file or folder from all others, whatever its name; None where there is none."""
    with suppress(OSError, ValueError):
        found = Path(path).stat()
        return found.st_dev, found.st_ino
    return None
