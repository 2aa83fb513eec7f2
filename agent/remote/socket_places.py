"""Where the socket of a workspace's service lies: in its folder, or where that path is too long for a socket, in a short one.

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

SOCKET_FILE = "service.sock"

_LONGEST = 100
"""Bytes that a socket's path may have: Linux takes 107, macOS and the BSDs 103."""

_NAME_BYTES = 8
_PRIVATE = 0o600


def list_places(state: Path) -> tuple[Path, ...]:
    """Return the paths at which a service of a workspace may listen, the best first; none where the system has no such sockets.

    Args:
        state: The workspace's folder for what is kept, as an absolute path.
    """
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
    raise RefusedError(
        f"No socket can be made for the service: {'; '.join(faults)}.",
        code="no_socket",
        hint="Work in a folder on a disk of this machine.",
    )


def remove_socket(place: Path) -> None:
    """Remove a socket that nobody listens at any more; for whoever listened there."""
    with suppress(OSError):
        place.unlink(missing_ok=True)


def _list_short(seed: bytes) -> Iterator[Path]:
    """Yield paths in folders of this person alone that are short and last as long as the machine runs."""
    if sys.platform == "win32":
        return
    name = f"{hashlib.blake2b(seed, digest_size=_NAME_BYTES).hexdigest()}.sock"
    for folder in (Path("/run/user") / str(os.geteuid()), Path("/", "tmp")):
        if folder.is_dir():
            yield folder / f"surehand-{os.geteuid()}" / name


def _keep_short(*places: Path) -> tuple[Path, ...]:
    is_known = sys.platform != "win32"
    return tuple(place for place in places if is_known and len(os.fsencode(place)) <= _LONGEST)


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
