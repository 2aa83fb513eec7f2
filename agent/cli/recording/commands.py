"""The command that writes down what a person does."""

import asyncio

from agent.cli.asking import check_new_file, check_workspace
from agent.cli.declaring import command, make_group
from agent.cli.options import DOING
from agent.cli.recording.recordings import RecordWish
from agent.settings.settings import load_settings

app = make_group()


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
    if wish.on_desktop:
        from agent.cli.recording.desktop_recording import DesktopRecording as Kind
    else:
        from agent.cli.recording.page_recording import PageRecording as Kind
    check_workspace(wish.workspace)
    if wish.output:
        check_new_file(wish.output)
    recording = Kind(wish, load_settings(wish.workspace))
    with recording.kept:
        asyncio.run(recording.record())
        return recording.finish()
