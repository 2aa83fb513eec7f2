"""The far end of a connection through the wall: what leads to a server."""

import asyncio
import socket
import ssl
import struct
import sys
from collections.abc import Callable
from typing import cast

from actuators.browser.egress.address_kinds import AddressKind
from actuators.browser.egress.exchanges import RECENT_S, Exchange
from actuators.browser.egress.requests import RequestHead
from core.base.late_dataclasses import dataclass

MOST_ANSWER_BYTES = 64 * 1024
# As much as is read at once, several times: with the usual 64 KiB every read would stop the other side and start it again.
BUFFER_BYTES = 1024 * 1024
HOLD_S = 0.05  # for which the last words of TLS wait for the end that follows them
_NO_LINGERING = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)


class FarSide(asyncio.Protocol):
    """A connection to a server, which passes what it gets to the browser's side."""

    def __init__(self) -> None:
        self.near: asyncio.Transport | None = None
        self.active_s = 0.0
        self._exchange: Exchange | None = None
        self._part: Callable[[bytes], None] = lambda _: None
        self._now = asyncio.get_running_loop().time
        self._transport: asyncio.Transport | None = None
        self._head: bytearray | None = None
        self._answered: asyncio.Future[bytes] | None = None
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport, self.active_s = cast("asyncio.Transport", transport), self._now()
        self._transport.set_write_buffer_limits(BUFFER_BYTES)

    @property
    def is_steady(self) -> bool:
        """Whether it is open and was in use just now, so that the server hasn't tired of it."""
        is_open = self._transport is not None and not self._transport.is_closing()
        return is_open and self._now() - self.active_s < RECENT_S

    def attach(self, near: asyncio.Transport, exchange: Exchange, part: Callable[[bytes], None]) -> None:
        """Pass everything to this side from now on, and end with it; call ``part`` with what the browser gets instead of an end."""
        self.near, self._exchange, self._part = near, exchange, part
        if near.is_closing():
            self.abort()
            return
        if self._early:
            near.write(self._early)
            self._early = b""
            self.resume_reading()
        if self._transport is None or self._transport.is_closing():
            near.close()  # the server went away before it was asked

    def detach(self) -> None:
        """Have nothing to do with the browser's side any more."""
        self.near = None

    def send(self, data: bytes) -> None:
        """Pass bytes to the server."""
        if self._transport and data:
            now_s = self._now()
            if self._exchange:
                self._exchange.send(data, now_s - self.active_s)
            self.active_s = now_s
            self._transport.write(data)

    async def encrypt(self, settings: ssl.SSLContext, hostname: str) -> None:
        """Speak TLS from now on; OSError if the other side doesn't, or can't show that it is this host."""
        loop = asyncio.get_running_loop()
        assert self._transport
        self._transport = await loop.start_tls(self._transport, self, settings, server_hostname=hostname)

    async def ask(self, request: bytes) -> bytes:
        """Send a request to a proxy on the way; return the answer's first line; ConnectionError if it has no end."""
        self._head, self._answered = bytearray(), asyncio.get_running_loop().create_future()
        self.send(request)
        try:
            head = await self._answered
        finally:
            self._answered = None
        if len(head) > MOST_ANSWER_BYTES:
            raise ConnectionError("The proxy's answer has no end.")
        return head.partition(b"\r\n")[0]

    def data_received(self, data: bytes) -> None:
        """Pass bytes to the browser, or collect the answer of a proxy."""
        if self._head is None:
            if self.near and self._exchange:
                self.active_s = self._now()
                ready = self._exchange.take(data)
                self.near.write(ready)
                if not ready:
                    asyncio.get_running_loop().call_later(HOLD_S, self._release)
            else:  # a server that speaks before it is asked, as one that is overloaded does
                self._early += data
                self.pause_reading()
            return
        self._head += data
        head, end, rest = bytes(self._head).partition(b"\r\n\r\n")
        if (end or len(head) > MOST_ANSWER_BYTES) and self._answered and not self._answered.done():
            self._answered.set_result(head)
            self._head = None
            if rest:
                self.abort()  # a server behind the tunnel has nothing to say before it is asked

    def connection_lost(self, exc: Exception | None) -> None:
        """End the browser's side, once it has what came."""
        if self._answered and not self._answered.done():
            self._answered.set_exception(exc or ConnectionResetError("The proxy closed the connection."))
        if self.near is None or self._has_parted():
            return
        if exc:
            break_off(self.near)  # what came may not be all of it
        else:
            self.near.close()

    def _has_parted(self) -> bool:
        """Let the browser's side part for good, if this side left it without an answer; tell whether it has."""
        if self.near is None or self._exchange is None or self.near.is_closing():
            return False
        parting = self._exchange.end()
        if parting:
            self._part(parting)
        return bool(parting)

    def _release(self) -> None:
        if self.near is None or self._exchange is None or self.near.is_closing():
            return
        held = self._exchange.release()
        if held is not None:
            self.near.write(held)
            return
        if not self._has_parted():
            self.near.close()
        self.detach()
        self.abort()

    def pause_writing(self) -> None:
        """Take no more from the browser while the server is slow."""
        if self.near:
            self.near.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        if self.near:
            self.near.resume_reading()

    def pause_reading(self) -> None:
        """Take no more from the server while the browser is slow."""
        if self._transport:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Go on."""
        if self._transport:
            self._transport.resume_reading()

    def abort(self) -> None:
        """End at once."""
        if self._transport:
            self._transport.abort()


@dataclass(frozen=True, slots=True)
class ServerConnection:
    """An open way to a server, and what a proxy on that way wants added to the head of each request."""

    far: FarSide
    kind: AddressKind
    by_proxy: bytes | None = None

    def compose(self, head: RequestHead) -> bytes:
        """Return a request's head as it goes out on this way."""
        return head.direct if self.by_proxy is None else head.by_proxy + self.by_proxy + b"\r\n"


def break_off(transport: asyncio.WriteTransport) -> None:
    """End a connection so that the other side sees an error: an ordinary end would pass for that of an answer without a length."""
    known = transport.get_extra_info("socket")
    if known is not None and not transport.is_closing():
        known.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
    transport.abort()
