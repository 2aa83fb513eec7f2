"""The command for open-ended tasks."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp
from agent.cli.options import (
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
