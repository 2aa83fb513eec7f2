"""Who may use the wall: one browser context, by a password that only it is told; and how long anybody may keep a connection.

The port is open to every program of this machine. What goes through it goes on with this person's rights: through the
proxies of the environment, with their passwords. So whoever can't show the password is told so and nothing else.
"""

import asyncio
import base64
import hmac
import secrets
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

USER = "surehand"
WHO_ARE_YOU = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'Proxy-Authenticate: Basic realm="surehand"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
)
WELCOME = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


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


class Visitor(Protocol):
    """A connection, as the doorkeeper sees it."""

    @property
    def active_s(self) -> float:
        """When a byte came last, from either side, by the clock of the event loop."""
        ...

    def abort(self) -> None:
        """End at once."""
        ...


V = TypeVar("V", bound=Visitor)


class Doorkeeper(Generic[V]):
    """Tells the browser's connections from others, and ends those that nobody needs.

    Attributes:
        entry: The address that shows the password was understood; nobody else can guess it.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self.password = secrets.token_urlsafe(24)
        self.entry = f"{secrets.token_hex(16)}.invalid"
        self._limits = limits
        self._visitors: set[V] = set()
        self._strangers: dict[V, float] = {}  # the oldest first, and since when they are there

    @property
    def authorization(self) -> bytes:
        """The value of ``Proxy-Authorization`` that is expected."""
        return b"Basic " + base64.b64encode(f"{USER}:{self.password}".encode("ascii"))

    def is_welcome(self, authorization: bytes) -> bool:
        """Tell whether a request shows the password; takes as long for a wrong one as for the right one."""
        return hmac.compare_digest(authorization, self.authorization)

    def receive(self, stranger: V) -> None:
        """Let somebody in who hasn't said anything yet."""
        loop = asyncio.get_running_loop()
        if not self._strangers and not self._visitors:
            loop.call_later(self._limits.round_s, self._make_round)
        self._strangers[stranger] = loop.time()
        if len(self._strangers) > self._limits.strangers:
            self._turn_away(next(iter(self._strangers)))

    def recognise(self, visitor: V) -> bool:
        """Note that a connection has shown the password; tell whether there is room for it."""
        self._strangers.pop(visitor, None)
        if len(self._visitors) >= self._limits.visitors and visitor not in self._visitors:
            return False
        self._visitors.add(visitor)
        return True

    def forget(self, visitor: V) -> None:
        """Drop a connection that has ended."""
        self._strangers.pop(visitor, None)
        self._visitors.discard(visitor)

    def list_all(self) -> tuple[V, ...]:
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

    def _turn_away(self, visitor: V) -> None:
        self.forget(visitor)
        visitor.abort()
