"""Which files of tests a lane runs, and which it leaves for another day."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scripts.lanes.areas import Area, Green, find_area, guess_cost
from scripts.lanes.crew import Task

REACHED_S = 250.0
"""CPU seconds for what the change reaches, beside what always runs."""
PARTS = 14
"""Days in which the rotation comes to everything."""
_PROMISE = re.compile(r"^\| R\d+ \|.*?`(tests/[^`]*/test_[^`/]+\.py::[^`]+)`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Known:
    """What a lane is chosen from.

    Attributes:
        texts: The text of each file of tests.
        costs: CPU seconds of each file that was measured.
        areas: The areas.
        greens: When each was last green.
    """

    texts: Mapping[str, str]
    costs: Mapping[str, float]
    areas: Sequence[Area]
    greens: Mapping[str, Green] = field(default_factory=dict[str, Green])

    def cost(self, file: str) -> float:
        """Return the CPU seconds of a file, measured or guessed."""
        known = self.costs.get(file)
        return guess_cost(self.texts[file]) if known is None else known

    def area(self, file: str) -> Area:
        """Return the area of a file."""
        return find_area(file, self.areas)


@dataclass(slots=True)
class Selection:
    """What a lane runs.

    Attributes:
        tasks: The files, by why they run.
        cut: What is reached and left out for lack of time.
    """

    tasks: dict[str, list[Task]] = field(default_factory=dict[str, list[Task]])
    cut: list[str] = field(default_factory=list[str])

    def list_tasks(self) -> list[Task]:
        """Return all tasks."""
        return [task for tasks in self.tasks.values() for task in tasks]

    def describe(self, known: Known) -> list[str]:
        """Return a line for each reason: how many files, and what they cost."""
        lines = [
            f"{why}: {len(tasks)} files, about {sum(known.cost(task.file) for task in tasks):.0f} CPU-s"
            for why, tasks in self.tasks.items()
        ]
        return lines + (
            [f"reached and left out for lack of time: {len(self.cut)} files: {', '.join(self.cut)}"] if self.cut else []
        )


def list_journeys(promises: str) -> list[str]:
    """Return the test that CI runs for each promise of README: the first that its row names, suites apart.

    Args:
        promises: The text of docs/promises.md.
    """
    return list(dict.fromkeys(_PROMISE.findall(promises)))


def sort_nearest(distances: Mapping[str, float], known: Known) -> list[str]:
    """Return what a change reaches, the nearest first, of those as near the cheapest."""
    return sorted(distances, key=lambda file: (distances[file], known.cost(file), file))


def choose_ci(known: Known, distances: Mapping[str, float], journeys: Iterable[str], day: int) -> Selection:
    """Return what CI runs.

    Args:
        known: What there is.
        distances: What the change reaches, and how far it is.
        journeys: Tests that run in any case.
        day: The number of the day, which draws the rotation.
    """
    chosen = Selection()
    own = [file for file in known.texts if not known.area(file).is_for_full_only(file)]
    always = [file for file in own if known.area(file).always]
    taken = set(always)
    chosen.tasks["always"] = [Task(file) for file in always]
    near = [file for file in sort_nearest(distances, known) if file in own and file not in taken]
    reached, chosen.cut = _take_within(near, REACHED_S, known)
    taken.update(reached)
    chosen.tasks["reached"] = [Task(file) for file in reached]
    drawn = draw([file for file in own if file not in taken], known, day)
    taken.update(drawn)
    chosen.tasks["rotation"] = [Task(file) for file in drawn]
    named: dict[str, list[str]] = {}
    for test in journeys:
        file = test.partition("::")[0]
        if file not in taken:
            named.setdefault(file, []).append(test)
    chosen.tasks["journeys"] = [Task(file, tuple(tests)) for file, tests in named.items()]
    return chosen


def draw(files: Iterable[str], known: Known, day: int) -> list[str]:
    """Return today's fourteenth of files, by what they cost: in as many days, each has its turn.

    Those of the area that was green the longest ago come first.

    Args:
        files: What is left.
        known: What there is.
        day: The number of the day.
    """
    ordered = sorted(files, key=lambda file: hashlib.sha256(file.encode()).digest())
    total = sum(map(known.cost, ordered))
    drawn: list[str] = []
    before = 0.0
    for file in ordered:
        middle = before + known.cost(file) / 2
        before += known.cost(file)
        if total and int(middle / total * PARTS) == day % PARTS:
            drawn.append(file)
    dates = {name: green.date for name, green in known.greens.items()}
    return sorted(drawn, key=lambda file: dates.get(known.area(file).name, ""))


def _take_within(files: Iterable[str], limit_s: float, known: Known) -> tuple[list[str], list[str]]:
    """Return the files that fit into a budget, one after another, and those that don't."""
    taken: list[str] = []
    cut: list[str] = []
    spent = 0.0
    for file in files:
        if spent + known.cost(file) <= limit_s:
            taken.append(file)
            spent += known.cost(file)
        else:
            cut.append(file)
    return taken, cut
