"""The command that writes down what a person does."""

import typer

from agent.cli.declaring import command
from agent.cli.options import DOING
from agent.cli.recording.wishes import RecordWish

app = typer.Typer()


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
