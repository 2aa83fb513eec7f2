"""Runs the tests of both lanes, and what failed once more with nothing else going on: `python3 scripts/second_runs.py`.

What fails beside a whole suite of real browsers, desktops and sound servers gets a second run. What passes only then is counted and
named at the end: it is forgiven, and it is to be mended. Ends with the exit code of the first lane that fails, or with 0.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "scripts" / "test.py"
FAILED = 1
"""Code of a run whose tests failed. A run that broke, lost a worker or could not collect a file has told nothing about the others."""

_AGAIN = ("--last-failed", "--last-failed-no-failures=none")  # a second run without tests fails, with code 5


@dataclass(frozen=True)
class Lane:
    """Where the tests run.

    Attributes:
        name: What it is called.
        options: Of `scripts/test.py`.
        alone: Further ones with which nothing goes on beside a test.
        cache: Where pytest keeps which tests failed.
    """

    name: str
    options: tuple[str, ...]
    alone: tuple[str, ...]
    cache: Path


LANES = (
    # A process of its own, one after the other: whoever crashes fails that test, and the rest goes on in the next process.
    Lane("here", (), ("-n", "1"), ROOT / ".pytest_cache"),
    Lane("on Windows", ("--windows",), (), ROOT / ".wine" / "prefix" / "drive_c" / "pytest-cache"),
)


def main() -> int:
    """Run all lanes and print what passed only the second time."""
    forgiven: list[str] = []
    code = 0
    for lane in LANES:
        code, names = run_lane(lane)
        forgiven += [f"{name} ({lane.name})" for name in names]
        if code:
            break
    print(tell(forgiven), flush=True)
    return code


def run_lane(lane: Lane, tests: Path = TESTS) -> tuple[int, list[str]]:
    """Run the tests of a lane, and those that failed again.

    Args:
        lane: The lane.
        tests: The script that runs them.

    Returns:
        The exit code, and the ids of the tests that passed only the second time.
    """
    command = [sys.executable, str(tests), *lane.options]
    shutil.rmtree(lane.cache, ignore_errors=True)  # what failed in an earlier run is forgotten
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    if code != FAILED:
        return code, []
    first = read_failed(lane.cache)
    code = subprocess.run([*command, *_AGAIN, *lane.alone], cwd=ROOT, check=False).returncode
    if code not in {0, FAILED}:
        return code, []  # it broke off, and nobody knows what would have passed
    return code, sorted(first - read_failed(lane.cache))


def read_failed(cache: Path) -> set[str]:
    """Return the ids of the tests that failed, as pytest keeps them; nothing where it keeps none."""
    file = cache / "v" / "cache" / "lastfailed"
    try:
        return set(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return set()


def tell(forgiven: list[str]) -> str:
    """Return how many tests passed only the second time, and which."""
    return "\n".join([f"passed only the second time: {len(forgiven)}", *(f"  {name}" for name in forgiven)])


if __name__ == "__main__":
    sys.exit(main())
