"""Programs on a terminal of their own, which is everything at once: input, output and errors, as people have it."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from fixtures.machine.signals import heed_signals

if sys.platform != "win32":
    import termios


@contextmanager
def open_terminal(
    folder: Path, *command: str, columns: int = 80, **variables: str
) -> Generator[tuple[FileIO, subprocess.Popen[bytes]]]:
    """Start a program on a terminal of its own; yield our end of that, and the program, which doesn't outlive it."""
    number, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    with FileIO(number, "r+") as ours:
        inherited = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
        }  # readline's
        environment = inherited | {"TERM": "xterm-256color"} | variables
        with heed_signals():
            process = subprocess.Popen(command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        try:
            yield ours, process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def read_screen(terminal: FileIO, until: bytes = b"") -> bytes:
    """Return what is written up to some words, or to the end."""
    written = b""
    try:
        while not until or until not in written:
            written += os.read(terminal.fileno(), 4096)
    except OSError:  # how Linux tells that the other end is closed
        assert not until, written
    return written
