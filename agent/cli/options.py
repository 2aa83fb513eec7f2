"""The arguments and options that several commands share, in plain words."""

from pathlib import Path
from typing import Annotated

import typer

from core.rules.approval_classes import GIVEN_BEFOREHAND

TASK = "What to do"
LOOK = "What to look at"
LIMITS = "What may be touched"
ASKING = "Questions"
TRYING = "Without doing it"
SIMULATION = "On a simulated machine"
BROWSER = "Browser"
MODELS = "Models"
OUTPUT = "Output"
SERVICE = "Service"

HERE = Path()

What = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help="A sentence, or the path of a flow file (.yaml, .yml, .json).",
        rich_help_panel=TASK,
        show_default=False,
    ),
]
Goals = Annotated[
    Path | None,
    typer.Option("--goals", metavar="FILE", help="Read goals from a YAML or JSON file instead.", rich_help_panel=TASK),
]
Vars = Annotated[
    list[str] | None,
    typer.Option("--var", metavar="NAME=VALUE", help="Set a variable of the flow. Repeatable.", rich_help_panel=TASK),
]
Run = Annotated[
    str,
    typer.Argument(metavar="RUN", help='The id of a run, its beginning, or "last".', show_default=False),
]
Workspace = Annotated[
    Path,
    typer.Option(
        "--workspace",
        metavar="DIR",
        help="Work in this folder; where absent, in the current one.",
        rich_help_panel=LIMITS,
        show_default=False,
    ),
]
Roots = Annotated[
    list[str] | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Use files in this folder only: a path, or home:/, documents:/ and the like. Repeatable.",
        rich_help_panel=LIMITS,
    ),
]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--host", metavar="HOST", help="Reach this host only. Repeatable.", rich_help_panel=LIMITS),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="VERB",
        help="Turn on a verb that is off by default: system.run. Repeatable.",
        rich_help_panel=LIMITS,
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy", metavar="FILE", help="Obey the rules in this file: allow, ask or deny.", rich_help_panel=LIMITS
    ),
]
Yes = Annotated[
    str,
    typer.Option(
        "--yes",
        metavar="CLASSES",
        help=f"Approve beforehand, with commas: {', '.join(GIVEN_BEFOREHAND)}.",
        rich_help_panel=ASKING,
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for programs.", rich_help_panel=OUTPUT)]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the reply alone.", rich_help_panel=OUTPUT)]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show ids, digests and data, too.", rich_help_panel=OUTPUT)
]
Full = Annotated[
    bool, typer.Option("--full", help="Show what steps read whole, however long it is.", rich_help_panel=OUTPUT)
]
Place = Annotated[
    str,
    typer.Argument(
        metavar="URL|WINDOW",
        help="Address of a page, or the title of a window or a part of it.",
        rich_help_panel=LOOK,
        show_default=False,
    ),
]
SavedSession = Annotated[
    str,
    typer.Option(
        "--session",
        metavar="NAME",
        help="Load a saved session first, so that you are signed in: its file, or its name without .json.",
        rich_help_panel=LOOK,
        show_default=False,
    ),
]
Inside = Annotated[
    str,
    typer.Option(
        "--in",
        metavar="NAME",
        help='Look at the page that this session of the running service has open, such as "main".',
        rich_help_panel=LOOK,
        show_default=False,
    ),
]
Scope = Annotated[
    str | None,
    typer.Option(
        "--scope", metavar="SELECTOR", help="Outline this part only: paste it from a fold.", rich_help_panel=LOOK
    ),
]
Depth = Annotated[
    int | None, typer.Option("--depth", metavar="N", help="Go down so many levels.", rich_help_panel=LOOK)
]
Find = Annotated[
    str | None,
    typer.Option("--find", metavar="WORDS", help="Show the lines nearest to these words.", rich_help_panel=LOOK),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens", metavar="N", help="Fold until it has at most so many tokens: 2000.", rich_help_panel=LOOK
    ),
]
Unfolded = Annotated[bool, typer.Option("--full", help="Fold nothing, however long it is.", rich_help_panel=LOOK)]
Since = Annotated[
    Path | None,
    typer.Option(
        "--since",
        metavar="FILE",
        help="Show only what was added, has changed or is gone since this outline.",
        rich_help_panel=LOOK,
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="FILE",
        help="Write a screenshot with the numbers of the lines on it (PNG).",
        rich_help_panel=OUTPUT,
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output", metavar="FILE", help="Keep the outline as JSON, all of it, for --since.", rich_help_panel=OUTPUT
    ),
]
Trace = Annotated[
    str | None,
    typer.Option(
        "--trace",
        metavar="WISH",
        help="Record a Playwright trace: on (or just --trace), off or on-failure.",
        rich_help_panel=BROWSER,
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a report for a browser, .html, with pictures of every step on a page.",
        rich_help_panel=OUTPUT,
    ),
]
KeepPictures = Annotated[
    bool,
    typer.Option(
        "--keep-pictures",
        help="Keep pictures of every step on a page, and what the page said, for a report later.",
        rich_help_panel=BROWSER,
    ),
]
Headed = Annotated[bool, typer.Option("--headed", help="Show the browser's window.", rich_help_panel=BROWSER)]
Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="TAG",
        help="Understand what you say in this language: en or de. Where absent, the one of your settings.",
        rich_help_panel=TASK,
        show_default=False,
    ),
]
LogLevel = Annotated[
    str | None,
    typer.Option(
        "--log-level",
        metavar="LEVEL",
        help="Write log lines to stderr: off, debug, info, warning or error.",
        rich_help_panel=OUTPUT,
    ),
]
ModelName = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help="Ask this model of your settings where a sentence is not understood.",
        rich_help_panel=MODELS,
        show_default=False,
    ),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        "--replay", metavar="FILE", help="Take a model's answers from a recording; ask none.", rich_help_panel=MODELS
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record", metavar="FILE", help="Write the model's answers down, for --replay.", rich_help_panel=MODELS
    ),
]
RunSession = Annotated[
    str,
    typer.Option(
        "--session",
        metavar="NAME",
        help="Act on the pages that this session left open. A service keeps them; one is started if none runs.",
        rich_help_panel=SERVICE,
        show_default=False,
    ),
]
NoService = Annotated[
    bool,
    typer.Option("--no-service", help="Don't use the service that runs for this folder.", rich_help_panel=SERVICE),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Plan only; do nothing.", rich_help_panel=TRYING)]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", help="Stop the run after this many seconds.", rich_help_panel=LIMITS),
]
Ops = Annotated[
    str | None,
    typer.Option(
        "--ops",
        metavar="STEPS",
        help="Make the changes of these steps only, as --dry-run numbers them: 2,5.",
        rich_help_panel=ASKING,
    ),
]
Simulate = Annotated[
    bool,
    typer.Option("--simulate", help="Run on a machine in memory; nothing real is touched.", rich_help_panel=SIMULATION),
]
Machine = Annotated[
    Path | None,
    typer.Option(
        "--machine",
        metavar="FILE",
        help="Declare its pages, files, windows and devices in a YAML file.",
        rich_help_panel=SIMULATION,
    ),
]
Faults = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help="Let a verb fail: browser.click=target_missing, or file.copy=no_space@2 for its second call. Repeatable.",
        rich_help_panel=SIMULATION,
    ),
]
