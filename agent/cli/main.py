"""The `surehand` command: its subcommands. Everything else is imported by the subcommand that needs it."""

import os
import sys
from typing import Annotated

import typer

from actuators.child_environments import INSIDE
from agent.cli.arguments import complete_trace
from agent.cli.exploring import app as exploring
from agent.cli.extracting import app as reading
from agent.cli.flow_commands import flows
from agent.cli.health_commands import add_doctor, health
from agent.cli.help_pages import CommandHelp, GroupHelp, tell_usage
from agent.cli.kept import add_kept, secrets
from agent.cli.options import (
    ASKING,
    HERE,
    TASK,
    TRYING,
    Allow,
    AsJson,
    Depth,
    DryRun,
    Faults,
    Find,
    Full,
    Goals,
    Headed,
    Hosts,
    Inside,
    KeepPictures,
    Language,
    LogLevel,
    Machine,
    MaxTokens,
    ModelName,
    NoService,
    Ops,
    OutputFile,
    Picture,
    Place,
    PolicyFile,
    Quiet,
    Record,
    Replay,
    Report,
    Roots,
    Run,
    RunSession,
    SavedSession,
    Scope,
    Simulate,
    Since,
    Timeout,
    Trace,
    Unfolded,
    Vars,
    Verbose,
    What,
    Workspace,
    Yes,
)
from agent.cli.service_commands import app as serving
from agent.cli.service_commands import service
from agent.cli.suite_commands import app as testing
from agent.cli.talking.commands import app as talking

_DOING, _SEEING, _LOOKING = "Do something", "See what is there", "See what would be done"
_KEPT, _MACHINE = "What was done", "This machine"

