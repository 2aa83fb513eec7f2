"""The commands that say what there is and how it does: verbs and tools, this machine, planners."""

from dataclasses import dataclass
from typing import Annotated

import typer

from agent.cli.declaring import command, make_group, take_options
from agent.cli.help_pages import GroupHelp
from agent.cli.options import HERE, LOOKING, MACHINE, OUTPUT, TRYING, AsJson, Option, Workspace
from agent.offers.tool_formats import TOOL_FORMATS

app = typer.Typer(cls=GroupHelp)
health = make_group(
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


@command(health, "alerts", "surehand health alerts")
def list_alerts(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List the alerts that go on, and who was told; look at nothing again."""
    from agent.cli.commands.health import show_alerts

    return show_alerts(workspace, as_json=as_json)


@command(health, "ack", "surehand health ack backlog.stuck")
def acknowledge(
    alert: Annotated[str, Option("ALERT_ID", "The id of an alert, or id:subject for one of several.")],
    workspace: Workspace = HERE,
) -> int:
    """Acknowledge an alert: nobody is told until it ends and begins again."""
    from agent.cli.commands.health import acknowledge_alert

    return acknowledge_alert(workspace, alert)


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

Domain = Annotated[str, Option("DOMAIN", "Show only the verbs of this domain.")]


@dataclass(frozen=True, slots=True)
class ToolWish:
    """Which tools are printed, and how."""

    domain: Domain = ""
    form: Annotated[
        str, Option("--format FORMAT", f"Write them as a model takes them: {', '.join(TOOL_FORMATS)}.", OUTPUT)
    ] = ""
    door: Annotated[bool, Option("--door", "The tools of surehand mcp, in place of one for each verb.", OUTPUT)] = False
    as_json: AsJson = False


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
