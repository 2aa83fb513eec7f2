"""The `surehand` command: its subcommands. Everything else is imported by the subcommand that needs it."""

import os
import sys
from dataclasses import replace
from typing import Annotated

import typer

from actuators.child_environments import INSIDE
from agent.cli.arguments import complete_trace
from agent.cli.asking import Asked, AskedRun, ModelOptions, PlanShowing, RunOptions, TakenUp
from agent.cli.declaring import command, make_group, make_late_group
from agent.cli.exploring import app as exploring
from agent.cli.extracting import app as reading
from agent.cli.flows.commands import flows
from agent.cli.health_commands import app as looking
from agent.cli.health_commands import health
from agent.cli.help_pages import tell_usage
from agent.cli.looks import LookWish, Showing
from agent.cli.options import (
    ASKING,
    DOING,
    HERE,
    KEPT,
    LOOKING,
    MACHINE,
    OUTPUT,
    SEEING,
    TASK,
    TRYING,
    AsJson,
    Language,
    Option,
    Workspace,
)
from agent.cli.recording.commands import app as recording
from agent.cli.service_commands import app as serving
from agent.cli.serving.choosing import ServiceChoice
from agent.cli.suites.commands import app as testing
from agent.cli.talking.commands import app as talking
from core.base.errors import InputError

app = make_group(
    "Do what you say: in the browser, with files, windows and sound. Every step is checked, and you get a receipt.",
    "surehand run 'go to example.com and read the title'",
    "surehand run order.yaml",
    "surehand COMMAND --help",
    name="surehand",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@command(
    app,
    "run",
    'surehand run \'open notes.txt and replace "one" by "two" in it\'',
    "surehand run order.yaml --var site=http://127.0.0.1:8123 --host 127.0.0.1",
    "surehand run order.yaml --simulate --machine shop.yaml --fault browser.click=target_missing@3",
    panel=DOING,
)
def run(asked: AskedRun, options: RunOptions, choice: ServiceChoice) -> int:
    """Do what a sentence, flow or goals file says.

    The plan is checked first. You are asked before files change or programs run. Then each step is shown as it ends, and
    a reply sums up what happened.
    """
    if choice.may_find(asked.workspace):
        from agent.cli.serving.passages import run_through

        code = run_through(asked, options, replace(choice, headed=options.headed))
        if code is not None:
            return code
    from agent.cli.commands.run import run_request

    return run_request(asked, options)


@command(
    app,
    "look",
    "surehand look 127.0.0.1:8123/shop/",
    "surehand look https://shop.example/orders --session shop --find 'cancel order'",
    "surehand look Mousepad --picture editor.png",
    panel=SEEING,
)
def look(wanted: LookWish, showing: Showing) -> int:
    """Outline a page or a window; each line names something as flows do.

    Without a name, the open windows are listed.
    """
    from agent.cli.commands.look import look_at

    return look_at(wanted, showing)


@command(app, "plan", "surehand plan order.yaml", panel=LOOKING)
def plan(asked: Asked, showing: PlanShowing, choice: ServiceChoice) -> int:
    """Show the steps that a sentence or file would take; do nothing."""
    from agent.cli.commands.plan import show_plan

    return show_plan(asked, showing, choice)


@command(app, "interpret", "surehand interpret 'click the second Delete' --explain", panel=LOOKING)
def interpret(
    model: ModelOptions,
    text: Annotated[str, Option("SENTENCE", "What you would say.", TASK)] = "",
    jsonl: Annotated[
        bool, Option("--jsonl", 'Read lines {"id", "text"} from stdin and answer each with a line.', TASK)
    ] = False,
    answer: Annotated[
        tuple[str, ...], Option("--answer TEXT", "Answer the question that the sentence raises. Repeatable.", ASKING)
    ] = (),
    explain: Annotated[bool, Option("--explain", "Show how each part was understood.", OUTPUT)] = False,
    language: Language = "",
) -> int:
    """Show how a sentence is understood, as JSON; do nothing.

    With --explain, also what left to a model, and what it answered.
    """
    from agent.cli.commands.interpret import interpret_lines, interpret_text, interpret_with_model

    with_model = bool(model or model.record)
    if jsonl and (text or explain or answer or with_model):
        text = "--jsonl reads sentences from stdin; leave out the sentence, --explain, --answer and models."
        raise InputError(text)
    if with_model:
        return interpret_with_model(text, model, answer, explain=explain)
    return interpret_lines(language) if jsonl else interpret_text(text, answer, language=language, explain=explain)


@command(app, "resume", "surehand resume last", "surehand resume r3f --settle STEP=not_done", panel=DOING)
def resume(
    taken: TakenUp,
    settle: Annotated[
        tuple[str, ...],
        Option(
            "--settle ACTION=done", "Say whether a step whose end nobody saw was done or not_done. Repeatable.", ASKING
        ),
    ] = (),
) -> int:
    """Continue a run that was cut short; nothing is done twice.

    Give the same limits again: what --allow, --host or --root permitted then is not permitted by itself now.
    """
    from agent.cli.commands.resume import resume_run

    return resume_run(taken, settle)


@command(app, "undo", "surehand undo last --dry-run", panel=DOING)
def undo(
    taken: TakenUp, dry_run: Annotated[bool, Option("--dry-run", "Only show what can be undone.", TRYING)] = False
) -> int:
    """Undo what a run did, where that is possible.

    You are asked before files change.
    """
    from agent.cli.commands.resume import undo_run

    return undo_run(taken, dry=dry_run)


@command(app, "migrate", "surehand migrate --dry-run", panel=KEPT)
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


_LATE = {
    "sessions": (KEPT, "agent.cli.commands.sessions", "List earlier runs, or look at one.", "surehand sessions list"),
    "context": (
        KEPT,
        "agent.cli.commands.context",
        "See or forget what is remembered across runs.",
        "surehand context show",
    ),
    "backlog": (
        KEPT,
        "agent.cli.commands.backlog",
        "See what planners have to do, or set it by hand.",
        "surehand backlog list",
    ),
    "service": (MACHINE, "agent.cli.serving.status", "See or end the service of a folder.", "surehand service status"),
    "secrets": (
        MACHINE,
        "agent.cli.commands.secrets",
        "Save passwords and tokens that goals name as secret:NAME.",
        "surehand secrets set shop_password --host shop.example",
    ),
}
"""Groups of commands whose modules are imported when one of them is asked for: panel, module, help and example."""

for each in (looking, testing, exploring, recording, reading, serving, talking):
    app.add_typer(each)
for name, (panel, *group) in _LATE.items():
    app.add_typer(make_late_group(*group), name=name, rich_help_panel=panel)
app.add_typer(flows, name="flows", rich_help_panel=LOOKING)
app.add_typer(health, name="health", rich_help_panel=KEPT)


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
