"""What a service listens at, and how it is found there."""

import os
import secrets
import socket
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from actuators.own_services import keep_hands_off
from agent.remote.service_file import RunningService
from agent.remote.socket_places import listen_privately, remove_socket
from agent.settings.folder_checks import locate_folder
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass

if sys.platform == "win32":
    from agent.remote.socket_places import listen_at_pipe

if TYPE_CHECKING:
    from agent.web.pipe_sources import PipeSource

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class OpenDoors:
    """What a service listens at.

    Attributes:
        pipe: The same on Windows, for the place that no socket has there; None elsewhere.
    """

    service: RunningService
    sockets: Sequence[socket.socket]
    pipe: "PipeSource | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorWish:
    """Where a service is to listen.

    Attributes:
        port: On which it answers HTTP; 0 for one that the system chooses.
    """

    workspace: Path
    state: Path
    port: int
    headed: bool = False
    private: bool = False


@contextmanager
def open_doors(wish: DoorWish) -> Generator[OpenDoors]:
    """Listen on the workspace's socket (on Windows its named pipe) and on loopback, and clear away afterwards.

    Raises:
        RefusedError: ``no_socket`` or ``port_taken`` if that can't be had.
    """
    with _listen(wish.port) as outer, _listen_inside(wish) as (inner, pipe, place):
        host, port = outer.getsockname()[:2]
        service = RunningService(
            pid=os.getpid(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            address=f"http://{host}:{port}",
            socket=place,
            token=secrets.token_hex(32),
            workspace=str(locate_folder(wish.workspace)),
            headed=wish.headed,
        )
        with keep_hands_off(port):
            yield OpenDoors(service, [*inner, outer], pipe)


@contextmanager
def _listen_inside(wish: DoorWish) -> Generator[tuple[Sequence[socket.socket], "PipeSource | None", str]]:
    if sys.platform == "win32":
        pipe = listen_at_pipe(wish.state, for_itself=wish.private)
        try:
            yield (), pipe, pipe.name
        finally:
            pipe.close()
        return
    listener, place = listen_privately(wish.state, for_itself=wish.private)
    try:
        yield (listener,), None, str(place)
    finally:
        listener.close()
        remove_socket(place)


def _listen(port: int) -> socket.socket:
    from agent.web.server import listen_on

    try:
        return listen_on(LOOPBACK, port)
    except OSError as error:
        text = f"Port {port} of {LOOPBACK} can't be used: {error.strerror or error}."
        raise RefusedError(text, code="port_taken", hint="Choose another: --port 0 takes a free one.") from error
