"""Where the socket of a workspace's service lies: in its folder, or where that path is too long for a socket, in a short one.

On Windows it is a named pipe.

The places depend on nothing but the folder and the person, so that a job of cron finds the service of a login and the other way round.
"""

import hashlib
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from agent.store.private_files import make_private_folder
from core.base.errors import RefusedError

if sys.platform == "win32":
    from agent.remote.pipes import PrivatePipe, name_pipe

SOCKET_FILE = "service.sock"

_LONGEST = 100
"""Bytes that a socket's path may have: Linux takes 107, macOS and the BSDs 103."""

_NAME_BYTES = 8
_PRIVATE = 0o600


def list_places(state: Path) -> tuple[Path, ...]:
    """Return the paths at which a service of a workspace may listen, the best first.

    Args:
        state: The workspace's folder for what is kept, as an absolute path.
    """
    if sys.platform == "win32":
        return (Path(name_pipe(os.fsencode(state))),)
    return _keep_short(state / SOCKET_FILE, *_list_short(os.fsencode(state)))


def listen_privately(state: Path, *, for_itself: bool = False) -> tuple[socket.socket, Path]:
    """Return a socket that listens for this person alone, and where; what an earlier service left there is removed.

    Args:
        state: The workspace's folder for what is kept; the caller holds its lock.
        for_itself: Whether it is a place of this process alone, for which nobody needs a lock.

    Raises:
        RefusedError: ``no_socket`` if none of the places can be used.
    """
    faults: list[str] = []
    for place in _keep_short(*_list_short(os.urandom(_NAME_BYTES))) if for_itself else list_places(state):
        try:
            return _listen_at(place), place
        except OSError as error:
            faults.append(f"{place}: {error.strerror or error}")
    raise _refuse(faults)


if sys.platform == "win32":

    def listen_at_pipe(state: Path, *, for_itself: bool = False) -> PrivatePipe:
        """Return the named pipe at which a service of this person listens.

        Args:
            state: The workspace's folder for what is kept; the caller holds its lock.
            for_itself: Whether it is a place of this process alone.

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
        hint="Work in a folder on a disk of this machine.",
    )


def _list_short(seed: bytes) -> Iterator[Path]:
    """Yield paths in folders of this person alone that are short and last as long as the machine runs."""
    name = f"{hashlib.blake2b(seed, digest_size=_NAME_BYTES).hexdigest()}.sock"
    for folder in (Path("/run/user") / str(os.geteuid()), Path("/", "tmp")):
        if folder.is_dir():
            yield folder / f"surehand-{os.geteuid()}" / name


def _keep_short(*places: Path) -> tuple[Path, ...]:
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
