"""`surehand mcp`: the service of a folder for one assistant; the one that runs there, or this process is it."""

import asyncio
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agent.cli.declaring import command, make_group
from agent.cli.exits import SUCCEEDED
from agent.cli.options import DOING, HERE, Headed, Option, Workspace
from agent.cli.serving.choosing import ServiceChoice
from agent.remote.service_file import find_running
from core.base.errors import RefusedError, UnsupportedError
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from agent.remote.service_file import RunningService
    from agent.service.ports import Service


app = make_group()


@dataclass(frozen=True, slots=True, kw_only=True)
class McpWish:
    """How to serve an assistant."""

    workspace: Workspace = HERE
    session: Annotated[
        str,
        Option("--session NAME", "Act in this session; where absent, in one that ends with the assistant."),
    ] = ""
    headed: Headed = False


@command(app, "mcp", "surehand mcp --workspace ~/desk", panel=DOING)
def serve_mcp(wish: McpWish) -> int:
    """Serve an assistant that speaks MCP, over stdin and stdout.

    What needs a yes is confirmed by you, in the console or in surehand chat; the assistant can't.
    """
    _check_installed()
    choice = ServiceChoice(headed=wish.headed)
    if running := choice.find(wish.workspace):
        return _serve_through(running, wish)
    try:
        return _serve_here(wish)
    except RefusedError:  # another process was quicker
        if running := choice.find(wish.workspace):
            return _serve_through(running, wish)
        raise


def _serve_here(wish: McpWish) -> int:
    """Be the service of the folder, so that a person can confirm at its other doors what the assistant asks for."""
    from agent.cli.serving.serve import ServeWish, serve
    from agent.mcp.server import StandingService
    from agent.mcp.stdio import serve_stdio

    async def attend(service: "Service") -> None:
        await serve_stdio(StandingService(service), wish.session)

    return serve(ServeWish(workspace=wish.workspace, port=0, headed=wish.headed, attend=attend))


def _serve_through(running: "RunningService", wish: McpWish) -> int:
    from agent.mcp.stdio import serve_stdio

    async def attend() -> None:
        source = _FolderService(running, wish.workspace)
        try:
            await serve_stdio(source, wish.session)
        finally:
            await source.service.close()

    asyncio.run(attend())
    return SUCCEEDED


class _FolderService:
    """The service that runs for a folder; another one where that has ended."""

    def __init__(self, running: "RunningService", workspace: Path) -> None:
        from agent.remote.http_exchange import ServiceClient
        from agent.remote.remote import RemoteService

        self._workspace = workspace
        self._remote: Callable[[RunningService], Service] = lambda found: RemoteService(ServiceClient(found))
        self.service = self._remote(running)

    async def renew(self) -> bool:
        """Find the service that runs by now, or start one; return that there is another."""
        from agent.remote.starting import ServiceWish, start_service

        found = await asyncio.to_thread(
            lambda: find_running(self._workspace) or start_service(self._workspace, ServiceWish())
        )
        await self.service.close()
        self.service = self._remote(found)
        return True


def _check_installed() -> None:
    """Refuse where the library for MCP is missing."""
    if find_spec("mcp") is None:
        hint = "Install it: pip install 'surehand[mcp]'."
        raise UnsupportedError("What speaks MCP is not installed.", code="mcp_not_installed", hint=hint)
