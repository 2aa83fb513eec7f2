"""The commands that leave a flow behind: a model's open-ended task, and what a person does themselves."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp
from agent.cli.options import (
    BROWSER,
    HERE,
    LIMITS,
    OUTPUT,
    TASK,
    AsJson,
    Headed,
    Hosts,
    PolicyFile,
    Quiet,
    Record,
    Replay,
    Timeout,
    Verbose,
    Workspace,
)

_DOING = "Do something"

Task = Annotated[
    str, typer.Argument(metavar="TASK", help="What is wanted, in your words.", rich_help_panel=TASK, show_default=False)
]
Beginning = Annotated[
    str,
    typer.Argument(
        metavar="[URL]",
        help="Where it begins; none where it is done in windows.",
        rich_help_panel=TASK,
        show_default=False,
    ),
]
Windows = Annotated[
    list[str] | None,
    typer.Option(
        "--window",
        metavar="TITLE",
        help="Do it in this window; name again what it may open, such as a dialog.",
        rich_help_panel=TASK,
    ),
]
Proposer = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help="The model of your settings that proposes.",
        rich_help_panel=TASK,
        show_default=False,
    ),
]
Rounds = Annotated[
    int, typer.Option("--steps", metavar="N", help="Look and propose at most so often.", rich_help_panel=LIMITS)
]
Tokens = Annotated[
    int | None,
    typer.Option("--tokens", metavar="N", help="Use at most so many tokens of the model.", rich_help_panel=LIMITS),
]
FlowOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FLOW",
        help="Write a flow that does the same without a model.",
        rich_help_panel=OUTPUT,
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Show what leaves to the model.", rich_help_panel=OUTPUT)]

RecordedFrom = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="Where it begins; with --desktop a program, with what it is started with in the same quotes, or a window's title.",
        rich_help_panel=TASK,
        show_default=False,
    ),
]
OnDesktop = Annotated[bool, typer.Option("--desktop", help="Record programs instead of pages.", rich_help_panel=TASK)]
RecordedFlow = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FLOW", help="Write the flow to this new file.", rich_help_panel=OUTPUT),
]
Expect = Annotated[
    str,
    typer.Option(
        "--expect",
        metavar="WHICH",
        help="What the flow checks after its steps: what you accept by a key (ask), all that is likely (all), or nothing (none).",
        rich_help_panel=OUTPUT,
    ),
]
NoWindow = Annotated[
    bool,
    typer.Option("--no-window", help="Show the browser at an address instead of in a window.", rich_help_panel=BROWSER),
]
NoReplay = Annotated[bool, typer.Option("--no-replay", help="Don't try the flow at the end.", rich_help_panel=LIMITS)]

app = typer.Typer()


@app.command(
    name="explore",
    cls=CommandHelp,
    rich_help_panel=_DOING,
    epilog="surehand explore 'order two blue mugs' 127.0.0.1:8123/shop/ --model NAME -o order.yaml\n"
    "surehand explore 'find the opening hours' https://museum.example --model NAME --steps 5\n"
    "surehand explore 'write a note about the meeting' --window Mousepad --window 'Save As' --model NAME",
)
def explore(
    task: Task,
    url: Beginning = "",
    window: Windows = None,
    model: Proposer = "",
    replay: Replay = None,
    record: Record = None,
    steps: Rounds = 20,
    tokens: Tokens = None,
    timeout: Timeout = None,
    host: Hosts = None,
    policy: PolicyFile = None,
    workspace: Workspace = HERE,
    headed: Headed = False,
    output: FlowOutput = None,
    explain: Explain = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Let a model propose steps on pages or in windows, towards a task; you are asked before each that changes something.

    What it may propose is what people do by hand, at the host where it begins or in the windows that you name. What worked can be kept
    as a flow file.
    """
    from agent.cli.commands.explore import ExploreOptions, ExplorePlace, ExploreWish, explore_task
    from agent.cli.limits import PolicyOptions
    from agent.models.serving.wishes import ModelWish

    limits = PolicyOptions(hosts=tuple(host or ()), policy=policy)
    place = ExplorePlace(url, tuple(window or ()))
    wish = ExploreWish(task, place, workspace, ModelWish(model, replay, record), limits, steps, tokens, timeout)
    shown = {"as_json": as_json, "quiet": quiet, "verbose": verbose, "explain": explain}
    raise typer.Exit(explore_task(wish, ExploreOptions(output=output, headed=headed, **shown)))


@app.command(
    name="record",
    cls=CommandHelp,
    rich_help_panel=_DOING,
    epilog="surehand record shop.example -o order.yaml\n"
    "surehand record 127.0.0.1:8123/shop/ -o order.yaml --expect all\n"
    "surehand record shop.example -o order.yaml --no-window\n"
    "surehand record --desktop 'mousepad notes.txt' -o note.yaml",
)
def record(
    url: RecordedFrom,
    output: RecordedFlow = None,
    expect: Expect = "ask",
    host: Hosts = None,
    workspace: Workspace = HERE,
    no_window: NoWindow = False,
    no_replay: NoReplay = False,
    quiet: Quiet = False,
    desktop: OnDesktop = False,
) -> None:
    """Write down what you do on pages or in programs as a flow, and try it at once.

    A browser opens, or the program, in which you act as ever. What you undo is left out, and passwords are never written: the flow names a secret in their
    place. Close the window, press q here, or Ctrl-C when you are done.
    """
    if desktop:
        from agent.cli.recording.desktop_run import DesktopWish, record_desktop

        told = tuple(name for name, is_told in (("--host", host), ("--no-window", no_window)) if is_told)
        desk = DesktopWish(url, output, expect, workspace, replay=not no_replay, quiet=quiet, misplaced=told)
        raise typer.Exit(record_desktop(desk))
    from agent.cli.recording.recording_run import RecordWish, record_flow

    wish = RecordWish(
        url, output, expect, tuple(host or ()), workspace, window=not no_window, replay=not no_replay, quiet=quiet
    )
    raise typer.Exit(record_flow(wish))
