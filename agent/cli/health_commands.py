"""The commands about the health of planners, and of this machine."""

from typing import Annotated

import typer

from agent.cli.declaring import command, make_group, take_options
from agent.cli.help_pages import GroupHelp
from agent.cli.options import HERE, MACHINE, TRYING, AsJson, Option, Workspace

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
