"""Wire: questions to a service and its answers, as JSON, files or streams."""

import http.client
import json
import re
import socket
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from .endpoints import Connections, Endpoint
from .reports import HandError, Problem, ServiceGoneError, make_error

_END = re.compile(rb"\r\n|\n|\r(?!\n)")


class EventLines:
    """Puts events together, line by line; what is no data is left out, since our records say all."""

    def __init__(self) -> None:
        self._waiting = b""
        self._data: list[bytes] = []

    def feed(self, part: bytes) -> Iterator[Mapping[str, Any]]:
        """Yield the records that a part completes.

        Raises:
            ValueError: If the data of an event is not JSON.
        """
        text = self._waiting + part
        # What ends in \r may be half of \r\n: it waits for the rest.
        held = text[-1:] if text.endswith(b"\r") else b""
        *lines, self._waiting = _END.split(text[: len(text) - len(held)])
        self._waiting += held
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                data, self._data = b"\n".join(self._data), []
                yield json.loads(data)


SILENCE_S = 60.0
"""Seconds without a sign of life after which a stream counts as broken; a service gives one every 15 s."""

_CHUNK = 65_536
_DOOR = {"X-Surehand-Door": "client"}
_JSON = "application/json"

Locate = Callable[[], Endpoint]


class Breaker:
    """By what another thread breaks off a question to a service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sock: socket.socket | None = None
        self._is_broken_off = False

    def use(self, sock: socket.socket) -> None:
        """Remember what is to be broken off.

        Raises:
            ConnectionAbortedError: If it was broken off before.
        """
        with self._lock:
            self._sock = sock
        if self._is_broken_off:
            raise ConnectionAbortedError("nobody waits for the answer")

    def let_go(self) -> bool:
        """Forget it, since the exchange is over; return whether it still stands."""
        with self._lock:
            self._sock = None
            return not self._is_broken_off

    def break_off(self) -> None:
        """Let whoever waits for an answer, or will, stop waiting."""
        with self._lock, suppress(OSError):
            self._is_broken_off = True
            if self._sock:
                self._sock.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True, kw_only=True)
class WireQuestion:
    """What a service is asked.

    Attributes:
        timeout_s: Seconds to wait for a sign of life; None for as long as it takes.
    """

    method: str = "GET"
    path: str
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout_s: float | None = SILENCE_S
    breaker: Breaker = field(default_factory=Breaker)


class Wire:
    """Asks a service; may be used by many threads at once."""

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._connections = Connections()

    def close(self) -> None:
        """Let go of the service; what is asked afterwards reaches it again."""
        self._connections.close()

    def get(self, path: str) -> Any:
        """Return what stands at a path."""
        return self.ask(WireQuestion(path=path))

    def post(self, path: str, body: object = None) -> Any:
        """Return the answer to something that is sent."""
        return self.ask(WireQuestion(method="POST", path=path, body=body))

    def ask(self, question: WireQuestion) -> Any:
        """Return the answer to a question.

        Raises:
            HandError: What the service refused, or ``ServiceGoneError`` if it does not answer.
        """
        with self._open(question) as response:
            data = response.read()
        return _read_json(data) if data else None

    def fetch(self, path: str) -> bytes:
        """Return a file."""
        with self._open(WireQuestion(path=path)) as response:
            return response.read()

    def stream(self, path: str, after: int, breaker: Breaker) -> Iterator[Mapping[str, Any]]:
        """Yield the records of a stream as they come.

        Args:
            after: Number of the last record that is known; -1 for none.

        Raises:
            HandError: As `ask` does; ``ServiceGoneError`` also where the stream breaks.
        """
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": str(after)} if after >= 0 else {})
        lines = EventLines()
        with self._open(WireQuestion(path=path, headers=headers, breaker=breaker)) as response:
            while part := response.read1(_CHUNK):
                for record in lines.feed(part):
                    if "event" not in record:
                        raise make_error(500, Problem.read(record.get("error") or {}))
                    yield record

    @contextmanager
    def _open(self, question: WireQuestion) -> Generator[http.client.HTTPResponse]:
        endpoint = self._locate()
        sent = None if question.body is None else json.dumps(question.body, allow_nan=False).encode()
        kind = {} if sent is None else {"Content-Type": _JSON}
        access = {"Host": endpoint.name, "Authorization": f"Bearer {endpoint.token}", "Accept": _JSON}
        headers = {**access, "Accept-Encoding": "identity", **_DOOR, **kind, **question.headers}
        request = _write_request(f"{question.method} {question.path}", headers, sent)
        connection, response = None, None
        try:
            try:
                connection, response = self._send(endpoint, question, request)
            except (ConnectionResetError, BrokenPipeError):  # of a service that let go of a connection as it was used
                if question.method != "GET":
                    raise
                connection, response = self._send(endpoint, question, request)
            if response.status >= 300:
                raise _read_error(response)
            yield response
        except (OSError, http.client.HTTPException) as error:
            raise tell_gone(endpoint, error) from error
        finally:
            stands = question.breaker.let_go()
            if connection and response and stands and response.isclosed() and not response.will_close:
                self._connections.give_back(endpoint, connection)
            elif connection and response:
                connection.close()
                response.close()

    def _send(
        self, endpoint: Endpoint, question: WireQuestion, request: bytes
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Send a request, and return its way and the answer's head."""
        connection = self._connections.take(endpoint, question.timeout_s)
        with ExitStack() as broken:
            broken.callback(connection.close)
            question.breaker.use(connection.sock)
            connection.sock.sendall(request)
            response = http.client.HTTPResponse(connection.sock, method=question.method)
            broken.callback(response.close)
            response.begin()
            broken.pop_all()
        return connection, response


def write_path(*parts: str, **query: object) -> str:
    """Return a path of the service, each part and value escaped.

    Args:
        *parts: Behind ``/v1``.
        **query: What follows the question mark; what is empty is left out.
    """
    path = "/".join(["/v1", *(quote(part, safe="") for part in parts)])
    given = {name: value for name, value in query.items() if value not in {"", None}}
    return f"{path}?{urlencode(given)}" if given else path


def tell_gone(endpoint: Endpoint, error: Exception) -> ServiceGoneError:
    """Return what is said where nobody answers, or not to the end."""
    if isinstance(error, TimeoutError):
        text = f"The service at {endpoint} gives no sign of life."
    else:
        text = f"The service at {endpoint} does not answer, or went away: {error}."
    evidence = {"at": str(endpoint), "fault": type(error).__name__}
    hint = "Ask again with the same request_id: nothing is done twice."
    return ServiceGoneError(Problem("service_gone", text, hint, evidence))


def _read_error(response: http.client.HTTPResponse) -> HandError:
    try:
        told = json.loads(response.read())["error"]
        problem = Problem.read(told)
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = Problem(f"http_{response.status}", f"The service answered {response.status} {response.reason}.")
    return make_error(response.status, problem, response.headers.get("Retry-After", ""))


def _read_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        text = "The service gave an answer that is not JSON."
        raise HandError(Problem("bad_answer", text, "Is it a service of Surehand that listens there?")) from error


def _write_request(first: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """Return a request whole, so that it goes out at once.

    Args:
        first: Its method and path.

    Raises:
        ValueError: If no head of a request can have such a line.
    """
    length = {} if body is None and first.startswith("GET ") else {"Content-Length": str(len(body or b""))}
    lines = [f"{first} HTTP/1.1", *(f"{name}: {value}" for name, value in {**headers, **length}.items())]
    if any(not each.isprintable() for each in lines):
        raise ValueError(f"No head of a request can have the line {lines!r}.")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")
