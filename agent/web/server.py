"""The server: answers on sockets that are open already, and ends in order when it is told to. Signals are its caller's affair.

Whether anybody still asks it anything is known by its activity.
"""

import asyncio
import contextlib
import socket
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from agent.web.answers import answer_error
from agent.web.correlating import choose_correlation_id, mark_answer
from agent.web.pipe_sources import PipeSource
from core.base.errors import InputError

HEAD_S = 10.0
"""Seconds in which a connection has to send the head of a request, from its first byte on, or from its beginning."""


_NO_REQUEST: Final = InputError(
    "That is not a request of HTTP/1.1.", code="request_malformed", hint="Send it by a client for HTTP."
)
_LONG_HEAD: Final = InputError(
    "The head of the request is too large.", code="head_too_large", hint="Send less in headers and address."
)


class JoinedWrites:
    """A transport that sends an answer's head with its body: what is written waits for the next write of the same turn of the loop."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""

    def __getattr__(self, name: str) -> Any:
        """Be the transport in all else."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write data with what is held, or hold it until the turn is over."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data:
            self._held = data
            self._loop.call_soon(self._let_go)

    def close(self) -> None:
        """Write what is held, and close."""
        self._let_go()
        self._transport.close()

    def _let_go(self) -> None:
        held, self._held = self._held, b""
        if held:
            self._transport.write(held)


class HurriedProtocol(H11Protocol):
    """HTTP/1.1 that does not wait for ever for the head of a request; uvicorn waits between requests only."""

    head_s = HEAD_S

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait."""
        super().connection_made(cast("asyncio.Transport", JoinedWrites(transport, self.loop)))
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Go on waiting only as long as the head is not whole."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._wait_for_head()
        else:
            self._end_waiting()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request in the words of every other refusal; uvicorn does it as plain text."""
        del msg  # what was sent may stand in it
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:  # else an answer is under way, and there is no second
            status = getattr(sys.exception(), "error_status_hint", 400)
            answer = answer_error(_LONG_HEAD if status == 431 else _NO_REQUEST)
            message = {"headers": [*answer.raw_headers, (b"connection", b"close")]}
            mark_answer(message, choose_correlation_id(""))
            head = h11.Response(status_code=answer.status_code, headers=message["headers"])
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._end_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        """Begin to wait, unless it has begun: a byte now and then does not put it off."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.head_s, self._give_up)

    def _end_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        self._deadline = None

    def _give_up(self) -> None:
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self.transport.close()


SERVER_LIMITS: Final[Mapping[str, Any]] = {
    "http": HurriedProtocol,
    "ws": "websockets-sansio",
    "ws_max_size": 64 * 1024,
    "ws_max_queue": 16,
    "ws_per_message_deflate": False,  # what is small when it is sent can't become large here
    "h11_max_incomplete_event_size": 16 * 1024,  # of what is not whole yet; the wall measures the rest
    "limit_concurrency": 2000,
    "proxy_headers": False,  # who asks is told by a token, never by a header about addresses
    "server_header": False,
}
"""What ``uvicorn.Config`` is given beside the app and where it listens."""


if sys.platform == "win32":
    from agent.web.pipe_loop import PipeLoop

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
        return HurriedProtocol(self.config, self.server_state, self.lifespan.state)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


class DoorServer:
    """Serves an app on listening sockets."""

    def __init__(
        self,
        app: ASGIApp,
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


class Activity:
    """Stands before an app and takes note of what comes and goes."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._open = 0
        self._last = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on; it is activity until it is over."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1
            self._last = self._clock()

    async def wait_idle(self, idle_s: float, is_busy: Callable[[], bool]) -> None:
        """Return when nobody has asked anything for some time, nobody waits for an answer, and nothing goes on."""
        left = idle_s
        while left > 0:
            await asyncio.sleep(left)
            left = idle_s - self._measure(is_busy)

    def _measure(self, is_busy: Callable[[], bool]) -> float:
        if self._open or is_busy():
            self._last = self._clock()
        return self._clock() - self._last
