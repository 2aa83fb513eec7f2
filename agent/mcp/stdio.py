"""MCP over stdin and stdout: one client, whose process started this one."""

import secrets
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from mcp.server.stdio import stdio_server

from agent.mcp.server import Clients, ServiceSource, make_server
from agent.service.callers import Caller
from core.base.errors import SurehandError

if sys.platform != "win32":
    from agent.mcp.pipes import PipeMessages, are_pipes, divert_streams


async def serve_stdio(source: ServiceSource, session: str = "") -> None:
    """Serve the client at the other end until it goes; its own session ends with it.

    Args:
        session: Name of the session of calls that name none; empty for one of its own.
    """
    caller = Caller(door="mcp")
    own = session or f"mcp-{secrets.token_hex(4)}"
    server = make_server(source, Clients(lambda _: caller, own))
    try:
        async with _open_streams() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        if not session:
            with suppress(SurehandError):  # nothing was done in it, or it has ended
                await source.service.close_session(caller, own)


@asynccontextmanager
async def _open_streams() -> AsyncGenerator[tuple[Any, Any]]:
    """Open the streams of messages; the SDK's own go through three threads a call, so they are for what the loop can't wait for."""
    if sys.platform == "win32" or not are_pipes(0, 1):
        async with stdio_server() as streams:
            yield streams
        return
    with divert_streams() as (lines, text):
        yield (messages := PipeMessages(lines, text)), messages
