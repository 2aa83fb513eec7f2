"""The commands for flow files."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import (
    HERE,
    OUTPUT,
    Allow,
    AsJson,
    Headed,
    Hosts,
    PolicyFile,
    Roots,
    Timeout,
    Vars,
    Workspace,
    Yes,
)

flows = typer.Typer(
    cls=GroupHelp,
    help="Work with flow files.",
    no_args_is_help=True,
    epilog="surehand flows mend order.yaml",
)


@flows.command("mend", cls=CommandHelp, epilog="surehand flows mend order.yaml\nsurehand flows mend order.yaml --run")
def mend(
    flow: Annotated[str, typer.Argument(metavar="FLOW", help="The path of a flow file.", show_default=False)],
    run: Annotated[
        bool, typer.Option("--run", help="Run the flow now, and go on past a miss with what you accept.")
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="Write the page with the pictures here.", rich_help_panel=OUTPUT),
    ] = None,
    as_json: AsJson = False,
    var: Vars = None,
    yes: Yes = "",
    workspace: Workspace = HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    timeout: Timeout = None,
    headed: Headed = False,
) -> None:
    """Mend a flow whose page has changed: see then and now, and accept each new selector.

    The last kept run of the flow is taken, so nothing is done to the page. Nothing is changed unless you say yes to it.
    """
    from agent.cli.asking import Asked
    from agent.cli.commands.flows_mend import MendWish, mend_flow

    limits = (tuple(var or ()), tuple(host or ()), tuple(root or ()), timeout, tuple(allow or ()), policy)
    asked = Asked(flow, None, workspace, *limits)
    raise typer.Exit(mend_flow(asked, MendWish(as_json, run, page, yes, headed)))
