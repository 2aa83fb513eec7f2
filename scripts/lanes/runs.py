"""Runs what changed files reach, what is named, or whole areas."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from scripts.lanes.areas import WINDOWS, Green, find_area, read_today, write_costs, write_green
from scripts.lanes.changes import list_changes, list_latest, name_commit
from scripts.lanes.crew import Task
from scripts.lanes.house import House, say
from scripts.lanes.parts import Part, start_part
from scripts.lanes.selection import sort_nearest
from scripts.lanes.verdicts import Verdicts

BIN = Path(sys.executable).parent
TRIES = 2
WINDOWS_LIMIT_S = 2400.0


def run_near(house: House, reference: str, seconds: float) -> int:
    """Run what the changed files reach, the nearest first.

    Args:
        house: The tree.
        reference: The commit since which files count as changed; empty for what isn't committed, or else the last commit.
        seconds: After how many no file is begun.
    """
    since, changed = (reference, list_changes(house.root, reference)) if reference else list_latest(house.root)
    distances = house.reach.measure(changed)
    nearest = sort_nearest(distances, house.known)
    # What takes half the time alone would end long after it, unless it is what changed.
    order = [file for file in nearest if not distances[file] or house.known.cost(file) <= seconds / 2]
    say(f"{len(changed)} files changed since {since}; {len(nearest)} files of tests are reached")
    if long := sorted(set(nearest) - set(order)):
        say(f"too long for this lane: {', '.join(long)}")
    if house.only_lists or not order:
        print(*order, sep="\n")
        return 0
    types = start_types(house, changed)
    code = conclude(house, house.run(map(Task, order), limit_s=seconds))
    if types:
        types.wait(time.monotonic() + seconds)
        print("types, by ty (in CI pyright decides):", types.read_words().rstrip(), sep="\n")
    return code


def start_types(house: House, changed: Iterable[str]) -> Part | None:
    """Start a look at the types of the Python files that changed; None where none did."""
    files = [file for file in changed if file.endswith(".py") and (house.root / file).exists()]
    command = [
        str(BIN / "ty"),
        "check",
        "--exit-zero",
        "--no-progress",
        "--output-format",
        "concise",
        "--python",
        str(BIN.parent),
    ]
    return start_part("types", [*command, *files], house.folder, house.root) if files else None


def run_paths(house: House, arguments: Sequence[str]) -> int:
    """Run files, folders or tests that are named; what names none is an option of pytest."""
    tasks, options = read_paths(house.root, arguments)
    return conclude(house, house.run(tasks or [Task(file) for file in house.reach.tests], options=options))


def read_paths(root: Path, arguments: Iterable[str]) -> tuple[list[Task], list[str]]:
    """Return the files and tests that arguments name, and the arguments that name none."""
    files: dict[str, list[str]] = {}
    options: list[str] = []
    for argument in arguments:
        name, _, test = argument.partition("::")
        path = root / name
        if argument.startswith("-") or not path.exists():
            options.append(argument)
        elif path.is_dir():
            files |= {found.relative_to(root).as_posix(): [] for found in sorted(path.rglob("test_*.py"))}
        else:
            files.setdefault(path.relative_to(root).as_posix(), []).extend([argument] if test else [])
    return [Task(file, tuple(tests)) for file, tests in files.items()], options


def run_full(house: House, names: Sequence[str]) -> int:
    """Run whole areas, and note those that are green.

    Args:
        house: The tree.
        names: The areas; `all` for every one.
    """
    areas = house.known.areas
    wanted = [area.name for area in areas] + [WINDOWS] if "all" in names else list(names)
    codes: list[int] = []
    for name in wanted:
        say(f"=== {name}")
        began_s = time.monotonic()
        commit = name_commit(house.root)
        if name == WINDOWS:
            code, tests = run_windows(house, ())
        else:
            files = [file for file in house.known.texts if find_area(file, areas).name == name]
            verdicts = house.run(map(Task, files), tries=TRIES, thorough=True)
            code, tests = conclude(house, verdicts), len(verdicts.outcomes)
            if not verdicts.unreadable:
                write_costs(verdicts.spent, house.known.texts)
        codes.append(code)
        if not code:
            write_green(name, Green(commit, read_today(), tests, round(time.monotonic() - began_s)), house.greens_file)
    return max(codes)


def run_windows(house: House, suites: Sequence[str]) -> tuple[int, int]:
    """Run the tests on Windows; return the exit code, and how many passed."""
    part = start_part(WINDOWS, [sys.executable, "scripts/test.py", "--windows", *suites], house.folder, house.root)
    part.wait(time.monotonic() + WINDOWS_LIMIT_S)
    words = part.read_words()
    print(words)
    return part.code or 0, count_passed(words)


def count_passed(words: str) -> int:
    """Return how many tests passed, by pytest's own closing line."""
    counts = [
        word for word, behind in zip(words.split(), words.split()[1:], strict=False) if behind.startswith("passed")
    ]
    return int(counts[-1]) if counts and counts[-1].isdecimal() else 0


def conclude(house: House, verdicts: Verdicts) -> int:
    """Print what came of a run, and return its exit code."""
    print(*verdicts.write_failures(), *verdicts.write_tables(), *verdicts.write_names(), sep="\n")
    if verdicts.cut:
        say(f"not begun for lack of time: {len(verdicts.cut)} files, from {verdicts.cut[0]} on")
    say(f"{verdicts.sum_up()} in {house.measure_minutes():.1f} min")
    return verdicts.code
