"""The server: answers on sockets that are open already, and ends in order when it is told to. Signals are its caller's affair."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

import uvicorn

from agent.web.pipe_sources import PipeSource
from agent.web.wire import SERVER_LIMITS, HurriedProtocol

if sys.platform == "win32":
    from agent.web.pipe_loop import PipeLoop

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_GRACE_S = 1
"""Seconds that answers have which are on their way when all runs have ended."""

_IDLE_CONNECTION_S = 75


class _QuietServer(uvicorn.Server):
    """uvicorn's, without its signal handlers, and on a named pipe as well."""

    pipe: PipeSource | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if sys.platform == "win32" and self.pipe:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, PipeLoop), "a service on Windows runs on this loop"
            self.servers.append(loop.serve_pipe(self.pipe, self._make_protocol))

    def _make_protocol(self) -> asyncio.Protocol:
        """Return what speaks with one that came, as uvicorn makes it for sockets."""
        return HurriedProtocol(self.config, self.server_state, self.lifespan.state)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


class DoorServer:
    """Serves an app on listening sockets."""

    def __init__(
        self,
        app: "ASGIApp",
        sockets: Sequence[socket.socket],
        *,
        pipe: PipeSource | None = None,
    ) -> None:
        """Put the server together; nothing is answered yet.

        Args:
            sockets: Where; they are closed at the end.
            pipe: A named pipe to answer on as well, on Windows; it is closed at the end.
        """
        self._sockets = list(sockets)
        self._server = _QuietServer(
            uvicorn.Config(
                app,
                **SERVER_LIMITS,
                lifespan="on",
                log_config=None,
                access_log=False,
                timeout_keep_alive=_IDLE_CONNECTION_S,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )
        self._server.pipe = pipe
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to answer; connections that come earlier wait in the sockets."""
        self._task = asyncio.ensure_future(self._server.serve(self._sockets))

    async def stop(self) -> None:
        """Take no connection any more, let answers that are on their way end, and close all; calling it again does nothing."""
        self._server.should_exit = True
        if self._task:
            await asyncio.wait([self._task])


def listen_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Args:
        port: Its number; 0 for one that the system chooses.

    Raises:
        OSError: If it can't be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By its number asyncio knows that it is TCP, and lets no answer wait until the head before it is acknowledged (40 ms).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener
