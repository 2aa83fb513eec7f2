"""Correlating: an id for each request, in its answer, in log lines and in spans; and the headers that every answer has."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from opentelemetry import trace
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.telemetry.correlation import CORRELATION_ID, choose_correlation_id
from agent.web.asking import CALLER

HEADER = "X-Request-ID"
Note = Callable[[Mapping[str, Any]], None]
"""Told of each request: ``method``, ``route``, ``status``, ``ms``, ``principal``, ``door`` and ``correlation_id``."""

_HARDENED: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class Correlation:
    """Gives each request its id and each answer its headers, and tells of both."""

    def __init__(self, app: ASGIApp, notes: Sequence[Note]) -> None:
        self._app = app
        self._notes = notes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        correlation_id = choose_correlation_id(Headers(scope=scope).get(HEADER, ""))
        CORRELATION_ID.set(correlation_id)
        trace.get_current_span().set_attribute("surehand.correlation_id", correlation_id)
        started, statuses = time.perf_counter(), [500]

        async def send_marked(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start", "websocket.accept"}:
                statuses[0] = message.get("status", 101)
                mark_answer(message, correlation_id)
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        finally:
            ms = (time.perf_counter() - started) * 1000
            for note in self._notes:
                note(_describe(scope, statuses[0], ms) | {"correlation_id": correlation_id})


def mark_answer(message: Message, correlation_id: str) -> None:
    """Put on an answer what all have; what its route said of the same holds."""
    message.setdefault("headers", [])
    headers = MutableHeaders(scope=message)
    headers[HEADER] = correlation_id
    for name, value in _HARDENED.items():
        headers.setdefault(name, value)


def _describe(scope: Scope, status: int, ms: float) -> dict[str, Any]:
    """Return what is told of a request: its route, never its path, in which ids and names stand."""
    route, caller = scope.get("route"), scope.get(CALLER)
    return {
        "method": scope.get("method", "WEBSOCKET"),
        "route": getattr(route, "path", "") or "unknown",
        "status": status,
        "ms": round(ms, 3),
        "principal": caller.principal if caller else "",
        "door": caller.door if caller else "",
    }
