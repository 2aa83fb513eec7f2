"""The commands that leave a flow behind: a model's open-ended task, and what a person does themselves."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.limits import NO_HOST_LIMITS, HostLimits
from agent.cli.options import (
    BROWSER,
    DOING,
    HERE,
    LIMITS,
    OUTPUT,
    TASK,
    AsJson,
    Headed,
    Hosts,
    Option,
    Quiet,
    Record,
    Replay,
    Timeout,
    Verbose,
    Workspace,
)

Task = Annotated[str, Option("TASK", "What is wanted, in your words.", TASK)]
Beginning = Annotated[str, Option("[URL]", "Where it begins; none where it is done in windows.", TASK)]
Windows = Annotated[
    tuple[str, ...],
    Option("--window TITLE", "Do it in this window; name again what it may open, such as a dialog.", TASK),
]
Proposer = Annotated[str, Option("--model NAME", "The model of your settings that proposes.", TASK)]
Rounds = Annotated[int, Option("--steps N", "Look and propose at most so often.", LIMITS)]
Tokens = Annotated[int | None, Option("--tokens N", "Use at most so many tokens of the model.", LIMITS)]
FlowOutput = Annotated[
    Path | None, Option("--output -o FLOW", "Write a flow that does the same without a model.", OUTPUT)
]
Explain = Annotated[bool, Option("--explain", "Show what leaves to the model.", OUTPUT)]

RecordedFrom = Annotated[
    str,
    Option(
        "URL",
        "Where it begins; with --desktop a program, with what it is started with in the same quotes, or a window's title.",
        TASK,
    ),
]
OnDesktop = Annotated[bool, Option("--desktop", "Record programs instead of pages.", TASK)]
RecordedFlow = Annotated[Path | None, Option("--output -o FLOW", "Write the flow to this new file.", OUTPUT)]
Expect = Annotated[
    str,
    Option(
        "--expect WHICH",
        "What the flow checks after its steps: what you accept by a key (ask), all that is likely (all), or nothing (none).",
        OUTPUT,
    ),
]
NoWindow = Annotated[bool, Option("--no-window", "Show the browser at an address instead of in a window.", BROWSER)]
NoReplay = Annotated[bool, Option("--no-replay", "Don't try the flow at the end.", LIMITS)]

app = typer.Typer()


@command(
    app,
    "explore",
    "surehand explore 'order two blue mugs' 127.0.0.1:8123/shop/ --model NAME -o order.yaml",
    "surehand explore 'find the opening hours' https://museum.example --model NAME --steps 5",
    "surehand explore 'write a note about the meeting' --window Mousepad --window 'Save As' --model NAME",
    panel=DOING,
)
def explore(
    task: Task,
    url: Beginning = "",
    window: Windows = (),
    model: Proposer = "",
    replay: Replay = None,
    record: Record = None,
    steps: Rounds = 20,
    tokens: Tokens = None,
    timeout: Timeout = None,
    limits: HostLimits = NO_HOST_LIMITS,
    workspace: Workspace = HERE,
    headed: Headed = False,
    output: FlowOutput = None,
    explain: Explain = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Let a model propose steps on pages or in windows, towards a task; you are asked before each that changes something.

    What it may propose is what people do by hand, at the host where it begins or in the windows that you name. What worked can be kept
    as a flow file.
    """
    from agent.cli.commands.explore import ExploreOptions, ExplorePlace, ExploreWish, explore_task
    from agent.models.serving.wishes import ModelWish

    place = ExplorePlace(url, window)
    wish = ExploreWish(task, place, workspace, ModelWish(model, replay, record), limits, steps, tokens, timeout)
    shown = {"as_json": as_json, "quiet": quiet, "verbose": verbose, "explain": explain}
    return explore_task(wish, ExploreOptions(output=output, headed=headed, **shown))


@command(
    app,
    "record",
    "surehand record shop.example -o order.yaml",
    "surehand record 127.0.0.1:8123/shop/ -o order.yaml --expect all",
    "surehand record shop.example -o order.yaml --no-window",
    "surehand record --desktop 'mousepad notes.txt' -o note.yaml",
    panel=DOING,
)
def record(
    url: RecordedFrom,
    output: RecordedFlow = None,
    expect: Expect = "ask",
    host: Hosts = (),
    workspace: Workspace = HERE,
    no_window: NoWindow = False,
    no_replay: NoReplay = False,
    quiet: Quiet = False,
    desktop: OnDesktop = False,
) -> int:
    """Write down what you do on pages or in programs as a flow, and try it at once.

    A browser opens, or the program, in which you act as ever. What you undo is left out, and passwords are never written: the flow names a secret in their
    place. Close the window, press q here, or Ctrl-C when you are done.
    """
    from agent.cli.recording.recordings import RecordWish, record_flow

    if desktop:
        from agent.cli.recording.desktop_recording import DesktopRecording as Kind
    else:
        from agent.cli.recording.page_recording import PageRecording as Kind
    wish = RecordWish(url, output, expect, host, workspace, window=not no_window, replay=not no_replay, quiet=quiet)
    return record_flow(wish, Kind)
