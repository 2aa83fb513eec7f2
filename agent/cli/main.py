"""The `surehand` command: its subcommands and options. Everything else is imported by the subcommand that needs it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="surehand",
    help="Carry out what you say on real pages, with receipts.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

What = Annotated[str, typer.Argument(help="A sentence, or the path of a flow file (.yaml, .yml, .json).")]
Goals = Annotated[Path | None, typer.Option("--goals", metavar="FILE", help="A JSON or YAML file of structured goals.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")]
Workspace = Annotated[Path, typer.Option("--workspace", metavar="DIR", help="Working folder of the run.")]
Vars = Annotated[
    list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="Set a variable of the flow; may be repeated.")
]
Roots = Annotated[
    list[str] | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Allow files in this folder only, by path or as home:/, documents:/ and so on; may be repeated.",
    ),
]
Hosts = Annotated[
    list[str] | None, typer.Option("--host", metavar="HOST", help="Allow only this host; may be repeated.")
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, the beginning of it, or last.")]
Yes = Annotated[
    str, typer.Option("--yes", metavar="CLASSES", help="Approve apply_diff, run_job or both (with a comma).")
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="VERB", help="Allow a verb that is off otherwise: system.run; may be repeated."),
]
Trace = Annotated[
    str | None,
    typer.Option(
        "--trace",
        metavar="WISH",
        help="Record a Playwright trace into .surehand/traces: off, on (as --trace alone) or on-failure.",
    ),
]
LogLevel = Annotated[
    str | None,
    typer.Option("--log-level", metavar="LEVEL", help="Log to stderr: off, debug, info, warning or error."),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option("--policy", metavar="FILE", help="A YAML or JSON file of rules that allow, ask or deny."),
]
_HERE = Path()
_TRACE_WISHES = ("off", "on", "on-failure")


@app.command()
def run(
    what: What = "",
    goals: Goals = None,
    as_json: AsJson = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Plan only; nothing is touched.")] = False,
    yes: Yes = "",
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser's window.")] = False,
    timeout: Annotated[float | None, typer.Option("--timeout", metavar="SECONDS", help="Budget of the run.")] = None,
    workspace: Workspace = _HERE,
    var: Vars = None,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    ops: Annotated[
        str | None, typer.Option("--ops", metavar="IDS", help="Make only these changes of the plan (with commas).")
    ] = None,
    trace: Trace = None,
    log_level: LogLevel = None,
) -> None:
    """Carry out a sentence, flow or goals file.

    Plans, asks for what needs approval, executes with live progress, and prints the receipts and the reply.
    """
    from agent.cli.asking import Asked
    from agent.cli.run import RunOptions, run_request

    limits = (tuple(var or ()), tuple(host or ()), tuple(root or ()), timeout, tuple(allow or ()), policy, ops)
    asked = Asked(what, goals, workspace, *limits)
    raise typer.Exit(run_request(asked, RunOptions(as_json, dry_run, yes, headed, trace, log_level)))


@app.command()
def plan(
    what: What = "",
    goals: Goals = None,
    as_json: AsJson = False,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Write a Mermaid flow chart.")] = False,
    workspace: Workspace = _HERE,
    var: Vars = None,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
) -> None:
    """Show the goals and the graph of actions; nothing is done."""
    from agent.cli.asking import Asked
    from agent.cli.plan import show_plan

    limits = (tuple(var or ()), tuple(host or ()), tuple(root or ()), None, tuple(allow or ()), policy)
    asked = Asked(what, goals, workspace, *limits)
    raise typer.Exit(show_plan(asked, as_json=as_json, mermaid=mermaid))


@app.command()
def interpret(
    text: Annotated[str, typer.Argument(help="A sentence.")] = "",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help='Read lines {"id", "text"} from stdin, write a line each.')
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each part was understood.")] = False,
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar="TEXT", help="Answer the question that it leads to; may be repeated."),
    ] = None,
) -> None:
    """Show which goals a sentence means."""
    from agent.cli.interpret import interpret_lines, interpret_text, refuse_both

    if jsonl and (text or explain or answer):
        raise typer.Exit(refuse_both())
    raise typer.Exit(interpret_lines() if jsonl else interpret_text(text, answer or (), explain=explain))


@app.command()
def rules(
    domain: Annotated[str, typer.Argument(help="Only this domain.")] = "",
    as_json: AsJson = False,
) -> None:
    """Print the table of verbs."""
    from agent.cli.tables import print_rules

    raise typer.Exit(print_rules(domain, as_json=as_json))


@app.command()
def tools(as_json: AsJson = False) -> None:
    """Print the tools with their JSON Schemas."""
    from agent.cli.tables import print_tools

    raise typer.Exit(print_tools(as_json=as_json))


@app.command()
def resume(
    which: Run,
    settle: Annotated[
        list[str] | None,
        typer.Option(
            "--settle", metavar="ACTION=done", help="Say that an open act was done or not_done; may be repeated."
        ),
    ] = None,
    yes: Yes = "",
    as_json: AsJson = False,
    workspace: Workspace = _HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
) -> None:
    """Go on with a run that was cut short; nothing is done twice.

    What the run was allowed by options must be allowed again.
    """
    from agent.cli.limits import PolicyOptions
    from agent.cli.taking_up import TakenUp, resume_run

    limits = PolicyOptions(tuple(host or ()), tuple(root or ()), tuple(allow or ()), policy)
    raise typer.Exit(resume_run(TakenUp(which, workspace, as_json, yes, limits), settle or ()))


@app.command()
def undo(
    which: Run,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show only what could be taken back.")] = False,
    yes: Yes = "",
    as_json: AsJson = False,
    workspace: Workspace = _HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
) -> None:
    """Take back what a run did, where there is a way back.

    What changes files is shown and asked for first.
    """
    from agent.cli.limits import PolicyOptions
    from agent.cli.taking_up import TakenUp, undo_run

    limits = PolicyOptions(tuple(host or ()), tuple(root or ()), tuple(allow or ()), policy)
    raise typer.Exit(undo_run(TakenUp(which, workspace, as_json, yes, limits), dry=dry_run))


@app.command()
def doctor(as_json: AsJson = False, workspace: Workspace = _HERE) -> None:
    """Say what this machine can do, and what to fix.

    For every verb: whether it can be done here, why not, and how to mend that. A browser is started once to find out.
    """
    from agent.cli.doctor import print_diagnosis

    raise typer.Exit(print_diagnosis(workspace, as_json=as_json))


context = typer.Typer(help="What is remembered across runs.", no_args_is_help=True)
app.add_typer(context, name="context")


@context.command("show")
def show_context(as_json: AsJson = False, workspace: Workspace = _HERE) -> None:
    """Print what earlier runs left in mind, and what you had remembered."""
    from agent.cli.context import show_context as print_context

    raise typer.Exit(print_context(workspace, as_json=as_json))


@context.command("reset")
def reset_context(
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Forget also what you had remembered.")] = False,
    workspace: Workspace = _HERE,
) -> None:
    """Forget what earlier runs left in mind."""
    from agent.cli.context import reset_context as forget_context

    raise typer.Exit(forget_context(workspace, everything=everything, yes=yes))


sessions = typer.Typer(help="The runs that are kept.", no_args_is_help=True)
app.add_typer(sessions, name="sessions")


@sessions.command("list")
def list_sessions(as_json: AsJson = False, workspace: Workspace = _HERE) -> None:
    """Print the runs that were carried out here, the latest first."""
    from agent.cli.sessions import list_sessions as print_sessions

    raise typer.Exit(print_sessions(workspace, as_json=as_json))


@sessions.command("show")
def show_session(which: Run, as_json: AsJson = False, workspace: Workspace = _HERE) -> None:
    """Print what was asked, done and made in a run."""
    from agent.cli.sessions import show_session as print_session

    raise typer.Exit(print_session(workspace, which, as_json=as_json))


@app.command()
def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say only what would be done.")] = False,
    adopt: Annotated[
        bool,
        typer.Option("--adopt", help="Take what lies here for your own, though nothing proves it: it can act again."),
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = _HERE,
) -> None:
    """Bring what an older version kept to the present one.

    The files are saved as they were before.
    """
    from agent.cli.sessions import migrate as migrate_files

    raise typer.Exit(migrate_files(workspace, dry=dry_run, adopt=adopt, as_json=as_json))


secrets = typer.Typer(help="Keep passwords and tokens that goals name as secret:NAME.", no_args_is_help=True)
app.add_typer(secrets, name="secrets")


@secrets.command("list")
def list_secrets(as_json: AsJson = False) -> None:
    """Print names, sources and hosts, never a value."""
    from agent.cli.secrets import list_secrets as print_secrets

    raise typer.Exit(print_secrets(as_json=as_json))


@secrets.command("set")
def set_secret(
    name: Annotated[str, typer.Argument(help="Letters, digits and _.")],
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="HOST", help="Give it to pages of this host only; may be repeated."),
    ] = None,
    store: Annotated[str, typer.Option("--store", metavar="WHERE", help="keyring or file.")] = "",
) -> None:
    """Keep a secret: asked for unseen, or read from stdin."""
    from agent.cli.secrets import set_secret as keep_secret

    raise typer.Exit(keep_secret(name, host or (), store))


@secrets.command("remove")
def remove_secret(name: Annotated[str, typer.Argument(help="Which one.")]) -> None:
    """Forget a secret."""
    from agent.cli.secrets import remove_secret as forget_secret

    raise typer.Exit(forget_secret(name))


def _print_version(wanted: object) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"surehand {version('surehand')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Carry out what you say on real pages, with receipts."""


