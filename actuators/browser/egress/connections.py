"""The browser's end of a connection through the wall: who may have one, and for how long. Bytes go to the far end, and back, as they come.

The port is open to every program of this machine. What goes through it goes on with this person's rights: through the
proxies of the environment, with their passwords. So whoever can't show the password is told so and nothing else.
"""

import asyncio
import base64
import hmac
import secrets
from collections.abc import Awaitable, Callable
from typing import cast

from actuators.browser.egress.exchanges import PlainExchange, TunnelExchange, is_sealed
from actuators.browser.egress.far_sides import BUFFER_BYTES, ServerConnection, break_off
from actuators.browser.egress.requests import RequestHead, RequestReader, StrangerError
from core.base.errors import InputError, NavigationError, SurehandError
from core.base.late_dataclasses import dataclass

USER = "surehand"
WHO_ARE_YOU = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="surehand"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
)
WELCOME = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
NO_TUNNEL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections there may be, and for how long.

    Attributes:
        strangers: Connections that haven't shown the password yet; of more, the oldest are ended.
        visitors: Connections that have. Browsers keep at most a few dozen to a proxy.
        head_s: Seconds until the first head must be whole.
        idle_s: Seconds without a byte after which a connection ends; a page's WebSocket may be silent for minutes.
    """

    strangers: int = 64
    visitors: int = 256
    head_s: float = 15.0
    idle_s: float = 900.0
    round_s: float = 5.0


class Doorkeeper:
    """Tells the browser's connections from others by an ``entry`` nobody else can guess; ends those nobody needs."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.password = secrets.token_urlsafe(24)
        self.entry = f"{secrets.token_hex(16)}.invalid"
        self._limits = limits
        self._visitors: set[BrowserSide] = set()
        self._strangers: dict[BrowserSide, float] = {}  # the oldest first, and since when they are there

    @property
    def authorization(self) -> bytes:
        """The value of ``Proxy-Authorization`` that is expected."""
        return b"Basic " + base64.b64encode(f"{USER}:{self.password}".encode("ascii"))

    def is_welcome(self, authorization: bytes) -> bool:
        """Tell whether a request shows the password; takes as long for a wrong one as for the right one."""
        return hmac.compare_digest(authorization, self.authorization)

    def receive(self, stranger: "BrowserSide") -> None:
        """Let somebody in who hasn't said anything yet."""
        loop = asyncio.get_running_loop()
        if not self._strangers and not self._visitors:
            loop.call_later(self._limits.round_s, self._make_round)
        self._strangers[stranger] = loop.time()
        if len(self._strangers) > self._limits.strangers:
            self._turn_away(next(iter(self._strangers)))

    def recognise(self, visitor: "BrowserSide") -> bool:
        """Note that a connection has shown the password; tell whether there is room for it."""
        self._strangers.pop(visitor, None)
        if len(self._visitors) >= self._limits.visitors and visitor not in self._visitors:
            return False
        self._visitors.add(visitor)
        return True

    def forget(self, visitor: "BrowserSide") -> None:
        """Drop a connection that has ended."""
        self._strangers.pop(visitor, None)
        self._visitors.discard(visitor)

    def list_all(self) -> "tuple[BrowserSide, ...]":
        """Return every connection there is."""
        return (*self._visitors, *self._strangers)

    def _make_round(self) -> None:
        loop = asyncio.get_running_loop()
        now_s = loop.time()
        late = [each for each, since_s in self._strangers.items() if now_s - since_s >= self._limits.head_s]
        idle = [each for each in self._visitors if now_s - each.active_s >= self._limits.idle_s]
        for each in (*late, *idle):
            self._turn_away(each)
        if self._strangers or self._visitors:
            loop.call_later(self._limits.round_s, self._make_round)

    def _turn_away(self, visitor: "BrowserSide") -> None:
        self.forget(visitor)
        visitor.abort()


@dataclass(frozen=True, slots=True)
class Gate:
    """What a browser's connection asks for permission and for ways."""

    open_way: Callable[[RequestHead], Awaitable[ServerConnection]]
    check_again: Callable[[RequestHead, ServerConnection], None]
    refuse: Callable[[RequestHead | None, SurehandError], None]
    doorkeeper: Doorkeeper


class BrowserSide(asyncio.Protocol):
    """One connection of the browser. It leads to one host only, so that no host can answer in another's name.

    Attributes:
        sent_s: When it sent a request there last, by the loop's clock; of what is encrypted, anything but greetings.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._reader = RequestReader(gate.doorkeeper.is_welcome)
        self._now = asyncio.get_running_loop().time
        self._heard_s = self._now()
        self._is_known = False
        self._transport: asyncio.Transport | None = None
        self.opening: asyncio.Task[None] | None = None
        self._way: ServerConnection | None = None
        self._exchange: PlainExchange | None = None
        self._host: str | None = None
        self._latest: RequestHead | None = None
        self._tunnel: RequestHead | None = None
        self._has_ended = False
        self.sent_s = 0.0

    @property
    def host(self) -> str | None:
        """Where it leads, once that was asked for."""
        return self._host

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
            if is_sealed(data):
                self.sent_s = self._heard_s
            return
        self._reader.feed(data)
        self._advance()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the far side too."""
        del exc
        if self.opening:
            self.opening.cancel()
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
            while not self._has_ended and self.opening is None and (part := self._reader.next_part()) is not None:
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
        address = head.request.address
        if self._host is None:
            if address.hostname == self._gate.doorkeeper.entry:
                self._leave(WELCOME)
                return
            self._host = address.host
        elif head.request.is_tunnel or address.host != self._host:
            self._give_up(head, InputError("A connection to one host asks for another host.", code="bad_request"))
            return
        self._proceed(head)

    def _proceed(self, head: RequestHead) -> None:
        """Send a request on the way that is open, or open one. What may change something goes on none that may be stale."""
        self._latest = head
        if self._way is None or not head.is_safe:
            self.opening = asyncio.get_running_loop().create_task(self._open(head))
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
        self.sent_s = self._now()

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
            self.opening = None
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
