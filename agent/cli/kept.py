"""The commands for what is kept: runs, memory, the backlog, passwords, and files of older versions."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command, make_group
from agent.cli.options import HERE, AsJson, Full, Option, Run, Verbose, Workspace

context = make_group("See or forget what is remembered across runs.", "surehand context show")


@command(context, "show", "surehand context show --json")
def show_context(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """Show what earlier runs left in mind, and what you asked to remember."""
    from agent.cli.commands.context import show_context

    return show_context(workspace, as_json=as_json)


@command(context, "reset", "surehand context reset --yes")
def reset_context(
    yes: Annotated[bool, Option("--yes", "Don't ask.")] = False,
    everything: Annotated[bool, Option("--all", "Also forget what you asked to remember.")] = False,
    workspace: Workspace = HERE,
) -> int:
    """Forget what earlier runs left in mind."""
    from agent.cli.commands.context import reset_context

    return reset_context(workspace, everything=everything, yes=yes)


sessions = make_group("List earlier runs, or look at one.", "surehand sessions list")


@command(sessions, "list", "surehand sessions list")
def list_sessions(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List the saved runs of this folder, the latest first."""
    from agent.cli.commands.sessions import list_sessions

    return list_sessions(workspace, as_json=as_json)


@command(sessions, "show", "surehand sessions show last")
def show_session(
    which: Run, as_json: AsJson = False, verbose: Verbose = False, full: Full = False, workspace: Workspace = HERE
) -> int:
    """Show what was asked and done in a run, and what can be undone."""
    from agent.cli.commands.sessions import show_session

    return show_session(workspace, which, as_json=as_json, verbose=verbose, full=full)


@command(sessions, "report", "surehand sessions report last", "surehand sessions report r3f -o order.html")
def report_session(
    which: Run,
    output: Annotated[Path | None, Option("--output -o FILE", "Where to, .html; report-RUN.html where absent.")] = None,
    workspace: Workspace = HERE,
) -> int:
    """Write what was asked and done in a run as one file for a browser, to look at, search and send."""
    from agent.cli.commands.reports import report_session

    return report_session(workspace, which, output)


backlog = make_group("See what planners have to do, or set it by hand.", "surehand backlog list")
Item = Annotated[str, Option("ITEM", "Id of the item.")]


@command(backlog, "list", "surehand backlog list --state pending")
def list_backlog(
    state: Annotated[str, Option("--state STATE", "Show only items that stand there.")] = "",
    plan: Annotated[str, Option("--plan PLAN", "Show only items of this plan.")] = "",
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> int:
    """List what is to be done, the oldest first, and how far each plan is."""
    from agent.cli.commands.backlog import list_backlog

    return list_backlog(workspace, state, plan, as_json=as_json)


@command(backlog, "show", "surehand backlog show page-7")
def show_item(item: Item, as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """Show an item, and how it got where it is."""
    from agent.cli.commands.backlog import show_item

    return show_item(workspace, item, as_json=as_json)


@command(backlog, "add", "surehand backlog add page-7 'Read page 7' --plan catalogue")
def add_item(
    item: Item,
    title: Annotated[str, Option("TITLE", "What is to be done.")] = "",
    plan: Annotated[str, Option("--plan PLAN", "The plan that it is a part of.")] = "",
    capability: Annotated[str, Option("--for CAPABILITY", "Which planners may take it; any where absent.")] = "",
    workspace: Workspace = HERE,
) -> int:
    """Add something for planners to do."""
    from agent.cli.commands.backlog import add_item
    from core.planning.planners.ports import BacklogItem

    return add_item(workspace, BacklogItem(item_id=item, title=title or item, plan_id=plan, consumed_by=capability))


@command(backlog, "set", "surehand backlog set page-7 pending --because 'the page has changed'")
def set_item(
    item: Item,
    state: Annotated[str, Option("STATE", "pending, active, blocked, done or failed.")],
    because: Annotated[str, Option("--because WHY", "The reason; needed to set an item back to pending.")] = "",
    workspace: Workspace = HERE,
) -> int:
    """Set where an item stands."""
    from agent.cli.commands.backlog import set_item

    return set_item(workspace, item, state, because)


secrets = make_group(
    "Save passwords and tokens that goals name as secret:NAME.",
    "surehand secrets set shop_password --host shop.example",
)


@command(secrets, "list", "surehand secrets list")
def list_secrets(as_json: AsJson = False) -> int:
    """List names, sources and hosts; never a value."""
    from agent.cli.commands.secrets import list_secrets

    return list_secrets(as_json=as_json)


@command(secrets, "set", "surehand secrets set shop_password --host shop.example")
def set_secret(
    name: Annotated[str, Option("NAME", "A letter, then letters, digits and _.")],
    host: Annotated[tuple[str, ...], Option("--host HOST", "Give it to pages of this host only. Repeatable.")] = (),
    store: Annotated[str, Option("--store WHERE", "Save it in the keyring or in a file.")] = "",
) -> int:
    """Save a secret: type it unseen, or pipe it to stdin."""
    from agent.cli.commands.secrets import set_secret

    return set_secret(name, host, store)


@command(secrets, "remove", "surehand secrets remove shop_password")
def remove_secret(name: Annotated[str, Option("NAME", "Which one.")]) -> int:
    """Forget a secret."""
    from agent.cli.commands.secrets import remove_secret

    return remove_secret(name)


def migrate(
    dry_run: Annotated[bool, Option("--dry-run", "Only say what would be done.")] = False,
    adopt: Annotated[
        bool, Option("--adopt", "Vouch that the files here are yours, though nothing proves it; they can act again.")
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> int:
    """Update the files of an older version; the old ones are saved."""
    from agent.cli.commands.sessions import migrate

    return migrate(workspace, dry=dry_run, adopt=adopt, as_json=as_json)


def add_kept(app: typer.Typer, panel: str) -> None:
    """Add the commands for what runs and planners leave.

    Args:
        panel: The group of commands that they stand in.
    """
    app.add_typer(sessions, name="sessions", rich_help_panel=panel)
    app.add_typer(context, name="context", rich_help_panel=panel)
    app.add_typer(backlog, name="backlog", rich_help_panel=panel)
    command(app, "migrate", "surehand migrate --dry-run", panel=panel)(migrate)
