"""Requests of a browser to its proxy, read with h11."""

from collections.abc import Callable

import h11

from actuators.browser.egress.exchanges import SAFE_METHODS
from actuators.browser.egress.rules import JudgedRequest, find_origin
from core.addresses.urls import judge_address, mask_credentials
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass

MOST_HEAD_BYTES = 256 * 1024
_NOT_PASSED_ON = frozenset({b"host", b"proxy-connection", b"proxy-authorization", b"keep-alive", b"te", b"trailer"})


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The beginning of a request.

    Attributes:
        url: The address as it is written down; of a tunnel, made up from host and port.
        direct: The head for the server itself; empty for a tunnel.
        by_proxy: The head for another proxy, without its end, so that a header can be added; empty for a tunnel.
    """

    request: JudgedRequest
    url: str
    method: bytes
    direct: bytes = b""
    by_proxy: bytes = b""

    @property
    def is_safe(self) -> bool:
        """Whether it only looks, so that it may be sent twice."""
        return self.method in SAFE_METHODS


class StrangerError(InputError):
    """Somebody who isn't the browser asks for something."""

    code = "stranger"


class RequestReader:
    """Splits what a browser sends on one connection into heads and pieces of bodies.

    Bodies keep their framing; whatever else a head says that only concerns the connection is taken out.
    """

    def __init__(self, is_welcome: Callable[[bytes], bool] = lambda _: True) -> None:
        """Begin; ``is_welcome`` tells by a head's ``Proxy-Authorization``, empty if it has none, whether it may ask at all."""
        self._is_welcome = is_welcome
        self._parser = _make_parser()
        self._is_chunked = False

    def feed(self, data: bytes) -> None:
        """Take what came."""
        self._parser.receive_data(data)

    def next_part(self) -> RequestHead | bytes | None:
        """Return the next head, or bytes of a body; StrangerError, or SurehandError for what isn't a request."""
        try:
            event = self._parser.next_event()
        except h11.RemoteProtocolError as error:
            raise _make_error(str(error)) from error
        if isinstance(event, h11.Request):
            return self._read_head(event)
        if isinstance(event, h11.Data):
            return b"%x\r\n%b\r\n" % (len(event.data), event.data) if self._is_chunked else bytes(event.data)
        if isinstance(event, h11.EndOfMessage):
            return self._end_body()
        return None

    def take_rest(self) -> bytes:
        """Return what came after the head of a tunnel."""
        return bytes(self._parser.trailing_data[0])

    def _end_body(self) -> bytes:
        rest, _ = self._parser.trailing_data
        self._parser = _make_parser()
        if rest:
            self._parser.receive_data(rest)
        return b"0\r\n\r\n" if self._is_chunked else b""

    def _read_head(self, event: h11.Request) -> RequestHead:
        fields = tuple(event.headers)  # to go through them once: h11 makes each anew every time
        shown = [value for name, value in fields if name == b"proxy-authorization"]
        if not self._is_welcome(b"".join(shown)):
            raise StrangerError("Another program used the browser's proxy, which refused it.")
        target = event.target.decode("ascii")
        headers = {name: value.decode("latin-1") for name, value in fields}
        self._is_chunked = b"transfer-encoding" in headers
        if event.method == b"CONNECT":
            request = JudgedRequest(judge_address(f"https://{target}"), is_tunnel=True)
            if not request.address.hostname or request.address.href != f"https://{request.address.host}/":
                raise _make_error("it asks for a tunnel to something that is not a host")
            return RequestHead(request, request.address.href, event.method)
        if not target.lower().startswith("http://"):
            raise _make_error("it is a request to a server, not to a proxy")
        address = judge_address(target)
        sender = headers.get(b"origin") or find_origin(headers.get(b"referer", ""))
        request = JudgedRequest(address, is_tunnel=False, sender=sender, relation=headers.get(b"sec-fetch-site", ""))
        lines = [b"Host: " + address.host.encode("ascii")]
        kept = _list_kept(fields)
        lines += [name + b": " + value for name, value in event.headers.raw_items() if name.lower() in kept]
        rest = b"\r\n".join(lines) + b"\r\n"
        path = "/" + address.href.partition("://")[2].partition("#")[0].partition("/")[2]
        start = b"%b %b HTTP/1.1\r\n"
        return RequestHead(
            request,
            mask_credentials(address.href),
            event.method,
            start % (event.method, path.encode("ascii")) + rest + b"\r\n",
            start % (event.method, f"http://{address.host}{path}".encode("ascii")) + rest,
        )


def _make_parser() -> h11.Connection:
    return h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD_BYTES)


def _list_kept(fields: tuple[tuple[bytes, bytes], ...]) -> set[bytes]:
    named = {name for name, _ in fields}
    own = {token.strip().lower() for name, value in fields if name == b"connection" for token in value.split(b",")}
    kept = own & {b"upgrade", b"keep-alive", b"close"}
    # Of two lengths the server might believe the other one, and take the rest for a request of its own.
    doubtful = {b"content-length"} if b"transfer-encoding" in named else set[bytes]()
    return named - (_NOT_PASSED_ON | (own - kept) | doubtful)


def _make_error(why: str) -> InputError:
    return InputError(f"The browser's proxy refused a request: {why}.", code="bad_request")