def _complete_trace(arguments: list[str]) -> list[str]:
    """Return the arguments with ``--trace=on`` for a ``--trace`` that isn't followed by what it takes."""
    completed: list[str] = []
    for index, each in enumerate(arguments):
        if completed and completed[-1] == "--trace=":
            completed[-1] += each
        elif each == "--trace" and "--" not in arguments[:index]:
            follows = arguments[index + 1 : index + 2]
            completed.append("--trace=" if follows and follows[0] in _TRACE_WISHES else "--trace=on")
        else:
            completed.append(each)
    return completed


def _tell_usage(error: typer.TyperException) -> str:
    """Return what is wrong with the arguments and where to look; where only a command of commands was named, its help."""
    message = error.format_message()
    if message.startswith("Usage: "):
        return message
    place = getattr(error, "ctx", None)
    command = place.command_path if place else "surehand"
    return f"error (bad_usage): {message}\n  hint: {command} --help says what there is."


def main() -> int:
    """Run the command line.

    Returns:
        The exit code: 0 all succeeded, 1 a step failed, 2 bad input (nothing was executed), 3 approval missing or
        denied, 4 unknown outcome, 130 stopped.
    """
    from agent.cli.exits import BAD_INPUT, STOPPED, SUCCEEDED
    from agent.cli.output import prepare_streams, write_error_text

    prepare_streams()
    try:
        return app(_complete_trace(sys.argv[1:]), prog_name="surehand", standalone_mode=False) or SUCCEEDED
    except typer.Abort:
        return STOPPED
    except typer.TyperException as error:
        write_error_text(f"{_tell_usage(error)}\n")
        return BAD_INPUT
