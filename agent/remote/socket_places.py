"""Where a service of this person listens, and where it is told of: in the person's own folder for what runs, outside of every workspace.

On Windows it listens at a named pipe.
"""

import hashlib
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from actuators.own_folders import list_run_folders
from agent.store.private_files import make_private_folder
from core.base.errors import RefusedError

if sys.platform == "win32":
    from agent.remote.pipes import PrivatePipe, name_pipe

_LONGEST = 100
"""Bytes that a socket's path may have: Linux takes 107, macOS and the BSDs 103."""

RECORD_SUFFIX = ".json"
_NAME_BYTES = 8
_PRIVATE = 0o600


def list_places(state: Path) -> tuple[Path, ...]:
    """Return the paths at which a service of a workspace may listen, the best first."""
    if sys.platform == "win32":
        return (Path(name_pipe(os.fsencode(state))),)
    return _list_sockets(_seed(state))


def list_records(state: Path) -> tuple[Path, ...]:
    """Return the files that may tell of a service of a workspace, the best first."""
    return tuple(folder / f"{_name(_seed(state))}{RECORD_SUFFIX}" for folder in list_run_folders())


def listen_privately(state: Path, *, for_itself: bool = False) -> tuple[socket.socket, Path]:
    """Return a socket that listens for this person alone, and where; what an earlier service left there is removed.

    Args:
        for_itself: Whether it is a place of this process alone, for which nobody needs a lock.

    Raises:
        RefusedError: ``no_socket`` if none of the places can be used.
    """
    faults: list[str] = []
    for place in _list_sockets(os.urandom(_NAME_BYTES)) if for_itself else list_places(state):
        try:
            return _listen_at(place), place
        except OSError as error:
            faults.append(f"{place}: {error.strerror or error}")
    raise _refuse(faults)


if sys.platform == "win32":

    def listen_at_pipe(state: Path, *, for_itself: bool = False) -> PrivatePipe:
        """Return the named pipe at which a service of this person listens.

        Raises:
            RefusedError: ``no_socket`` if it can't be had, such as when another program has taken its name.
        """
        name = name_pipe(os.urandom(_NAME_BYTES) if for_itself else os.fsencode(state))
        try:
            return PrivatePipe(name)
        except OSError as error:
            raise _refuse([f"{name}: {error.strerror or error}"]) from error


def remove_socket(place: Path) -> None:
    """Remove a socket that nobody listens at any more; for whoever listened there."""
    with suppress(OSError):
        place.unlink(missing_ok=True)


def _refuse(faults: list[str]) -> RefusedError:
    return RefusedError(
        f"No socket can be made for the service: {'; '.join(faults)}.",
        code="no_socket",
        hint="Make these folders yours alone, or remove what stands there.",
    )


def _seed(state: Path) -> bytes:
    """Return what stands for a workspace, by whatever links it is reached."""
    return os.fsencode(os.path.realpath(state))


def _name(seed: bytes) -> str:
    return hashlib.blake2b(seed, digest_size=_NAME_BYTES).hexdigest()


def _list_sockets(seed: bytes) -> tuple[Path, ...]:
    places = (folder / f"{_name(seed)}.sock" for folder in list_run_folders())
    return tuple(place for place in places if len(os.fsencode(place)) <= _LONGEST)


def _listen_at(place: Path) -> socket.socket:
    make_private_folder(place.parent)
    if place.parent.lstat().st_uid != os.geteuid():
        raise PermissionError(f"{place.parent} belongs to another user")
    place.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(place))  # nobody else can come here before the next line: the folder is closed
        place.chmod(_PRIVATE)
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener
