"""The command that writes down what a person does."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.options import BROWSER, DOING, HERE, LIMITS, OUTPUT, TASK, Hosts, Option, Quiet, Workspace

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

app = typer.Typer()


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


@command(
    app,
    "record",
    "surehand record shop.example -o order.yaml",
    "surehand record 127.0.0.1:8123/shop/ -o order.yaml --expect all",
    "surehand record shop.example -o order.yaml --no-window",
    "surehand record --desktop 'mousepad notes.txt' -o note.yaml",
    panel=DOING,
)
def record(wish: RecordWish) -> int:
    """Write down what you do on pages or in programs as a flow, and try it at once.

    A browser opens, or the program, in which you act as ever. What you undo is left out, and passwords are never written: the flow names a secret in their
    place. Close the window, press q here, or Ctrl-C when you are done.
    """
    from agent.cli.recording.recordings import record_flow

    if wish.on_desktop:
        from agent.cli.recording.desktop_recording import DesktopRecording as Kind
    else:
        from agent.cli.recording.page_recording import PageRecording as Kind
    return record_flow(wish, Kind)
