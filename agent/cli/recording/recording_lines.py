"""What the terminal shows while somebody records: each step once it is over, and what is asked."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from agent.cli.screen.output import write_error_text
from agent.recording.step_lines import tell_expectation, tell_step
from agent.recording.steps import RecordedStep

QUIET_S = 1.2
"""Seconds of quiet after which the latest step is taken for whole."""


class ShownLog(Protocol):
    """What was recorded, as far as it is shown."""

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """What a flow of it would do by now."""
        ...

    @property
    def question(self) -> RecordedStep | None:
        """The latest step, where it has an expectation that nobody was asked about."""
        ...


class RecordingLines:
    """Writes lines for steps; one that turns out to be undone is told, too."""

    def __init__(self, log: ShownLog, *, quiet: bool) -> None:
        """Show a recording.

        Args:
            quiet: Whether nothing is shown until the end.
        """
        self._log = log
        self._quiet = quiet
        self._shown: dict[str, str] = {}
        self._asked = ""
        self._timer: asyncio.TimerHandle | None = None

    def refresh(self) -> None:
        """Show what is over by now, and the rest when nothing more comes."""
        self._show(self._log.steps[:-1])
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(QUIET_S, self._show_all)

    def close(self) -> None:
        """Show nothing more."""
        if self._timer:
            self._timer.cancel()

    def _show_all(self) -> None:
        self._show(self._log.steps)
        question = self._log.question
        if question and question.key != self._asked:
            self._asked = question.key
            self._write(f"    expect {tell_expectation(question)}? Enter or e accepts, s skips.")

    def _show(self, steps: Sequence[RecordedStep]) -> None:
        keys = {step.key for step in self._log.steps}
        for key in [each for each in self._shown if each not in keys]:
            self._write(f"  - undone: {self._shown.pop(key)}")
        for step in steps:
            text = tell_step(step)
            if step.key not in self._shown:
                self._write(f"  + {text}")
            self._shown[step.key] = text

    def _write(self, line: str) -> None:
        if not self._quiet:
            write_error_text(f"{line}\n")
