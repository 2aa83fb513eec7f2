"""What is asked of a recording, apart from its command: what carries it out is loaded late, and knows this."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from agent.cli.options import BROWSER, HERE, LIMITS, OUTPUT, TASK, Hosts, Option, Quiet, Workspace

_BEGIN = Option(
    "URL",
    "Where it begins; with --desktop a program, with what it is started with in the same quotes, or a window's title.",
    TASK,
)
_OUTPUT = Option("--output -o FLOW", "Write the flow to this new file.", OUTPUT)
_EXPECT = Option(
    "--expect WHICH",
    "What the flow checks after its steps: what you accept by a key (ask), all that is likely (all), or nothing (none).",
    OUTPUT,
)
_NO_WINDOW = Option("--no-window", "Show the browser at an address instead of in a window.", BROWSER)
_NO_REPLAY = Option("--no-replay", "Don't try the flow at the end.", LIMITS)
_ON_DESKTOP = Option("--desktop", "Record programs instead of pages.", TASK)


@dataclass(frozen=True, slots=True)
class RecordWish:
    """What is to be recorded, and how; without a file the flow is written to stdout."""

    begin: Annotated[str, _BEGIN]
    output: Annotated[Path | None, _OUTPUT] = None
    expect: Annotated[str, _EXPECT] = "ask"
    hosts: Hosts = ()
    workspace: Workspace = HERE
    no_window: Annotated[bool, _NO_WINDOW] = False
    no_replay: Annotated[bool, _NO_REPLAY] = False
    quiet: Quiet = False
    on_desktop: Annotated[bool, _ON_DESKTOP] = False
