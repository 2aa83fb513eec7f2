"""The browser's end of a connection through the wall. Bytes go from it to the far one, and back, as they come."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from actuators.browser.egress.exchanges import PlainExchange, TunnelExchange
from actuators.browser.egress.far_sides import BUFFER_BYTES, ServerConnection, break_off
from actuators.browser.egress.requests import RequestHead, RequestReader, StrangerError
from actuators.browser.egress.visitors import WELCOME, WHO_ARE_YOU, Doorkeeper
from core.addresses.urls import WebAddress
from core.base.errors import InputError, NavigationError, SurehandError

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
NO_TUNNEL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Gate:
    """What a browser's connection asks for permission and for ways."""

    open_way: Callable[[RequestHead], Awaitable[ServerConnection]]
    check_again: Callable[[RequestHead, ServerConnection], None]
    refuse: Callable[[RequestHead | None, SurehandError], None]
    doorkeeper: "Doorkeeper[BrowserSide]"


class BrowserSide(asyncio.Protocol):
    """One connection of the browser. It leads to one host only, so that no host can answer in another's name."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._reader = RequestReader(gate.doorkeeper.is_welcome)
        self._now = asyncio.get_running_loop().time
        self._heard_s = self._now()
        self._is_known = False
        self._transport: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        self._way: ServerConnection | None = None
        self._exchange: PlainExchange | None = None
        self._address: WebAddress | None = None
        self._latest: RequestHead | None = None
        self._tunnel: RequestHead | None = None
        self._has_ended = False

    @property
    def opening(self) -> "asyncio.Task[None] | None":
        """The task that opens a way, while it does."""
        return self._opening

    @property
    def latest(self) -> "tuple[RequestHead, ServerConnection] | None":
        """The head of the tunnel or of the latest request, and its way, once that is open."""
        return (self._latest, self._way) if self._latest and self._way else None

    @property
    def active_s(self) -> float:
        """When a byte came last, from either side."""
        return max(self._heard_s, self._way.far.active_s) if self._way else self._heard_s

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(BUFFER_BYTES)
        self._gate.doorkeeper.receive(self)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, or read the request that they are a part of."""
        if self._has_ended:
            return
        self._heard_s = self._now()
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
        self._gate.doorkeeper.forget(self)

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
            if self._is_known and not isinstance(error, StrangerError):
                self._give_up(None, error)
            else:
                self._leave(WHO_ARE_YOU)

    def _begin(self, head: RequestHead) -> None:
        if not self._is_known and not self._gate.doorkeeper.recognise(self):
            self.abort()
            return
        self._is_known = True
        known = self._address
        if known is None:
            if head.request.address.hostname == self._gate.doorkeeper.entry:
                self._leave(WELCOME)
                return
            self._address = head.request.address
        elif head.request.is_tunnel or head.request.address.host != known.host:
            self._give_up(head, InputError("A connection to one host asks for another host.", code="bad_request"))
            return
        self._proceed(head)

    def _proceed(self, head: RequestHead) -> None:
        """Send a request on the way that is open, or open one. What may change something goes on none that may be stale."""
        self._latest = head
        if self._way is None or not head.is_safe:
            self._opening = asyncio.get_running_loop().create_task(self._open(head))
            return
        try:
            self._gate.check_again(head, self._way)
        except SurehandError as error:
            self._give_up(head, error)
            return
        self._send(head, self._way)

    def _send(self, head: RequestHead, way: ServerConnection) -> None:
        if self._exchange:
            self._exchange.begin(head.method)
        way.far.send(way.compose(head))

    async def _open(self, head: RequestHead) -> None:
        transport = self._transport
        assert transport
        transport.pause_reading()
        try:
            way = await self._find_way(head)
        except SurehandError as error:
            self._give_up(head, error)
            return
        finally:
            self._opening = None
        self._way = way
        exchange = TunnelExchange(self._miss) if head.request.is_tunnel else PlainExchange(self._miss)
        way.far.attach(transport, exchange, self._part)
        if transport.is_closing():
            return
        if isinstance(exchange, TunnelExchange):
            self._tunnel = head
            transport.write(ESTABLISHED)
            way.far.send(self._reader.take_rest())
        else:
            self._exchange = exchange
            self._send(head, way)
            self._advance()
        transport.resume_reading()

    async def _find_way(self, head: RequestHead) -> ServerConnection:
        """Return the way that is open, if it is fit for a request, or a new one."""
        way, self._way = self._way, None
        if way is None:
            return await self._gate.open_way(head)
        way.far.detach()
        try:
            await asyncio.sleep(0)  # an end of it that has come already is told in this turn of the loop
            if way.far.is_steady:
                self._gate.check_again(head, way)
                return way
        except BaseException:
            way.far.abort()
            raise
        way.far.abort()
        return await self._gate.open_way(head)

    def _miss(self) -> None:
        """Tell of the latest request, which stays without an answer."""
        if self._latest:
            self._gate.refuse(self._latest, _make_unanswered_error(self._latest))

    def _part(self, parting: bytes) -> None:
        """Give the browser the last that it gets here. It ends the connection, once it has read it."""
        self._has_ended = True
        if self._transport:
            self._transport.write(parting)
            self._transport.resume_reading()  # an end by us, with bytes unread, would come before what was written

    def _leave(self, words: bytes) -> None:
        self._has_ended = True
        if self._transport:
            self._transport.write(words)
            self._transport.close()

    def _give_up(self, head: RequestHead | None, error: SurehandError) -> None:
        self._has_ended = True  # what comes of the same request, such as its body, goes nowhere either
        self._gate.refuse(head, error)
        if head and head.request.is_tunnel and self._way is None:
            self._leave(NO_TUNNEL)
        elif self._transport:
            # No answer at all: a page can't take this for an answer of the server.
            break_off(self._transport)


def _make_unanswered_error(head: RequestHead) -> NavigationError:
    host = head.request.address.host
    asked = "a request" if head.request.is_tunnel else f"a {head.method.decode('latin-1')} request"
    return NavigationError(
        f"{host} closed the connection without answering {asked}; whether it was accepted is unknown.",
        code="unanswered",
        hint="Check what happened before you repeat it.",
        evidence={"host": host},
    )
