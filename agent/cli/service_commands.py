"""The commands for the service of a folder."""

from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import HERE, AsJson, Headed, Workspace

_SERVING = "How long, and for whom"

app = typer.Typer(cls=GroupHelp)
service = typer.Typer(
    cls=GroupHelp,
    help="See or end the service of a folder.",
    no_args_is_help=True,
    epilog="surehand service status",
)


@app.command(cls=CommandHelp, rich_help_panel="Do something", epilog="surehand serve --port 8137")
def serve(
    workspace: Workspace = HERE,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            metavar="PORT",
            help="Answer HTTP on this port of 127.0.0.1; 0 takes a free one.",
            min=0,
            max=65535,
        ),
    ] = 8137,
    headed: Headed = False,
    idle_end: Annotated[
        float | None,
        typer.Option(
            "--idle-end",
            metavar="SECONDS",
            help="End when there was nothing to do for so long.",
            rich_help_panel=_SERVING,
            min=0.1,
        ),
    ] = None,
    private: Annotated[
        bool,
        typer.Option(
            "--private",
            help="Serve the program that starts it and nobody else; end when its input is closed.",
            rich_help_panel=_SERVING,
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Serve this folder to programs, assistants and other commands, until you end it.

    Browsers stay open between runs. Other commands here use the service by themselves.
    """
    from agent.cli.serving.serve import ServeWish
    from agent.cli.serving.serve import serve as serve_workspace

    wish = ServeWish(
        workspace=workspace,
        port=0 if private else port,
        headed=headed,
        private=private,
        idle_s=idle_end,
        as_json=as_json,
    )
    raise typer.Exit(serve_workspace(wish))


@app.command(cls=CommandHelp, rich_help_panel="Do something", epilog="surehand mcp --workspace ~/desk")
def mcp(
    workspace: Workspace = HERE,
    session: Annotated[
        str,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Act in this session; where absent, in one that ends with the assistant.",
            show_default=False,
        ),
    ] = "",
    headed: Headed = False,
) -> None:
    """Serve an assistant that speaks MCP, over stdin and stdout.

    What needs a yes is confirmed by you, in the console or in surehand chat; the assistant can't.
    """
    from agent.cli.serving.mcp import McpWish, serve_mcp

    raise typer.Exit(serve_mcp(McpWish(workspace=workspace, session=session, headed=headed)))


@app.command(cls=CommandHelp, rich_help_panel="See what is there", epilog="surehand console")
def console(workspace: Workspace = HERE) -> None:
    """Print where the console of this folder's service is, with a code that lets your browser in once.

    No goal, no assistant and no page gets such a code, so what you confirm there is confirmed by you.
    """
    from agent.cli.serving.tokens import print_console

    raise typer.Exit(print_console(workspace))


@service.command("status", cls=CommandHelp, epilog="surehand service status --json")
def show_status(as_json: AsJson = False, workspace: Workspace = HERE) -> None:
    """Show whether a service runs for this folder, and what it does."""
    from agent.cli.serving.status import show_status as print_status

    raise typer.Exit(print_status(workspace, as_json=as_json))


@service.command("questions", cls=CommandHelp, epilog="surehand service questions")
def answer_questions(as_json: AsJson = False, workspace: Workspace = HERE) -> None:
    """Answer what runs of the service ask you, whoever began them; without a terminal it is listed."""
    from agent.cli.serving.questions import answer_questions as ask_here

    raise typer.Exit(ask_here(workspace, as_json=as_json))


@service.command("stop", cls=CommandHelp, epilog="surehand service stop")
def stop_service(workspace: Workspace = HERE) -> None:
    """End the service of this folder, once what runs has ended; after 6 seconds that is stopped."""
    from agent.cli.serving.status import stop_service as end_service

    raise typer.Exit(end_service(workspace))


@service.command("token", cls=CommandHelp, epilog="surehand service token home")
def print_token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the principal in your settings.")],
    new: Annotated[bool, typer.Option("--new", help="Make another; the old one counts no longer.")] = False,
) -> None:
    """Print the token of somebody whom your settings let in; it is made where there is none."""
    from agent.cli.serving.tokens import print_token as tell_token

    raise typer.Exit(tell_token(name, wants_new=new))
