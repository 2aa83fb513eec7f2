"""The arguments and options that several commands share, in plain words. Typer isn't imported here: a command that only asks a service goes without."""

from pathlib import Path
from typing import Annotated, Any, get_args

from core.base.late_dataclasses import dataclass
from core.rules.approval_classes import GIVEN_BEFOREHAND

DOING, SEEING, LOOKING = "Do something", "See what is there", "See what would be done"
KEPT, MACHINE = "What was done", "This machine"

TASK = "What to do"
LOOK = "What to look at"
CHOOSING = "Which flows"
RUNNING = "How they run"
LASTING = "How long, and for whom"
LIMITS = "What may be touched"
ASKING = "Questions"
TRYING = "Without doing it"
SIMULATION = "On a simulated machine"
BROWSER = "Browser"
MODELS = "Models"
OUTPUT = "Output"
SERVICE = "Service"
PANELS = (
    *(DOING, SEEING, LOOKING, MACHINE, KEPT),
    *(TASK, LOOK, CHOOSING, RUNNING, ASKING, LIMITS, TRYING, SIMULATION, BROWSER, OUTPUT, MODELS, SERVICE, LASTING),
)
"""Groups of commands and of options, in the order in which help lists them."""

HERE = Path()


@dataclass(frozen=True, slots=True)
class Option:
    """An option or an argument, as a person types it; its type and default are those of the param or field that it marks.

    Attributes:
        written: Its names and what follows them: ``--output -o FILE``; without a name it is an argument.
    """

    written: str
    help: str
    panel: str = ""
    least: float | None = None
    most: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """How it is named; empty for an argument."""
        return tuple(each for each in self.written.split() if each.startswith("-"))

    @property
    def metavar(self) -> str | None:
        """What stands for its value; None for a switch."""
        return next((each for each in self.written.split() if not each.startswith("-")), None)


def find_option(hint: Any) -> Option | None:
    """Return the option that a param or field is marked as; None where it is none."""
    return next((each for each in get_args(hint)[1:] if isinstance(each, Option)), None)


Texts = tuple[str, ...]

What = Annotated[str, Option("WHAT", "A sentence, or the path of a flow file (.yaml, .yml, .json).", TASK)]
Goals = Annotated[Path | None, Option("--goals FILE", "Read goals from a YAML or JSON file instead.", TASK)]
Vars = Annotated[Texts, Option("--var NAME=VALUE", "Set a variable of the flow. Repeatable.", TASK)]
Language = Annotated[
    str,
    Option(
        "--language TAG",
        "Understand what you say in this language: en or de. Where absent, the one of your settings.",
        TASK,
    ),
]
Run = Annotated[str, Option("RUN", 'The id of a run, its beginning, or "last".')]

Workspace = Annotated[Path, Option("--workspace DIR", "Work in this folder; where absent, in the current one.", LIMITS)]
Hosts = Annotated[Texts, Option("--host HOST", "Reach this host only. Repeatable.", LIMITS)]
Roots = Annotated[
    Texts,
    Option(
        "--root DIR", "Use files in this folder only: a path, or home:/, documents:/ and the like. Repeatable.", LIMITS
    ),
]
Allow = Annotated[
    Texts, Option("--allow VERB", "Turn on a verb that is off by default: system.run. Repeatable.", LIMITS)
]
PolicyFile = Annotated[Path | None, Option("--policy FILE", "Obey the rules in this file: allow, ask or deny.", LIMITS)]
Timeout = Annotated[float | None, Option("--timeout SECONDS", "Stop the run after this many seconds.", LIMITS)]

Yes = Annotated[
    str, Option("--yes CLASSES", f"Approve beforehand, with commas: {', '.join(GIVEN_BEFOREHAND)}.", ASKING)
]
Ops = Annotated[
    str | None, Option("--ops STEPS", "Make the changes of these steps only, as --dry-run numbers them: 2,5.", ASKING)
]

DryRun = Annotated[bool, Option("--dry-run", "Plan only; do nothing.", TRYING)]
Simulate = Annotated[bool, Option("--simulate", "Run on a machine in memory; nothing real is touched.", SIMULATION)]
Machine = Annotated[
    Path | None, Option("--machine FILE", "Declare its pages, files, windows and devices in a YAML file.", SIMULATION)
]
Faults = Annotated[
    Texts,
    Option(
        "--fault FAULT",
        "Let a verb fail: browser.click=target_missing, or file.copy=no_space@2 for its second call. Repeatable.",
        SIMULATION,
    ),
]

Headed = Annotated[bool, Option("--headed", "Show the browser's window.", BROWSER)]
Trace = Annotated[
    str | None, Option("--trace WISH", "Record a Playwright trace: on (or just --trace), off or on-failure.", BROWSER)
]
KeepPictures = Annotated[
    bool,
    Option(
        "--keep-pictures", "Keep pictures of every step on a page, and what the page said, for a report later.", BROWSER
    ),
]

AsJson = Annotated[bool, Option("--json", "Write JSON for programs.", OUTPUT)]
Quiet = Annotated[bool, Option("--quiet -q", "Print the reply alone.", OUTPUT)]
Verbose = Annotated[bool, Option("--verbose -v", "Show ids, digests and data, too.", OUTPUT)]
Full = Annotated[bool, Option("--full", "Show what steps read whole, however long it is.", OUTPUT)]
Report = Annotated[
    Path | None,
    Option("--report FILE", "Write a report for a browser, .html, with pictures of every step on a page.", OUTPUT),
]
LogLevel = Annotated[
    str | None, Option("--log-level LEVEL", "Write log lines to stderr: off, debug, info, warning or error.", OUTPUT)
]

ModelName = Annotated[
    str, Option("--model NAME", "Ask this model of your settings where a sentence is not understood.", MODELS)
]
Replay = Annotated[Path | None, Option("--replay FILE", "Take a model's answers from a recording; ask none.", MODELS)]
Record = Annotated[Path | None, Option("--record FILE", "Write the model's answers down, for --replay.", MODELS)]

RunSession = Annotated[
    str,
    Option(
        "--session NAME",
        "Act on the pages that this session left open. A service keeps them; one is started if none runs.",
        SERVICE,
    ),
]
NoService = Annotated[bool, Option("--no-service", "Don't use the service that runs for this folder.", SERVICE)]

Place = Annotated[str, Option("URL|WINDOW", "Address of a page, or the title of a window or a part of it.", LOOK)]
