"""What every lane needs: the tree, what is known of its tests, and a crew to run them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from scripts.lanes.areas import find_area, read_areas, read_costs, read_greens
from scripts.lanes.changes import is_held, list_changes, list_latest
from scripts.lanes.crew import Crew, Task, Terms
from scripts.lanes.reach import Reach
from scripts.lanes.selection import Known, list_journeys
from scripts.lanes.verdicts import Verdicts
from tests.thoroughness import DAY, THOROUGH, read_day

SET_UP = "SUREHAND_SET_UP_S"
TELL_S = 30.0
"""Seconds between two words on how far the tests are."""


def read_set_up_s() -> float:
    """Return how many seconds the set-up took, as `scripts/test.py` says."""
    return float(os.environ.get(SET_UP, "0"))


@dataclass
class House:
    """A tree of tests.

    Attributes:
        root: Where it is.
        folder: For what is kept while a lane runs.
        workers: How many processes run tests.
        stops_early: Whether the first failure ends a run.
        only_lists: Whether nothing is run.
        began_s: When the lane began, its set-up included.
        set_up_s: How long the set-up took.
    """

    root: Path
    folder: Path
    workers: int = 2
    stops_early: bool = False
    only_lists: bool = False
    began_s: float = field(default_factory=lambda: time.monotonic() - read_set_up_s())
    set_up_s: float = field(default_factory=read_set_up_s)

    @property
    def greens_file(self) -> Path:
        """Where it is kept when each area was last green."""
        return self.root / "docs" / "lanes.toml"

    @cached_property
    def reach(self) -> Reach:
        """What leads to what."""
        return Reach(self.root)

    @cached_property
    def known(self) -> Known:
        """What a lane is chosen from."""
        texts = {file: self.reach.texts[file] for file in self.reach.tests}
        return Known(texts, read_costs(), read_areas(), read_greens(self.greens_file))

    @property
    def journeys(self) -> list[str]:
        """The test that CI runs for each promise of README."""
        return list_journeys((self.root / "docs" / "promises.md").read_text(encoding="utf-8"))

    def measure_change(self, since: str | None) -> dict[str, float]:
        """Return which tests the change reaches, and how far they are.

        Args:
            since: A commit; else, for each area, that of which it was last green, and the last commit for those that never were.
        """
        if since:
            return self.reach.measure(list_changes(self.root, since))
        distances: dict[str, float] = {}
        latest = self.reach.measure(list_latest(self.root)[1])
        measured: dict[str, dict[str, float]] = {}
        for area in self.known.areas:
            green = self.known.greens.get(area.name)
            commit = green.commit.rstrip("+") if green else ""
            if is_held(self.root, commit):
                if commit not in measured:
                    measured[commit] = self.reach.measure(list_changes(self.root, commit))
                found = measured[commit]
            else:
                found = latest
            distances |= {file: far for file, far in found.items() if find_area(file, self.known.areas) is area}
        return distances

    def run(
        self,
        tasks: Iterable[Task],
        *,
        tries: int = 1,
        thorough: bool = False,
        limit_s: float = 0.0,
        end_s: float = 0.0,
        options: Iterable[str] = (),
    ) -> Verdicts:
        """Run files of tests; those that take longest come first where all are run.

        Args:
            tasks: The files.
            tries: How often a test that fails is run, at most.
            thorough: Whether every case and all examples are gone through.
            limit_s: After how many seconds no further file is begun, in the order given; 0 for no limit.
            end_s: When everything is ended, as `time.monotonic` counts; 0 for never.
            options: What pytest is given.
        """
        listed = list(tasks)
        if not limit_s:
            listed.sort(key=lambda task: -self.known.cost(task.file) if task.file in self.known.texts else 0.0)
        environment: Mapping[str, str] = {DAY: str(read_day()), **({THOROUGH: "1"} if thorough else {})}
        terms = Terms(self.workers, tries, self.stops_early, limit_s, end_s, tuple(options), environment)
        return Crew(listed, self.folder, terms, self.root).run(Teller(len(listed)))

    def measure_minutes(self) -> float:
        """Return how long this lane has run."""
        return (time.monotonic() - self.began_s) / 60


class Teller:
    """Says now and then how far the tests are, and at once what fails."""

    def __init__(self, files: int) -> None:
        """Know how many files there are."""
        self._files = files
        self._began_s = self._told_s = time.monotonic()
        self._failed: set[str] = set()

    def __call__(self, verdicts: Verdicts) -> None:
        """Hear that something came of the tests."""
        for name in {*verdicts.failures, *verdicts.unreadable} - self._failed:
            say(f"FAILED {name}")
            self._failed.add(name)
        now_s = time.monotonic()
        if now_s - self._told_s >= TELL_S:
            self._told_s = now_s
            done = f"{len(verdicts.spent)} of {self._files} files, {len(verdicts.outcomes)} tests"
            say(f"{(now_s - self._began_s) / 60:5.1f} min: {done}, {len(self._failed)} failed")


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


def is_ci() -> bool:
    """Tell whether nothing may be left out in silence."""
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}