app = typer.Typer(
    name="surehand",
    cls=GroupHelp,
    help="Do what you say: in the browser, with files, windows and sound. Every step is checked, and you get a receipt.",
    epilog="surehand run 'go to example.com and read the title'\nsurehand run order.yaml\nsurehand COMMAND --help",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command(
    cls=CommandHelp,
    rich_help_panel=_DOING,
    epilog='surehand run \'open notes.txt and replace "one" by "two" in it\'\n'
    "surehand run order.yaml --var site=http://127.0.0.1:8123 --host 127.0.0.1\n"
    "surehand run order.yaml --simulate --machine shop.yaml --fault browser.click=target_missing@3",
)
def run(
    what: What = "",
    goals: Goals = None,
    var: Vars = None,
    yes: Yes = "",
    ops: Ops = None,
    workspace: Workspace = HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    timeout: Timeout = None,
    dry_run: DryRun = False,
    simulate: Simulate = False,
    machine: Machine = None,
    fault: Faults = None,
    headed: Headed = False,
    trace: Trace = None,
    keep_pictures: KeepPictures = False,
    report: Report = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    full: Full = False,
    log_level: LogLevel = None,
    model: ModelName = "",
    replay: Replay = None,
    record: Record = None,
    session: RunSession = "",
    no_service: NoService = False,
    language: Language = "",
) -> None:
    """Do what a sentence, flow or goals file says.

    The plan is checked first. You are asked before files change or programs run. Then each step is shown as it ends, and
    a reply sums up what happened.
    """
    from agent.cli.asking import Asked, RunOptions, Simulated
    from agent.cli.serving.choosing import ServiceChoice
    from agent.cli.serving.running import run_somewhere
    from agent.models.serving.wishes import ModelWish

    limits = (tuple(var or ()), tuple(host or ()), tuple(root or ()), timeout, tuple(allow or ()), policy, ops)
    choice = ServiceChoice(session=session, is_wanted=not no_service, headed=headed)
    simulated = Simulated(wanted=simulate, machine=machine, faults=tuple(fault or ()))
    looks = (as_json, dry_run, yes, headed, trace, log_level)
    shown = {"quiet": quiet, "verbose": verbose, "full": full}
    wish = ModelWish(model, replay, record)
    options = RunOptions(
        *looks, **shown, simulated=simulated, model=wish, language=language, keep_pictures=keep_pictures, report=report
    )
    raise typer.Exit(run_somewhere(Asked(what, goals, workspace, *limits), options, choice))


@app.command(
    cls=CommandHelp,
    rich_help_panel=_SEEING,
    epilog="surehand look 127.0.0.1:8123/shop/\n"
    "surehand look https://shop.example/orders --session shop --find 'cancel order'\n"
    "surehand look Mousepad --picture editor.png",
)
def look(
    what: Place = "",
    session: SavedSession = "",
    inside: Inside = "",
    scope: Scope = None,
    depth: Depth = None,
    find: Find = None,
    max_tokens: MaxTokens = None,
    full: Unfolded = False,
    since: Since = None,
    picture: Picture = None,
    output: OutputFile = None,
    workspace: Workspace = HERE,
    host: Hosts = None,
    timeout: Timeout = None,
    headed: Headed = False,
    as_json: AsJson = False,
) -> None:
    """Outline a page or a window; each line names something as flows do.

    Without a name, the open windows are listed.
    """
    from agent.cli.commands.look import look_at
    from agent.cli.looks import LookWish, Showing

    wanted = LookWish(
        what, workspace, session, scope, depth, find, max_tokens, full, headed, timeout, tuple(host or ()), inside
    )
    raise typer.Exit(look_at(wanted, Showing(as_json, since, picture, output)))


@app.command(cls=CommandHelp, rich_help_panel=_LOOKING, epilog="surehand plan order.yaml")
def plan(
    what: What = "",
    goals: Goals = None,
    var: Vars = None,
    workspace: Workspace = HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    as_json: AsJson = False,
    mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Write a Mermaid flow chart.", rich_help_panel="Output")
    ] = False,
    verbose: Verbose = False,
    model: ModelName = "",
    replay: Replay = None,
    record: Record = None,
    session: RunSession = "",
    no_service: NoService = False,
) -> None:
    """Show the steps that a sentence or file would take; do nothing."""
    from agent.cli.asking import Asked
    from agent.cli.commands.plan import PlanShowing, show_plan
    from agent.cli.serving.choosing import ServiceChoice
    from agent.models.serving.wishes import ModelWish

    limits = (tuple(var or ()), tuple(host or ()), tuple(root or ()), None, tuple(allow or ()), policy)
    asked = Asked(what, goals, workspace, *limits)
    showing = PlanShowing(as_json, mermaid, verbose, ModelWish(model, replay, record))
    raise typer.Exit(show_plan(asked, showing, ServiceChoice(session=session, is_wanted=not no_service)))


@app.command(cls=CommandHelp, rich_help_panel=_LOOKING, epilog="surehand interpret 'click the second Delete' --explain")
def interpret(
    text: Annotated[
        str, typer.Argument(metavar="SENTENCE", help="What you would say.", rich_help_panel=TASK, show_default=False)
    ] = "",
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl", help='Read lines {"id", "text"} from stdin and answer each with a line.', rich_help_panel=TASK
        ),
    ] = False,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            metavar="TEXT",
            help="Answer the question that the sentence raises. Repeatable.",
            rich_help_panel=ASKING,
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how each part was understood.", rich_help_panel="Output")
    ] = False,
    language: Language = "",
    model: ModelName = "",
    replay: Replay = None,
    record: Record = None,
) -> None:
    """Show how a sentence is understood, as JSON; do nothing.

    With --explain, also what left to a model, and what it answered.
    """
    from agent.cli.commands.interpret import interpret_lines, interpret_text, refuse_both

    with_model = bool(model or replay or record)
    if jsonl and (text or explain or answer or with_model):
        raise typer.Exit(refuse_both())
    if with_model:
        from agent.cli.commands.model_help import interpret_with_model
        from agent.models.serving.wishes import ModelWish

        raise typer.Exit(interpret_with_model(text, ModelWish(model, replay, record), answer or (), explain=explain))
    if jsonl:
        raise typer.Exit(interpret_lines(language))
    raise typer.Exit(interpret_text(text, answer or (), language=language, explain=explain))


