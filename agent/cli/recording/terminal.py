"""The terminal of a person who records: each step once it is over, what is asked, and the keys that they press."""

import asyncio
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

from agent.cli.screen.output import write_error_text
from agent.recording.recording_log import RecordedLog
from agent.recording.steps import RecordedStep, tell_expectation, tell_step

if sys.platform != "win32":
    import termios
    import tty

QUIET_S = 1.2
"""Seconds of quiet after which the latest step is taken for whole."""


class RecordingLines:
    """Writes lines for steps; one that turns out to be undone is told, too."""

    def __init__(self, log: RecordedLog, *, quiet: bool) -> None:
        """Show a recording; nothing until the end where it is to be quiet."""
        self._log = log
        self._quiet = quiet
        self._shown: dict[str, str] = {}
        self._asked = ""
        self._timer: asyncio.TimerHandle | None = None

    def refresh(self) -> None:
        """Show what is over by now, and the rest when nothing more comes."""
        self._show(self._log.steps[:-1])
        self.close()
        self._timer = asyncio.get_running_loop().call_later(QUIET_S, self._show_all)

    def close(self) -> None:
        """Show nothing more."""
        if self._timer:
            self._timer.cancel()

    def write(self, line: str) -> None:
        """Write a line."""
        if not self._quiet:
            write_error_text(f"{line}\n")

    def _show_all(self) -> None:
        self._show(self._log.steps)
        question = self._log.question
        if question and question.key != self._asked:
            self._asked = question.key
            self.write(f"    expect {tell_expectation(question)}? Enter or e accepts, s skips.")

    def _show(self, steps: Sequence[RecordedStep]) -> None:
        keys = {step.key for step in self._log.steps}
        for key in [each for each in self._shown if each not in keys]:
            self.write(f"  - undone: {self._shown.pop(key)}")
        for step in steps:
            text = tell_step(step)
            if step.key not in self._shown:
                self.write(f"  + {text}")
            self._shown[step.key] = text


@contextmanager
def hear_keys(hear: Callable[[str], None], *, is_wanted: bool) -> Generator[None]:
    """Tell each key that is pressed at the terminal; its settings are as before afterwards."""
    if not is_wanted or sys.platform == "win32":
        yield
        return
    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        try:
            keys = os.read(number, 64)
        except OSError:
            keys = b""
        if not keys:  # the terminal is gone
            loop.remove_reader(number)
        for key in keys.decode("utf-8", "ignore"):
            hear(key)

    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    loop.add_reader(number, read)
    try:
        yield
    finally:
        loop.remove_reader(number)
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(number, termios.TCSADRAIN, before)
