"""Starting programs that outlive this one: a session of their own, no terminal, and nothing inherited but the environment."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from core.base.errors import ActionError

_WORDS_BYTES = 4_000
_WINDOWS_FLAGS = 0x0000_0008 | 0x0000_0200  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP


class DetachedProcess(subprocess.Popen[bytes]):
    """A process that may go on after its handle is gone."""

    def __del__(self) -> None:
        """Say nothing: that it still runs is what it is for."""


class Detached:
    """A program that was started, and what it says.

    What it says goes into a file without a name, as it would go into a log of the desktop: a pipe would end the program
    with its reader.
    """

    def __init__(self, process: DetachedProcess, words: IO[bytes]) -> None:
        self.process = process
        self._words = words

    @property
    def program(self) -> str:
        """The path of the program."""
        args = self.process.args
        return str(args[0]) if isinstance(args, list) else str(args)

    @property
    def exit_code(self) -> int | None:
        """What it ended with; None while it lives. Asking collects it."""
        return self.process.poll()

    def last_words(self) -> str:
        """Return the end of what it said."""
        if self._words.closed:
            return ""
        size = self._words.seek(0, 2)
        self._words.seek(max(0, size - _WORDS_BYTES))
        return self._words.read().decode(errors="replace").strip()

    def let_go(self) -> None:
        """Close our end of its file."""
        self._words.close()


def start_detached(argv: Sequence[str], folder: Path, variables: Mapping[str, str]) -> Detached:
    """Start a program by its path, which no shell reads; blocks for as long as the system takes for that.

    Raises:
        ActionError: ``app_failed`` if the system can't start it.
    """
    with ExitStack() as stack:
        words = stack.enter_context(tempfile.TemporaryFile("a+b"))
        try:
            process = DetachedProcess(
                list(argv),
                cwd=folder,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                creationflags=_WINDOWS_FLAGS if sys.platform == "win32" else 0,
            )
        except (OSError, ValueError) as error:
            raise ActionError(
                f"The system can't start {argv[0]}: {error}.",
                code="app_failed",
                hint="Check that it is a program for this machine and is executable.",
                evidence={"argv": list(argv), "folder": str(folder)},
            ) from error
        stack.pop_all()
    return Detached(process, words)
