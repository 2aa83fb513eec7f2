"""The commands for what is kept: runs, memory, the backlog, passwords, and files of older versions."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import HERE, AsJson, Full, Run, Verbose, Workspace

context = typer.Typer(
    cls=GroupHelp,
    help="See or forget what is remembered across runs.",
    no_args_is_help=True,
    epilog="surehand context show",
)


@context.command("show", cls=CommandHelp, epilog="surehand context show --json")
def show_context(as_json: AsJson = False, workspace: Workspace = HERE) -> None:
    """Show what earlier runs left in mind, and what you asked to remember."""
    from agent.cli.commands.context import show_context as print_context

    raise typer.Exit(print_context(workspace, as_json=as_json))


@context.command("reset", cls=CommandHelp, epilog="surehand context reset --yes")
def reset_context(
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also forget what you asked to remember.")] = False,
    workspace: Workspace = HERE,
) -> None:
    """Forget what earlier runs left in mind."""
    from agent.cli.commands.context import reset_context as forget_context

    raise typer.Exit(forget_context(workspace, everything=everything, yes=yes))


sessions = typer.Typer(
    cls=GroupHelp, help="List earlier runs, or look at one.", no_args_is_help=True, epilog="surehand sessions list"
)


@sessions.command("list", cls=CommandHelp, epilog="surehand sessions list")
def list_sessions(as_json: AsJson = False, workspace: Workspace = HERE) -> None:
    """List the saved runs of this folder, the latest first."""
    from agent.cli.commands.sessions import list_sessions as print_sessions

    raise typer.Exit(print_sessions(workspace, as_json=as_json))


@sessions.command("show", cls=CommandHelp, epilog="surehand sessions show last")
def show_session(
    which: Run, as_json: AsJson = False, verbose: Verbose = False, full: Full = False, workspace: Workspace = HERE
) -> None:
    """Show what was asked and done in a run, and what can be undone."""
    from agent.cli.commands.sessions import show_session as print_session

    raise typer.Exit(print_session(workspace, which, as_json=as_json, verbose=verbose, full=full))


@sessions.command(
    "report", cls=CommandHelp, epilog="surehand sessions report last\nsurehand sessions report r3f -o order.html"
)
def report_session(
    which: Run,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to, .html; report-RUN.html where absent."),
    ] = None,
    workspace: Workspace = HERE,
) -> None:
    """Write what was asked and done in a run as one file for a browser, to look at, search and send."""
    from agent.cli.commands.reports import report_session as write_session

    raise typer.Exit(write_session(workspace, which, output))


backlog = typer.Typer(
    cls=GroupHelp,
    help="See what planners have to do, or set it by hand.",
    no_args_is_help=True,
    epilog="surehand backlog list",
)
Item = Annotated[str, typer.Argument(metavar="ITEM", help="Id of the item.", show_default=False)]


@backlog.command("list", cls=CommandHelp, epilog="surehand backlog list --state pending")
def list_backlog(
    state: Annotated[str, typer.Option("--state", metavar="STATE", help="Show only items that stand there.")] = "",
    plan: Annotated[str, typer.Option("--plan", metavar="PLAN", help="Show only items of this plan.")] = "",
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> None:
    """List what is to be done, the oldest first, and how far each plan is."""
    from agent.cli.commands.backlog import list_backlog as print_backlog

    raise typer.Exit(print_backlog(workspace, state, plan, as_json=as_json))


@backlog.command("show", cls=CommandHelp, epilog="surehand backlog show page-7")
def show_item(item: Item, as_json: AsJson = False, workspace: Workspace = HERE) -> None:
    """Show an item, and how it got where it is."""
    from agent.cli.commands.backlog import show_item as print_item

    raise typer.Exit(print_item(workspace, item, as_json=as_json))


@backlog.command("add", cls=CommandHelp, epilog="surehand backlog add page-7 'Read page 7' --plan catalogue")
def add_item(
    item: Item,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What is to be done.", show_default=False)] = "",
    plan: Annotated[str, typer.Option("--plan", metavar="PLAN", help="The plan that it is a part of.")] = "",
    capability: Annotated[
        str, typer.Option("--for", metavar="CAPABILITY", help="Which planners may take it; any where absent.")
    ] = "",
    workspace: Workspace = HERE,
) -> None:
    """Add something for planners to do."""
    from agent.cli.commands.backlog import add_item as keep_item
    from core.planning.planners.ports import BacklogItem

    wanted = BacklogItem(item_id=item, title=title or item, plan_id=plan, consumed_by=capability)
    raise typer.Exit(keep_item(workspace, wanted))


@backlog.command("set", cls=CommandHelp, epilog="surehand backlog set page-7 pending --because 'the page has changed'")
def set_item(
    item: Item,
    state: Annotated[
        str,
        typer.Argument(metavar="STATE", help="pending, active, blocked, done or failed.", show_default=False),
    ],
    because: Annotated[
        str, typer.Option("--because", metavar="WHY", help="The reason; needed to set an item back to pending.")
    ] = "",
    workspace: Workspace = HERE,
) -> None:
    """Set where an item stands."""
    from agent.cli.commands.backlog import set_item as flip_item

    raise typer.Exit(flip_item(workspace, item, state, because))


def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    adopt: Annotated[
        bool,
        typer.Option(
            "--adopt", help="Vouch that the files here are yours, though nothing proves it; they can act again."
        ),
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> None:
    """Update the files of an older version; the old ones are saved."""
    from agent.cli.commands.sessions import migrate as migrate_files

    raise typer.Exit(migrate_files(workspace, dry=dry_run, adopt=adopt, as_json=as_json))


secrets = typer.Typer(
    cls=GroupHelp,
    help="Save passwords and tokens that goals name as secret:NAME.",
    no_args_is_help=True,
    epilog="surehand secrets set shop_password --host shop.example",
)


@secrets.command("list", cls=CommandHelp, epilog="surehand secrets list")
def list_secrets(as_json: AsJson = False) -> None:
    """List names, sources and hosts; never a value."""
    from agent.cli.commands.secrets import list_secrets as print_secrets

    raise typer.Exit(print_secrets(as_json=as_json))


@secrets.command("set", cls=CommandHelp, epilog="surehand secrets set shop_password --host shop.example")
def set_secret(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A letter, then letters, digits and _.", show_default=False)
    ],
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="HOST", help="Give it to pages of this host only. Repeatable."),
    ] = None,
    store: Annotated[
        str, typer.Option("--store", metavar="WHERE", help="Save it in the keyring or in a file.", show_default=False)
    ] = "",
) -> None:
    """Save a secret: type it unseen, or pipe it to stdin."""
    from agent.cli.commands.secrets import set_secret as keep_secret

    raise typer.Exit(keep_secret(name, host or (), store))


@secrets.command("remove", cls=CommandHelp, epilog="surehand secrets remove shop_password")
def remove_secret(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which one.", show_default=False)],
) -> None:
    """Forget a secret."""
    from agent.cli.commands.secrets import remove_secret as forget_secret

    raise typer.Exit(forget_secret(name))


def add_kept(app: typer.Typer, panel: str) -> None:
    """Add the commands for what runs and planners leave."""
    app.add_typer(sessions, name="sessions", rich_help_panel=panel)
    app.add_typer(context, name="context", rich_help_panel=panel)
    app.add_typer(backlog, name="backlog", rich_help_panel=panel)
    app.command(name="migrate", cls=CommandHelp, rich_help_panel=panel, epilog="surehand migrate --dry-run")(migrate)
