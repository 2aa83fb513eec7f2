"""The commands for what is kept: runs, memory, passwords, and files of older versions."""

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
