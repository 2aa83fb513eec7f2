"""MCP beside a service's other routes, imported when its first client comes: most services have none."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from agent.service.ports import Service

if TYPE_CHECKING:
    from agent.http.app import MountedApp
    from agent.mcp.mounting import HttpDoor

_PATH = "/mcp"
_MISSING = {
    "error": {
        "code": "mcp_not_installed",
        "message": "MCP is not installed here.",
        "hint": "Install it: pip install 'surehand[mcp]'.",
        "evidence": {},
    }
}


class LateDoor:
    """Opens MCP at the first request, in a task of its own, so that it is closed where it was opened."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._door: asyncio.Future[HttpDoor | None] | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._door is None:
            self._door = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.ensure_future(self._keep(self._door))
        door = await asyncio.shield(self._door)
        await (door or JSONResponse(_MISSING, 501))(scope, receive, send)

    @asynccontextmanager
    async def open_up(self) -> AsyncGenerator[None]:
        """Be there while the service runs."""
        try:
            yield
        finally:
            self._ended.set()
            if self._keeper:
                await self._keeper

    async def _keep(self, opened: "asyncio.Future[HttpDoor | None]") -> None:
        door = await asyncio.to_thread(_import_door, self._service)
        if door is None:
            opened.set_result(None)
            return
        async with door.open_up():
            opened.set_result(door)
            await self._ended.wait()


def mount_mcp(service: Service) -> "MountedApp":
    """Return MCP as an app of a service."""
    from agent.http.app import MountedApp

    door = LateDoor(service)
    return MountedApp(path=_PATH, app=door, open_up=door.open_up)


def _import_door(service: Service) -> "HttpDoor | None":
    """Return MCP; None where it is not installed."""
    with suppress(ModuleNotFoundError):
        from agent.mcp.mounting import HttpDoor
        from agent.web.asking import CALLER

        return HttpDoor(service, lambda scope: scope[CALLER])
    return None
