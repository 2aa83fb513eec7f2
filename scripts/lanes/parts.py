"""Parts of a lane that run beside its tests, each in a process of its own whose words are shown when it has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

END_S = 10.0
LATE = 124


@dataclass(slots=True)
class Part:
    """A command that runs beside others.

    Attributes:
        name: What it is called.
        process: It.
        log: What it prints.
        started_s: When it began.
        seconds: How long it took, by the clock; 0 while it runs.
        code: Its exit code; None until somebody waited for it.
        watch: What waits for its end.
    """

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    started_s: float
    seconds: float = 0.0
    code: int | None = None
    watch: Thread = field(default_factory=Thread)

    def __post_init__(self) -> None:
        """Watch for the end, so that its time is known however late somebody asks."""
        self.watch = Thread(target=self._watch, daemon=True)
        self.watch.start()

    def _watch(self) -> None:
        self.process.wait()
        self.seconds = time.monotonic() - self.started_s

    def wait(self, end_s: float) -> int:
        """Wait for the end, until a moment of `time.monotonic`; then it is ended, with a code of its own."""
        self.watch.join(max(0.0, end_s - time.monotonic()))
        is_late = self.watch.is_alive()
        if is_late:
            self.end()
            self.watch.join()
        self.code = LATE if is_late else self.process.wait()
        return self.code

    def end(self) -> None:
        """End it with all that it started."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(END_S)
            except ProcessLookupError:
                return
            except subprocess.TimeoutExpired:
                continue

    def read_words(self) -> str:
        """Return what it printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")


def start_part(name: str, command: Sequence[str], folder: Path, root: Path) -> Part:
    """Start a part.

    Args:
        name: What it is called.
        command: The program and its arguments.
        folder: Where its words are kept.
        root: Where it runs.
    """
    log = folder / f"{name}.log"
    with log.open("wb") as words:
        process = subprocess.Popen(
            list(command),
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return Part(name, process, log, time.monotonic())
