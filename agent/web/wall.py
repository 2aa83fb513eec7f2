"""Wall: what every request passes before a route is looked for, so that no route can forget it.

In this order: host, origin, framing, token, quota, content type, body. What is refused is refused before the next is looked at.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from agent.service.callers import Caller
from agent.web.answers import answer_error
from agent.web.asking import CALLER
from agent.web.bodies import MOST_BYTES, SLOWEST_S, discard_body, has_body, read_body, replay_body
from core.base.errors import InputError, RefusedError, SurehandError
from core.base.late_dataclasses import dataclass, field

if TYPE_CHECKING:
    from agent.access.token_gate import TokenGate

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class HostList:
    """Names of this service.

    Attributes:
        names: Names beside those of loopback, each ``host`` or ``host:port``, in lower case.
    """

    names: frozenset[str] = frozenset()

    def knows(self, host: str, server: Sequence[object] | None) -> bool:
        """Tell whether a Host header names this service.

        Args:
            server: Address and port that the connection came in on; the port is None on a socket in a folder.
        """
        host = host.lower()
        name, port = _split_host(host)
        if host in self.names or name in self.names:
            return True
        own = server[1] if server and len(server) > 1 else None
        return name in LOOPBACK_NAMES and (own is None or port in {"", str(own)})


def _split_host(host: str) -> tuple[str, str]:
    """Return name and port; a name that is none is empty."""
    name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not colon:
        return host, ""
    return (name, port) if port.isdecimal() else ("", "")


def read_hosts(names: Sequence[str]) -> HostList:
    """Return a list of names that a person wrote.

    Raises:
        InputError: If one is no host.
    """
    for name in names:
        if not name or "*" in name or "/" in name or any(char.isspace() for char in name):
            raise InputError(f"“{name}” is not a host name.", code="bad_host", hint="Write HOST or HOST:PORT.")
    return HostList(frozenset(name.lower() for name in names))


DOOR_HEADER = "x-surehand-door"
CONSOLE_HEADER = "x-surehand-console"
MOST_HEAD_BYTES = 16 * 1024
_SINGLE = (
    "host",
    "origin",
    "authorization",
    "content-length",
    "content-type",
    "transfer-encoding",
    DOOR_HEADER,
    CONSOLE_HEADER,
)
_BODILESS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WallRules:
    """What the wall lets through.

    Attributes:
        open_paths: Paths that need no token: they tell nothing of anybody.
        open_folders: The same for all that is only read below; each ends with a slash.
        lanes: Endings of paths whose POST is never counted: who may stop may always stop.
    """

    hosts: HostList = field(default_factory=HostList)
    open_paths: frozenset[str] = frozenset({"/v1/live", "/console", "/v1/console/code", "/v1/console/key"})
    open_folders: tuple[str, ...] = ("/console/",)
    heavy_paths: tuple[str, ...] = (
        "/runs",
        "/say",
        "/resume",
        "/undo",
        "/plan",
        "/backlog/work",
        "/completions",
        "/process",
    )
    lanes: tuple[str, ...] = ("/stop",)
    most_bytes: int = MOST_BYTES
    slowest_s: float = SLOWEST_S

    def is_open(self, method: str, path: str) -> bool:
        """Tell whether a path needs no token."""
        return path in self.open_paths or (method in {"GET", "HEAD"} and path.startswith(self.open_folders))


class Wall:
    """Lets through what belongs here, with its caller in the scope and its body whole."""

    def __init__(self, app: ASGIApp, gate: "TokenGate", rules: WallRules) -> None:
        self._app = app
        self._gate = gate
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a connection through, or answer it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check_sender(scope, headers)
            self._recognise(scope, headers)
        except SurehandError as error:
            if scope["type"] == "http":
                await discard_body(headers, receive)
            await self._refuse(error, scope, receive, send)
            return
        try:
            if scope["type"] == "http":
                receive = replay_body(await self._take_body(scope, headers, receive), receive)
        except SurehandError as error:
            await self._refuse(error, scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check_sender(self, scope: Scope, headers: Headers) -> None:
        _check_head(scope)
        for name in _SINGLE:
            if len(headers.getlist(name)) > 1:
                raise InputError(f"The header {name} is there more than once.", code="request_malformed")
        if not self._rules.hosts.knows(headers.get("host", ""), scope.get("server")):
            text = "This service is not reached by that host name."
            raise RefusedError(
                text, code="wrong_host", hint="Use 127.0.0.1 or localhost, or add the name to the settings."
            )
        origin = headers.get("origin")
        if origin is not None and not _is_same_origin(origin, headers["host"], str(scope.get("scheme", "http"))):
            raise RefusedError("Pages of other origins may not ask here.", code="wrong_origin")
        if "content-length" in headers and "transfer-encoding" in headers:
            raise InputError("A body is told to end in two ways.", code="request_malformed", hint="Send one of them.")

    def _recognise(self, scope: Scope, headers: Headers) -> None:
        method, path = scope.get("method", "GET"), scope["path"]
        if scope["type"] == "http" and self._rules.is_open(method, path):
            return
        caller = scope[CALLER] = recognise(self._gate, headers, scope)
        if not (method == "POST" and path.endswith(self._rules.lanes)):
            self._gate.admit(caller, heavy=method == "POST" and path.endswith(self._rules.heavy_paths))

    async def _take_body(self, scope: Scope, headers: Headers, receive: Receive) -> bytes:
        if not has_body(headers):
            return b""
        body = await read_body(headers, receive, self._rules.most_bytes, self._rules.slowest_s)
        if body and scope["method"] not in _BODILESS and not _is_json(headers.get("content-type", "")):
            text = "Only application/json is taken."
            raise InputError(text, code="wrong_content_type", hint="Send Content-Type: application/json.")
        return body

    async def _refuse(self, error: SurehandError, scope: Scope, receive: Receive, send: Send) -> None:
        answer = answer_error(error)
        # What is left of a body that nobody reads must not be taken for the next request.
        answer.headers["Connection"] = "close"
        await answer(scope, receive, send)


def recognise(gate: "TokenGate", headers: Headers, scope: Scope) -> Caller:
    """Return who asks: by a token, or by the key of a console.

    Raises:
        RefusedError: ``token_unknown``.
    """
    if CONSOLE_HEADER in headers and "authorization" not in headers:
        return gate.recognise_console(*read_console(headers, scope))
    scheme, _, token = headers.get("authorization", "").partition(" ")
    shown = token.strip() if scheme.lower() == "bearer" else ""
    return gate.recognise(shown, headers.get(DOOR_HEADER, "").strip().lower())


def name_cookie(scope: Scope) -> str:
    """Return the name of the cookie of this service's console: browsers tell services of one host apart by nothing else."""
    return f"surehand-console-{(scope.get('server') or ('', 0))[1]}"


def read_console(headers: Headers, scope: Scope) -> tuple[str, str]:
    """Return both halves of the key that a console shows; empty where they aren't there."""
    cookies = cookie_parser(headers.get("cookie", ""))
    return cookies.get(name_cookie(scope), ""), headers.get(CONSOLE_HEADER, "")


def _check_head(scope: Scope) -> None:
    size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in scope["headers"])
    if size > MOST_HEAD_BYTES:
        text = f"The head of the request is larger than {MOST_HEAD_BYTES} bytes."
        raise InputError(text, code="head_too_large", hint="Send less in headers and address.")
    if not scope["path"].startswith("/"):
        raise InputError("The address is not a path.", code="request_malformed", hint="Begin it with a slash.")


def _is_same_origin(origin: str, host: str, scheme: str) -> bool:
    page = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    return origin.lower() == f"{page}://{host}".lower()


def _is_json(content_type: str) -> bool:
    kind, _, rest = content_type.partition(";")
    named: Sequence[str] = [part.strip().lower() for part in rest.split(";") if part.strip()]
    return kind.strip().lower() == "application/json" and all(
        part in {"charset=utf-8", 'charset="utf-8"'} for part in named
    )
