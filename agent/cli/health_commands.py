"""The commands that say what there is and how it does: verbs and tools, this machine, planners."""

from typing import Annotated

import typer

from agent.cli.declaring import command, make_late_group, take_options
from agent.cli.help_pages import GroupHelp
from agent.cli.options import HERE, LOOKING, MACHINE, TRYING, AsJson, Option, Workspace
from agent.cli.wishes import Domain, ToolWish

app = typer.Typer(cls=GroupHelp)
health = make_late_group(
    "agent.cli.commands.health",
    "See how planners do, and tell whoever has to be told.",
    "surehand health",
    "surehand health --json",
    "surehand health ack backlog.stuck",
    no_args_is_help=False,
    invoke_without_command=True,
)


@health.callback()
@take_options
def show_health(
    context: typer.Context,
    as_json: AsJson = False,
    dry_run: Annotated[bool, Option("--dry-run", "Look only; tell nobody.", TRYING)] = False,
    workspace: Workspace = HERE,
) -> int | None:
    """See how planners do, and tell whoever has to be told.

    Templates, backlog, runs of the last 24 hours and what is wrong with them. Each alert goes out once on each channel of
    your settings. The exit code is 1 if something is critical.
    """
    if context.invoked_subcommand:
        return None
    from agent.cli.commands.health import show_health

    return show_health(workspace, as_json=as_json, dry=dry_run)


@command(app, "doctor", "surehand doctor", "surehand doctor --licences", panel=MACHINE)
def diagnose(
    licences: Annotated[
        bool, Option("--licences", "List what is installed with its licences, and check nothing.")
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> int:
    """Check what this machine can do, and how to fix the rest.

    A browser is started once to see that it works. Runs that were cut short are listed, too.
    """
    from agent.cli.commands.doctor import print_diagnosis, print_licences

    return print_licences(as_json=as_json) if licences else print_diagnosis(workspace, as_json=as_json)


_TOOL_EXAMPLES = (
    "surehand tools --json",
    "surehand tools browser --format openai",
    "surehand tools --door --format anthropic",
)


@command(app, "rules", "surehand rules audio", panel=LOOKING)
def rules(domain: Domain = "", as_json: AsJson = False) -> int:
    """List the verbs that goals and flows can use."""
    from agent.cli.commands.tables import print_rules

    return print_rules(domain, as_json=as_json)


@command(app, "tools", *_TOOL_EXAMPLES, panel=LOOKING)
def tools(wish: ToolWish) -> int:
    """List the tools behind the verbs, with their JSON Schemas."""
    from agent.cli.commands.tables import print_tools

    return print_tools(wish)
