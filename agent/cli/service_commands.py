"""The commands for the service of a folder."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from agent.cli.declaring import command
from agent.cli.help_pages import GroupHelp
from agent.cli.options import DOING, HERE, LASTING, SEEING, AsJson, Headed, Option, Workspace

if TYPE_CHECKING:
    from agent.service.ports import Service


app = typer.Typer(cls=GroupHelp)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeWish:
    """How to serve.

    Attributes:
        port: On which it answers HTTP; 0 for one that the system chooses.
        idle_s: Seconds without anything to do after which it ends; None for never.
        private: Whether it is for the process alone that started it, and ends with that.
        attend: What this process does with the service itself, in the foreground; the service ends with it. Stdout is its alone then.
    """

    workspace: Workspace = HERE
    port: Annotated[
        int, Option("--port PORT", "Answer HTTP on this port of 127.0.0.1; 0 takes a free one.", least=0, most=65535)
    ] = 8137
    headed: Headed = False
    idle_s: Annotated[
        float | None,
        Option("--idle-end SECONDS", "End when there was nothing to do for so long.", LASTING, least=0.1),
    ] = None
    private: Annotated[
        bool,
        Option("--private", "Serve the program that starts it and nobody else; end when its input is closed.", LASTING),
    ] = False
    as_json: AsJson = False
    attend: "Callable[[Service], Awaitable[None]] | None" = None


@command(app, "serve", "surehand serve --port 8137", panel=DOING)
def serve(wish: ServeWish) -> int:
    """Serve this folder to programs, assistants and other commands, until you end it.

    Browsers stay open between runs. Other commands here use the service by themselves.
    """
    from agent.cli.serving.serve import serve

    return serve(wish)


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
def mcp(wish: McpWish) -> int:
    """Serve an assistant that speaks MCP, over stdin and stdout.

    What needs a yes is confirmed by you, in the console or in surehand chat; the assistant can't.
    """
    from agent.cli.serving.mcp import serve_mcp

    return serve_mcp(wish)


@command(app, "console", "surehand console", panel=SEEING)
def console(workspace: Workspace = HERE) -> int:
    """Print where the console of this folder's service is, with a code that lets your browser in once.

    No goal, no assistant and no page gets such a code, so what you confirm there is confirmed by you.
    """
    from agent.cli.serving.status import print_console

    return print_console(workspace)
