"""The commands about flow files."""

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
    help="Check, format and mend flow files, or get their schema for an editor.",
    no_args_is_help=True,
    epilog="surehand flows check order.yaml\nsurehand flows format order.yaml --check\nsurehand flows mend order.yaml",
)

FlowFiles = Annotated[
    list[Path], typer.Argument(metavar="FILES...", help="Flow files, YAML or JSON.", show_default=False)
]


@flows.command("schema", cls=CommandHelp, epilog="surehand flows schema > flow.schema.json")
def show_schema() -> None:
    """Print the JSON Schema of flow files, with every word and every verb, for an editor."""
    from agent.cli.commands.flows import show_schema as print_schema

    raise typer.Exit(print_schema())


@flows.command("check", cls=CommandHelp, epilog="surehand flows check order.yaml\nsurehand flows check *.yaml --json")
def check(
    files: FlowFiles,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> None:
    """List every fault of flow files with file, line and column; nothing is done.

    The exit code is 2 if there is any. What only this machine lacks is no fault.
    """
    from agent.cli.commands.flows import check_flows

    raise typer.Exit(check_flows(files, workspace, as_json=as_json))


@flows.command(
    "format", cls=CommandHelp, epilog="surehand flows format order.yaml\nsurehand flows format order.yaml --check"
)
def format_files(
    files: FlowFiles,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")] = False,
) -> None:
    """Write flow files in their usual form: keys in order, one way of quoting. Comments and meaning stay."""
    from agent.cli.commands.flows import format_flows

    raise typer.Exit(format_flows(files, dry=check))


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
