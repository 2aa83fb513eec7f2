"""What came of a run of tests: counts, failures, what passed only the second time, and where the time went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scripts.lanes.times import write_lines
from tests.conformance_table import Told, collect_rows, write_table

FAILED = 1
BROKEN = 3
"""Code of a run that lost tests, or could not read a file: it tells nothing about the rest. As pytest's internal error."""


@dataclass(slots=True)
class Verdicts:
    """What came of the tests of a run.

    Attributes:
        outcomes: How each test ended: `passed`, `skipped`, `xfailed` or `failed`.
        failures: What each test that failed said.
        retried: What each test that passed only the second time said the first time.
        skipped: Why tests were skipped, and how many for that.
        unreadable: Files that could not be read, and why.
        cut: Files that were not begun.
        seconds: By the clock, of each test.
        spent: CPU seconds of each file, its reading included.
        told: What the conformance table is made of.
        is_stopped: Whether the run was ended before it was through.
    """

    outcomes: dict[str, str] = field(default_factory=dict[str, str])
    failures: dict[str, str] = field(default_factory=dict[str, str])
    retried: dict[str, str] = field(default_factory=dict[str, str])
    skipped: Counter[str] = field(default_factory=Counter[str])
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    cut: list[str] = field(default_factory=list[str])
    seconds: Counter[str] = field(default_factory=Counter[str])
    spent: Counter[str] = field(default_factory=Counter[str])
    told: list[Told] = field(default_factory=list[Told])
    is_stopped: bool = False

    @property
    def code(self) -> int:
        """The exit code of the run."""
        if self.unreadable or self.is_stopped or not self.outcomes:
            return BROKEN
        return FAILED if self.failures else 0

    def add(self, kind: str, message: dict[str, Any]) -> None:
        """Take what a process tells.

        Args:
            kind: `report`, of a part of a test; `retried` or `lost`, of a test; `unreadable` or `left out`, of a file.
            message: What it says of it.
        """
        words = message["words"]
        if kind == "unreadable":
            self.unreadable[message["file"]] = words
            return
        if kind == "left out":
            self.skipped[words] += 1
            return
        test = message["test"]
        if kind == "retried":
            self.retried[test] = words
        elif kind == "lost":
            self._fail(test, words)
        else:
            self._report(test, message)

    def _report(self, test: str, message: dict[str, Any]) -> None:
        outcome, when = message["outcome"], message["when"]
        self.seconds[test] += message["seconds"]
        if message["role"]:
            self.told.append(Told(message["role"], when, outcome, message["words"] if outcome == "skipped" else ""))
        if outcome == "failed":
            self._fail(test, f"{'' if when == 'call' else f'in {when}: '}{message['words']}")
        elif outcome == "skipped" and not message["is_part"]:
            self.outcomes.setdefault(test, "skipped" if message["words"] else "xfailed")
            self.skipped[message["words"]] += 1
        elif when == "call" and not message["is_part"]:
            self.outcomes.setdefault(test, "passed")

    def _fail(self, test: str, words: str) -> None:
        self.outcomes[test] = "failed"
        self.failures[test] = "\n".join(filter(None, (self.failures.get(test), words)))

    def sum_up(self) -> str:
        """Return the closing line, as pytest writes it."""
        counts = Counter(self.outcomes.values())
        kinds = [f"{counts[kind]} {kind}" for kind in ("failed", "passed", "skipped", "xfailed") if counts[kind]]
        broken = [f"{len(self.unreadable)} errors"] if self.unreadable else []
        return ", ".join([*kinds, *broken]) or "no tests ran"

    def close(self) -> str:
        """Return the plain closing line: how many passed, failed and were skipped."""
        counts = Counter(self.outcomes.values())
        failed = counts["failed"] + len(self.unreadable)
        return f"{counts['passed']} passed, {failed} failed, {counts['skipped'] + counts['xfailed']} skipped"

    def write_failures(self) -> list[str]:
        """Return what failed, with its words."""
        lines: list[str] = []
        for name, words in {**self.unreadable, **self.failures}.items():
            lines += [f"_____ {name} _____", words, ""]
        return lines

    def write_names(self) -> list[str]:
        """Return the names of what failed, what passed only the second time and why tests were skipped."""
        lines = [f"FAILED {name}" for name in [*self.unreadable, *self.failures]]
        seconds = [name for name in self.retried if name not in self.failures]
        lines.append(f"passed only the second time: {len(seconds)}")
        lines += [f"  {name}\n    first: {find_cause(self.retried[name])}" for name in seconds]
        lines += [f"SKIPPED {count} × {why}" for why, count in self.skipped.most_common()]
        return lines

    def write_tables(self) -> list[str]:
        """Return the conformance table and where the time went."""
        rows = collect_rows(self.told)
        lines = ["", "conformance", *write_table(rows)] if rows else []
        return [*lines, "", "time", *write_lines(self.seconds)] if self.seconds else lines


def find_cause(words: str) -> str:
    """Return the line of a failure that says what went wrong: pytest's first `E` line, else the last line."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("E ")), lines[-1] if lines else "")
