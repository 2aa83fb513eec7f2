"""The areas of the tests, what each file of them costs, and when each area was last green."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

FOLDER = Path(__file__).parent
COSTS = FOLDER / "costs.txt"
WINDOWS = "windows"
"""The area that runs on another system: it has no file of tests here."""

_A_TEST_S = 0.3  # CPU seconds of a test of which nothing is known


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the tests that is run whole.

    Attributes:
        name: What it is called.
        about: What is proved there.
        tests: Globs of its files.
        always: Whether CI runs all of it.
        bench: Globs of the files that only the full lane runs.
    """

    name: str
    about: str
    tests: tuple[str, ...]
    always: bool = False
    bench: tuple[str, ...] = ()

    def is_for_full_only(self, file: str) -> bool:
        """Tell whether a file runs in the full lane only."""
        return any(PurePosixPath(file).match(glob) for glob in self.bench)


def read_areas(path: Path = FOLDER / "areas.toml") -> list[Area]:
    """Return the areas in the order in which they claim files."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["area"]
    return [
        Area(row["name"], row["about"], tuple(row["tests"]), row.get("always", False), tuple(row.get("bench", ())))
        for row in rows
    ]


def find_area(file: str, areas: Iterable[Area]) -> Area:
    """Return the area of a file of tests; the last one takes all."""
    return next(area for area in areas if any(_fits(file, glob) for glob in area.tests))


def _fits(file: str, glob: str) -> bool:
    """Tell whether a glob from the root names a path; `*` stands for one step."""
    return file.count("/") == glob.count("/") and PurePosixPath(file).match(glob)


def read_costs(path: Path = COSTS) -> dict[str, float]:
    """Return the CPU seconds of each file of tests, as they were last measured; nothing where none were."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {file: float(seconds) for seconds, _, file in (line.partition(" ") for line in lines)}


def guess_cost(text: str) -> float:
    """Return what a file of tests may cost of which nothing is known, by its text."""
    return _A_TEST_S * max(1, text.count("def test_"))


def write_costs(fresh: Mapping[str, float], known: Iterable[str], path: Path = COSTS) -> None:
    """Keep what files cost; those that are gone are left out.

    Args:
        fresh: CPU seconds of the files that have just been run.
        known: All files of tests that there are.
        path: The file.
    """
    costs = {**read_costs(path), **fresh}
    lines = [f"{costs[file]:.2f} {file}\n" for file in sorted(set(known) & costs.keys())]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Green:
    """When an area was last green.

    Attributes:
        commit: Of which commit.
        date: The day, as 2026-01-31.
        tests: How many ran.
        seconds: By the clock.
    """

    commit: str
    date: str
    tests: int
    seconds: int


def read_greens(path: Path) -> dict[str, Green]:
    """Return the areas that were ever green, by name."""
    if not path.exists():
        return {}
    return {name: Green(**row) for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def write_green(name: str, green: Green, path: Path) -> None:
    """Note that an area is green."""
    rows = {**read_greens(path), name: green}
    head = "# When each area of the tests was last green as a whole; `scripts/test.py --full AREA` writes it.\n"
    blocks = [
        f'\n[{each}]\ncommit = "{row.commit}"\ndate = "{row.date}"\ntests = {row.tests}\nseconds = {row.seconds}\n'
        for each, row in sorted(rows.items())
    ]
    path.write_text(head + "".join(blocks), encoding="utf-8", newline="\n")


def read_today() -> str:
    """Return the day, as it is written beside an area."""
    return dt.datetime.now(tz=dt.UTC).date().isoformat()
