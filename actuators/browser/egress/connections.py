"""The two ends of a connection through the wall: the browser's and the far one. Bytes go from one to the other as they come."""

import asyncio
import socket
import ssl
import struct
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from actuators.browser.egress.address_kinds import AddressKind
from actuators.browser.egress.requests import RequestHead, RequestReader
from core.errors import InputError, SurehandError
from core.urls import WebAddress

MOST_ANSWER_BYTES = 64 * 1024
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
NO_TUNNEL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_NO_LINGERING = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)


class FarSide(asyncio.Protocol):
    """A connection to a server, which passes what it gets to the browser's side."""

    def __init__(self) -> None:
        self.near: asyncio.Transport | None = None
        self._transport: asyncio.Transport | None = None
        self._head: bytearray | None = None
        self._answered: asyncio.Future[bytes] | None = None
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)

    def attach(self, near: asyncio.Transport) -> None:
        """Pass everything to this side from now on, and end with it."""
        self.near = near
        if near.is_closing():
            self.abort()
            return
        if self._early:
            near.write(self._early)
            self.resume_reading()
        if self._transport is None or self._transport.is_closing():
            near.close()  # the server went away before it was asked

    def send(self, data: bytes) -> None:
        """Pass bytes to the server."""
        if self._transport and data:
            self._transport.write(data)

    async def encrypt(self, settings: ssl.SSLContext, hostname: str) -> None:
        """Speak TLS from now on.

        Raises:
            OSError: If the other side doesn't, or can't show that it is this host.
        """
        loop = asyncio.get_running_loop()
        assert self._transport
        self._transport = await loop.start_tls(self._transport, self, settings, server_hostname=hostname)

    async def ask(self, request: bytes, most_bytes: int = MOST_ANSWER_BYTES) -> bytes:
        """Send a request to a proxy on the way, and return the first line of its answer.

        Raises:
            ConnectionError: If the connection ends before, or the answer has no end.
        """
        self._head, self._answered = bytearray(), asyncio.get_running_loop().create_future()
        self.send(request)
        try:
            head = await self._answered
        finally:
            self._answered = None
        if len(head) > most_bytes:
            raise ConnectionError("The proxy's answer has no end.")
        return head.partition(b"\r\n")[0]

    def data_received(self, data: bytes) -> None:
        """Pass bytes to the browser, or collect the answer of a proxy."""
        if self._head is None:
            if self.near:
                self.near.write(data)
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

    def eof_received(self) -> None:
        """End: what came goes to the browser, and then its connection ends too."""
        return

    def connection_lost(self, exc: Exception | None) -> None:
        """End the browser's side, once it has what came."""
        if self._answered and not self._answered.done():
            self._answered.set_exception(exc or ConnectionResetError("The proxy closed the connection."))
        if self.near and exc:
            break_off(self.near)  # what came may not be all of it
        elif self.near:
            self.near.close()

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
class Way:
    """An open way to a server.

    Attributes:
        far: The connection.
        kind: What kind of place it leads to.
        by_proxy: What to add to the head of each request for the proxy on the way; None where there is none.
    """

    far: FarSide
    kind: AddressKind
    by_proxy: bytes | None = None

    def compose(self, head: RequestHead) -> bytes:
        """Return a request's head as it goes out on this way."""
        return head.direct if self.by_proxy is None else head.by_proxy + self.by_proxy + b"\r\n"


@dataclass(frozen=True, slots=True)
class Gate:
    """What a browser's connection asks for permission and for ways.

    Attributes:
        open_way: Judges a request and opens a way for it.
        check_again: Judges a further request on a way that is open.
        refuse: Told of each request that ends here, with the error.
        remember: Told of each connection that begins.
        forget: Told of each connection that has ended.
    """

    open_way: Callable[[RequestHead], Awaitable[Way]]
    check_again: Callable[[RequestHead, Way], None]
    refuse: Callable[[RequestHead | None, SurehandError], None]
    remember: Callable[["BrowserSide"], None]
    forget: Callable[["BrowserSide"], None]


class BrowserSide(asyncio.Protocol):
    """One connection of the browser. It leads to one host only, so that no host can answer in another's name."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._reader = RequestReader()
        self._transport: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        self._way: Way | None = None
        self._address: WebAddress | None = None
        self._latest: RequestHead | None = None
        self._tunnel: RequestHead | None = None
        self._has_ended = False

    @property
    def opening(self) -> "asyncio.Task[None] | None":
        """The task that opens a way, while it does."""
        return self._opening

    @property
    def latest(self) -> "tuple[RequestHead, Way] | None":
        """The head of the tunnel or of the latest request, and its way, once that is open."""
        return (self._latest, self._way) if self._latest and self._way else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)
        self._gate.remember(self)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, or read the request that they are a part of."""
        if self._has_ended:
            return
        if self._tunnel and self._way:
            self._way.far.send(data)
            return
        self._reader.feed(data)
        self._advance()

    def eof_received(self) -> None:
        """End."""
        return

    def connection_lost(self, exc: Exception | None) -> None:
        """End the far side too."""
        del exc
        if self._opening:
            self._opening.cancel()
        if self._way:
            self._way.far.abort()
        self._gate.forget(self)

    def pause_writing(self) -> None:
        """Let the server wait while the browser is slow."""
        if self._way:
            self._way.far.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        if self._way:
            self._way.far.resume_reading()

    def abort(self) -> None:
        """End at once."""
        if self._transport:
            break_off(self._transport)

    def _advance(self) -> None:
        try:
            while not self._has_ended and self._opening is None and (part := self._reader.next_part()) is not None:
                if isinstance(part, RequestHead):
                    self._begin(part)
                elif self._way:
                    self._way.far.send(part)
                if self._tunnel:
                    return
        except SurehandError as error:
            self._give_up(None, error)

    def _begin(self, head: RequestHead) -> None:
        way = self._way
        if way is None:
            self._address, self._latest = head.request.address, head
            self._opening = asyncio.get_running_loop().create_task(self._open(head))
            return
        known = self._address
        if head.request.is_tunnel or known is None or head.request.address.host != known.host:
            self._give_up(head, InputError("A connection to one host asks for another one.", code="bad_request"))
            return
        try:
            self._gate.check_again(head, way)
        except SurehandError as error:
            self._give_up(head, error)
            return
        self._latest = head
        way.far.send(way.compose(head))

    async def _open(self, head: RequestHead) -> None:
        transport = self._transport
        assert transport
        transport.pause_reading()
        try:
            self._way = way = await self._gate.open_way(head)
        except SurehandError as error:
            self._give_up(head, error)
            return
        finally:
            self._opening = None
        way.far.attach(transport)
        if transport.is_closing():
            return
        if head.request.is_tunnel:
            self._tunnel = head
            transport.write(ESTABLISHED)
            way.far.send(self._reader.take_rest())
        else:
            way.far.send(way.compose(head))
            self._advance()
        transport.resume_reading()

    def _give_up(self, head: RequestHead | None, error: SurehandError) -> None:
        self._has_ended = True  # what comes of the same request, such as its body, goes nowhere either
        self._gate.refuse(head, error)
        if self._transport and head and head.request.is_tunnel and self._way is None:
            self._transport.write(NO_TUNNEL)
            self._transport.close()
        elif self._transport:
            # No answer at all: a page can't take this for an answer of the server.
            break_off(self._transport)


def break_off(transport: asyncio.WriteTransport) -> None:
    """End a connection so that the other side sees an error: an ordinary end would pass for that of an answer without a length."""
    known = transport.get_extra_info("socket")
    if known is not None and not transport.is_closing():
        known.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
    transport.abort()
