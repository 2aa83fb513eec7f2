"""MCP over stdin and stdout: one client, whose process started this one."""

import secrets
from contextlib import suppress

from mcp.server.stdio import stdio_server

from agent.mcp.server import Clients, ServiceSource, make_server
from agent.service.callers import Caller
from core.base.errors import SurehandError


async def serve_stdio(source: ServiceSource, session: str = "") -> None:
    """Serve the client at the other end until it goes; its own session ends with it.

    Args:
        session: Name of the session of calls that name none; empty for one of its own.
    """
    caller = Caller(door="mcp")
    own = session or f"mcp-{secrets.token_hex(4)}"
    server = make_server(source, Clients(lambda _: caller, own))
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        if not session:
            with suppress(SurehandError):  # nothing was done in it, or it has ended
                await source.service.close_session(caller, own)
