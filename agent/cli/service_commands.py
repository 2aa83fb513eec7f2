"""The commands for the service of a folder."""

import typer

from agent.cli.declaring import command
from agent.cli.help_pages import GroupHelp
from agent.cli.options import DOING, HERE, SEEING, Workspace
from agent.cli.wishes import McpWish, ServeWish

app = typer.Typer(cls=GroupHelp)


@command(app, "serve", "surehand serve --port 8137", panel=DOING)
def serve(wish: ServeWish) -> int:
    """Serve this folder to programs, assistants and other commands, until you end it.

    Browsers stay open between runs. Other commands here use the service by themselves.
    """
    from agent.cli.serving.serve import serve

    return serve(wish)


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
