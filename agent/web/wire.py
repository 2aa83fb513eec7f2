"""Wire: how long and how large what comes over a connection may be before it is a request."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from agent.web.answers import answer_error
from agent.web.correlating import choose_correlation_id, mark_answer
from core.base.errors import InputError

HEAD_S = 10.0
"""Seconds in which a connection has to send the head of a request, from its first byte on, or from its beginning."""


_NO_REQUEST: Final = InputError(
    "That is not a request of HTTP/1.1.", code="request_malformed", hint="Send it by a client for HTTP."
)
_LONG_HEAD: Final = InputError(
    "The head of the request is too large.", code="head_too_large", hint="Send less in headers and address."
)


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
        """Serve one connection, as uvicorn asks for it."""
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait."""
        super().connection_made(transport)
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
