"""Runs what CI runs: checks, tests and the smoke on Windows, beside each other."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable

from scripts.lanes.areas import WINDOWS
from scripts.lanes.house import House, is_ci, say
from scripts.lanes.parts import LATE, Part, start_part
from scripts.lanes.runs import TRIES, conclude
from scripts.lanes.selection import Selection, choose_ci
from scripts.lanes.verdicts import Verdicts
from tests.thoroughness import read_day

LIMIT_S = 45 * 60.0
"""Seconds after which CI ends itself and says which part was too slow."""
SMOKE = (
    "tests/core/addresses/test_path_judge.py",
    "tests/windows/test_judged_paths.py",
    "tests/windows/test_anchors.py",
    "tests/windows/test_named_pipes.py",
    "tests/windows/test_pycaw.py",
)
"""What of the tests on Windows CI runs: paths, a walk through files, a pipe, and the sound interfaces."""


def choose(house: House, since: str | None) -> Selection:
    """Return what CI runs.

    Args:
        house: The tree.
        since: The commit since which the change is; else since each area was last green.
    """
    return choose_ci(house.known, house.measure_change(since), house.journeys, read_day())


def run_ci(house: House, since: str | None) -> int:
    """Run everything and return the exit code."""
    chosen = choose(house, since)
    print(*chosen.describe(house.known), sep="\n", flush=True)
    if house.only_lists:
        rows = [(why, task) for why, tasks in chosen.tasks.items() for task in tasks]
        print(*(f"{why} {' '.join(task.only) or task.file}" for why, task in rows), sep="\n")
        return 0
    end_s = house.began_s + LIMIT_S
    began_s = time.monotonic()
    parts = start_parts(house)
    try:
        verdicts = house.run(chosen.list_tasks(), tries=TRIES, end_s=end_s)
        tests_s = time.monotonic() - began_s
        codes = [part.wait(end_s) for part in parts]
    finally:
        for part in parts:
            part.end()
    codes.append(conclude(house, verdicts))
    for part in parts:
        print(f"=== {part.name}", part.read_words().rstrip(), sep="\n")
    tell_areas(house, chosen)
    tell_parts(house, tests_s, verdicts, parts)
    print(verdicts.close(), flush=True)
    return max(codes)


def start_parts(house: House) -> list[Part]:
    """Start what runs beside the tests."""
    commands = {"checks": ["scripts/check.py", "--skip", "sizes"]}  # the tests hold those
    if is_ci() or shutil.which("wine"):
        commands[WINDOWS] = ["scripts/test.py", "--windows", *SMOKE]
    else:
        say("left out: the smoke on Windows, since wine isn't installed; with CI=true it is installed")
    return [
        start_part(name, [sys.executable, *command], house.folder, house.root) for name, command in commands.items()
    ]


def tell_areas(house: House, chosen: Selection) -> None:
    """Say which areas the change touches and when each was last green: whoever changed it runs it whole."""
    files = [*(task.file for task in chosen.tasks["reached"]), *chosen.cut]
    for name in sorted({house.known.area(file).name for file in files}):
        green = house.known.greens.get(name)
        last = f"last green on {green.date}, {green.commit}, {green.tests} tests" if green else "never noted as green"
        say(f"the change touches {name} ({last}): run scripts/test.py --full {name}")


def tell_parts(house: House, tests_s: float, verdicts: Verdicts, parts: Iterable[Part]) -> None:
    """Say what took how long, and which part was not done in time."""
    seconds = {"set-up": house.set_up_s, "tests": tests_s, **{part.name: part.seconds for part in parts}}
    minutes = ", ".join(f"{name} {spent / 60:.1f}" for name, spent in seconds.items())
    say(f"minutes: {minutes}; all {house.measure_minutes():.1f}")
    late = [part.name for part in parts if part.code == LATE] + (["tests"] if verdicts.is_stopped else [])
    if late:
        say(f"too slow: {', '.join(late)} not done after {LIMIT_S / 60:.0f} minutes")
