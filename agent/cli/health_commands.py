"""The commands about the health of planners, and of this machine."""

from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import HERE, TRYING, AsJson, Workspace

health = typer.Typer(
    cls=GroupHelp,
    help="See how planners do, and tell whoever has to be told.",
    invoke_without_command=True,
    epilog="surehand health\nsurehand health --json\nsurehand health ack backlog.stuck",
)


@health.callback()
def show_health(
    context: typer.Context,
    as_json: AsJson = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Look only; tell nobody.", rich_help_panel=TRYING)] = False,
    workspace: Workspace = HERE,
) -> None:
    """See how planners do, and tell whoever has to be told.

    Templates, backlog, runs of the last 24 hours and what is wrong with them. Each alert goes out once on each channel of
    your settings. The exit code is 1 if something is critical.
    """
    if context.invoked_subcommand:
        return
    from agent.cli.commands.health import show_health as print_health

    raise typer.Exit(print_health(workspace, as_json=as_json, dry=dry_run))


@health.command("alerts", cls=CommandHelp, epilog="surehand health alerts")
def list_alerts(as_json: AsJson = False, workspace: Workspace = HERE) -> None:
    """List the alerts that go on, and who was told; look at nothing again."""
    from agent.cli.commands.health import show_alerts

    raise typer.Exit(show_alerts(workspace, as_json=as_json))


@health.command("ack", cls=CommandHelp, epilog="surehand health ack backlog.stuck")
def acknowledge(
    alert: Annotated[
        str,
        typer.Argument(
            metavar="ALERT_ID", help="The id of an alert, or id:subject for one of several.", show_default=False
        ),
    ],
    workspace: Workspace = HERE,
) -> None:
    """Acknowledge an alert: nobody is told until it ends and begins again."""
    from agent.cli.commands.health import acknowledge_alert

    raise typer.Exit(acknowledge_alert(workspace, alert))


def add_doctor(app: typer.Typer, panel: str) -> None:
    """Add the command that looks at this machine."""
    app.command("doctor", cls=CommandHelp, rich_help_panel=panel, epilog="surehand doctor\nsurehand doctor --licences")(
        _doctor
    )


def _doctor(
    licences: Annotated[
        bool, typer.Option("--licences", help="List what is installed with its licences, and check nothing.")
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> None:
    """Check what this machine can do, and how to fix the rest.

    A browser is started once to see that it works. Runs that were cut short are listed, too.
    """
    from agent.cli.commands.doctor import print_diagnosis, print_licences

    if licences:
        raise typer.Exit(print_licences(as_json=as_json))
    raise typer.Exit(print_diagnosis(workspace, as_json=as_json))
