"""MCP over HTTP: an app that stands behind another's wall, which has recognised the caller."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import cast

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from agent.mcp.asking import Context
from agent.mcp.server import Clients, StandingService, make_server
from agent.service.callers import Caller
from agent.service.ports import Service

ReadScope = Callable[[Scope], Caller]


class HttpDoor:
    """MCP as an app: streamable HTTP, with sessions for the older protocol and without for the newer."""

    def __init__(self, service: Service, read_scope: ReadScope) -> None:
        self._read_scope = read_scope
        self._manager = StreamableHTTPSessionManager(make_server(StandingService(service), Clients(self._read_caller)))

    def open_up(self) -> AbstractAsyncContextManager[None]:
        """Open what it needs while the service runs."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. A session of the protocol is its principal's alone: the SDK compares users."""
        principal = self._read_scope(scope).principal
        user = AuthenticatedUser(AccessToken(token="", client_id=f"principal {principal}", scopes=[]))
        await self._manager.handle_request({**scope, "user": user}, receive, send)

    def _read_caller(self, context: Context) -> Caller:
        """Return who calls; whoever's token it is, here a model speaks."""
        request = cast("Request", context.request)  # over HTTP every message has one
        return replace(self._read_scope(request.scope), door="mcp")
