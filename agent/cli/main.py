"""The `surehand` command: its subcommands. Everything else is imported by the subcommand that needs it."""

import gc
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, ClassVar

import typer

from actuators.child_environments import INSIDE
from agent.cli.asking import AskedRun, RunOptions
from agent.cli.declaring import LateProgram, command, make_group, tell_usage
from agent.cli.exits import BAD_INPUT, STOPPED, SUCCEEDED
from agent.cli.options import DOING, KEPT, LOOKING, MACHINE, SEEING
from agent.cli.screen.output import prepare_streams, write_error_text
from agent.cli.serving.choosing import ServiceChoice
from agent.cli.serving.quick import USUAL_GARBAGE
from agent.telemetry.library_faults import keep_off_terminal

_TASK = "Let a model propose steps on pages or in windows, towards a task; you are asked before each that changes something."
_WORK = "Work off what planners have to do: each pending item of the backlog that a planner can take, the most urgent first."
_SERVE = "Serve this folder to programs, assistants and other commands, until you end it."
_VOICES = "Do what voices say: an intent service for Home Assistant and others that speak the Wyoming protocol."
_EXTRACT = "Read records of a JSON Schema from a page or window; each value has the line that it came from."
_CONSOLE = "Print where the console of this folder's service is, with a code that lets your browser in once."
_PLANNERS = (
    "List the planners, those of other packages among them: what they can do, what they take, and their settings."
)
_FLOWS = "Check, format and mend flow files, or get their schema for an editor."
_RECORD = "Write down what you do on pages or in programs as a flow, and try it at once."


class _Program(LateProgram):
    """All commands but the one that has to begin at once."""

    late: ClassVar[Mapping[str, tuple[str, str, str]]] = {
        "resume": (DOING, "commands.resume", "Continue a run that was cut short; nothing is done twice."),
        "undo": (DOING, "commands.resume", "Undo what a run did, where that is possible."),
        "test": (DOING, "suites.testing", "Run flows as tests: each in a session and a folder of its own."),
        "explore": (DOING, "commands.explore", _TASK),
        "work": (DOING, "commands.planners", _WORK),
        "record": (DOING, "recording.commands", _RECORD),
        "serve": (DOING, "serving.serve", _SERVE),
        "mcp": (DOING, "serving.mcp", "Serve an assistant that speaks MCP, over stdin and stdout."),
        "wyoming": (DOING, "talking.wyoming", _VOICES),
        "chat": (DOING, "talking.chat", "Talk with Surehand in this terminal."),
        "look": (SEEING, "commands.look", "Outline a page or a window; each line names something as flows do."),
        "extract": (SEEING, "commands.extract", _EXTRACT),
        "console": (SEEING, "serving.serve", _CONSOLE),
        "plan": (LOOKING, "commands.plan", "Show the steps that a sentence or file would take; do nothing."),
        "interpret": (LOOKING, "commands.interpret", "Show how a sentence is understood, as JSON; do nothing."),
        "rules": (LOOKING, "commands.facts", "List the verbs that goals and flows can use."),
        "tools": (LOOKING, "commands.facts", "List the tools behind the verbs, with their JSON Schemas."),
        "planners": (LOOKING, "commands.planners", _PLANNERS),
        "flows": (LOOKING, "flows.commands", _FLOWS),
        "doctor": (MACHINE, "commands.facts", "Check what this machine can do, and how to fix the rest."),
        "service": (MACHINE, "serving.status", "See or end the service of a folder."),
        "secrets": (MACHINE, "commands.secrets", "Save passwords and tokens that goals name as secret:NAME."),
        "migrate": (KEPT, "commands.migrate", "Update the files of an older version; the old ones are saved."),
        "sessions": (KEPT, "commands.sessions", "List earlier runs, or look at one."),
        "context": (KEPT, "commands.context", "See or forget what is remembered across runs."),
        "backlog": (KEPT, "commands.backlog", "See what planners have to do, or set it by hand."),
        "health": (KEPT, "commands.health", "See how planners do, and tell whoever has to be told."),
    }


app = make_group(
    "Do what you say: in the browser, with files, windows and sound. Every step is checked, and you get a receipt.",
    "surehand run 'go to example.com and read the title'",
    "surehand run order.yaml",
    "surehand COMMAND --help",
    cls=_Program,
    name="surehand",
    add_completion=False,
    pretty_exceptions_enable=False,
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
        from agent.cli.serving.through import run_through

        code = run_through(asked, options, replace(choice, headed=options.headed))
        if code is not None:
            return code
    from agent.cli.commands.run import run_request

    return run_request(asked, options)


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
_TRACE_WISHES = ("off", "on", "on-failure")


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


def main() -> int:
    """Run the command line.

    Returns:
        The exit code: 0 all succeeded, 1 a step failed, 2 bad input (nothing was executed), 3 approval missing or
        denied, 4 unknown outcome, 130 stopped.
    """
    gc.set_threshold(*USUAL_GARBAGE)
    keep_off_terminal()
    prepare_streams()
    if INSIDE in os.environ:
        write_error_text(_WHY_NOT_INSIDE)
        return BAD_INPUT
    try:
        return app(_complete_trace(sys.argv[1:]), prog_name="surehand", standalone_mode=False) or SUCCEEDED
    except typer.Abort:
        return STOPPED
    except typer.TyperException as error:
        write_error_text(f"{tell_usage(error)}\n")
        return BAD_INPUT