@app.command(
    cls=CommandHelp,
    rich_help_panel=_DOING,
    epilog="surehand resume last\nsurehand resume r3f --settle g4_click_1=not_done",
)
def resume(
    which: Run,
    settle: Annotated[
        list[str] | None,
        typer.Option(
            "--settle",
            metavar="ACTION=done",
            help="Say whether a step whose end nobody saw was done or not_done. Repeatable.",
            rich_help_panel=ASKING,
        ),
    ] = None,
    yes: Yes = "",
    workspace: Workspace = HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    no_service: NoService = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Continue a run that was cut short; nothing is done twice.

    Give the same limits again: what --allow, --host or --root permitted then is not permitted by itself now.
    """
    from agent.cli.commands.resume import PolicyOptions, TakenUp, resume_run
    from agent.cli.serving.through_undo import find_way

    limits = PolicyOptions(tuple(host or ()), tuple(root or ()), tuple(allow or ()), policy)
    way = None if no_service else find_way
    asked = TakenUp(which, workspace, as_json, yes, limits, quiet=quiet, verbose=verbose, find_way=way)
    raise typer.Exit(resume_run(asked, settle or ()))


@app.command(cls=CommandHelp, rich_help_panel=_DOING, epilog="surehand undo last --dry-run")
def undo(
    which: Run,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what can be undone.", rich_help_panel=TRYING)
    ] = False,
    yes: Yes = "",
    workspace: Workspace = HERE,
    host: Hosts = None,
    root: Roots = None,
    allow: Allow = None,
    policy: PolicyFile = None,
    no_service: NoService = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Undo what a run did, where that is possible.

    You are asked before files change.
    """
    from agent.cli.commands.resume import PolicyOptions, TakenUp, undo_run
    from agent.cli.serving.through_undo import find_way

    limits = PolicyOptions(tuple(host or ()), tuple(root or ()), tuple(allow or ()), policy)
    way = None if no_service else find_way
    asked = TakenUp(which, workspace, as_json, yes, limits, quiet=quiet, verbose=verbose, find_way=way)
    raise typer.Exit(undo_run(asked, dry=dry_run))


add_doctor(app, _MACHINE)
app.add_typer(testing)
app.add_typer(exploring)
app.add_typer(reading)
app.add_typer(serving)
app.add_typer(talking)
add_kept(app, _KEPT)
app.add_typer(flows, name="flows", rich_help_panel=_LOOKING)
app.add_typer(health, name="health", rich_help_panel=_KEPT)
app.add_typer(service, name="service", rich_help_panel=_MACHINE)
app.add_typer(secrets, name="secrets", rich_help_panel=_MACHINE)


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
    """Do what you say: in the browser, with files, windows and sound. Every step is checked, and you get a receipt."""


_WHY_NOT_INSIDE = (
    "inside_hands: Surehand was started by a program that its own hands started, so that nobody would have said yes.\n"
    "Type the command in a terminal that you opened yourself.\n"
)


def main() -> int:
    """Run the command line.

    Returns:
        The exit code: 0 all succeeded, 1 a step failed, 2 bad input (nothing was executed), 3 approval missing or
        denied, 4 unknown outcome, 130 stopped.
    """
    from agent.cli.exits import BAD_INPUT, STOPPED, SUCCEEDED
    from agent.cli.screen.output import prepare_streams, write_error_text

    prepare_streams()
    if INSIDE in os.environ:
        write_error_text(_WHY_NOT_INSIDE)
        return BAD_INPUT
    try:
        return app(complete_trace(sys.argv[1:]), prog_name="surehand", standalone_mode=False) or SUCCEEDED
    except typer.Abort:
        return STOPPED
    except typer.TyperException as error:
        write_error_text(f"{tell_usage(error)}\n")
        return BAD_INPUT
