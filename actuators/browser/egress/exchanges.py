"""What the far side of a connection owes the browser, so that no request is sent twice unseen.

Chromium sends a request again, whatever its method, when a connection that served before ends without an answer. Where
the server may have taken the request, the wall prevents that: instead of an end the browser gets bytes that it can only
take for a fault, after which it gives up.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable

SAFE_METHODS = frozenset({b"GET", b"HEAD", b"OPTIONS", b"TRACE"})
RECENT_S = 2.0
"""How long ago a connection may have been in use for a break to be the server's answer to what it was sent. Later, the
server or something on the way may have ended it before, since servers keep an idle one for a few seconds and more."""

# Two lengths in one head: a network error to pages and navigations alike, and none that is tried again.
NO_ANSWER = b"HTTP/1.1 502 No Answer\r\nContent-Length: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
# No record of TLS: what follows can't be read, and the connection is given up for good.
NO_RECORD = b"no answer came"
MOST_HEAD_BYTES = 256 * 1024
LEAST_REQUEST_BYTES = 64  # what is shorter says nothing but that the connection lives
LEAST_HEAD_BYTES = 256  # browsers' heads are longer, where nothing packs them
_HEAD_END = b"\r\n\r\n"
_INTERIM = re.compile(rb"HTTP/1\.\d 1(?!01)\d\d")
_ALERT, _DATA = b"\x15", b"\x17"
_SEALED_ALERT_BYTES = 24


class Exchange(ABC):
    """Watches what goes back and forth on one way."""

    def __init__(self, tell: Callable[[], None]) -> None:
        """Begin; ``tell`` is called if the server ends and owes an answer to what may change something."""
        self._tell = tell

    @abstractmethod
    def send(self, data: bytes, idle_s: float) -> None:
        """Note what the browser sends, after so many seconds without a byte from either side."""

    @abstractmethod
    def take(self, data: bytes) -> bytes:
        """Note what the server sends; return what the browser may have of it by now."""

    def release(self) -> bytes | None:
        """Return what was held back, once nothing more seems to come; None if that was the server's leave."""
        return b""

    @abstractmethod
    def end(self) -> bytes:
        """Return what the browser gets instead of an end, where it must not send again what got no answer."""


class PlainExchange(Exchange):
    """Requests and answers in plain words. An answer to what may change something comes whole to the end of its head."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__(tell)
        self._is_owed = False
        self._held = bytearray()

    def begin(self, method: bytes) -> None:
        """Note that a request is sent."""
        self._is_owed = method not in SAFE_METHODS

    def send(self, data: bytes, idle_s: float) -> None:
        """Do nothing: what counts is the head."""

    def take(self, data: bytes) -> bytes:
        """Hold an answer back until its head is whole: half a head and a break are no answer to the browser either."""
        if not self._is_owed:
            return data
        self._held += data
        ready = b""
        while self._is_owed and (end := self._held.find(_HEAD_END)) >= 0:
            self._is_owed = _INTERIM.match(self._held) is not None  # the answer itself is to follow
            ready += self._held[: end + len(_HEAD_END)]
            del self._held[: end + len(_HEAD_END)]
        if self._is_owed and len(self._held) <= MOST_HEAD_BYTES:
            return ready
        self._is_owed = False
        ready += self._held
        self._held.clear()
        return ready

    def end(self) -> bytes:
        """Return an answer that is none, if one is owed."""
        if not self._is_owed:
            return b""
        self._is_owed = False
        self._tell()
        return NO_ANSWER


class TunnelExchange(Exchange):
    """What is encrypted, of which only sizes and times are known."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__(tell)
        self._unanswered = 0
        self._held = b""
        self._idle_s = 0.0
        self._is_chatty = False  # whether less was said at once than any request has in a head: then it is a WebSocket

    def send(self, data: bytes, idle_s: float) -> None:
        """Count what was sent since the server said something; greetings of TLS don't count."""
        if not self._unanswered:
            self._idle_s = idle_s
        if self._unanswered or is_sealed(data):
            self._unanswered += len(data)

    def take(self, data: bytes) -> bytes:
        """Take anything for an answer but the words with which TLS takes its leave; hold these until the end follows."""
        if _may_be_leave(data) and self._unanswered >= LEAST_REQUEST_BYTES and not self._held:
            self._held = data
            return b""
        held, self._held = self._held, b""
        self._is_chatty = self._is_chatty or 0 < self._unanswered < LEAST_HEAD_BYTES
        self._unanswered = 0
        return held + data

    def release(self) -> bytes | None:
        """Return what was held back, unless it was a leave: some servers then wait for the browser's."""
        if not self._held:
            return b""  # more came meanwhile
        if self._held[:1] == _ALERT or not self._is_chatty:
            return None
        held, self._held = self._held, b""
        self._unanswered = 0
        return held

    def end(self) -> bytes:
        """Return what is no TLS if the connection was in use just now; else the last words, after which browsers try again."""
        if self._unanswered < LEAST_REQUEST_BYTES:
            return b""
        self._unanswered = 0
        self._tell()
        return NO_RECORD if self._idle_s < RECENT_S else b""


def is_sealed(data: bytes) -> bool:
    """Tell whether this is what TLS carries, and no greeting of its own."""
    return data[:1] == _DATA


def _may_be_leave(data: bytes) -> bool:
    """Tell whether this may be a TLS alert and no more; since TLS 1.3 all that shows is its size."""
    return data[:1] == _ALERT or (is_sealed(data) and len(data) == _SEALED_ALERT_BYTES)
