"""Runs the tests again and again: `python3 scripts/test.py --repeat N [--windows] [pytest arguments]`.

A test that fails in some runs and passes in others flickers: its cause is a race in it or in the product. All of them are named
at the end, with how often they failed; none is expected. Ends with 0 where all runs passed, with 1 where a test failed, and with
the code of a run that broke off, after which there is no further one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

from scripts import second_runs

if TYPE_CHECKING:
    from pathlib import Path

OPTION = "--repeat"
USAGE = f"{OPTION} needs how many runs: a whole number, at least 1\n"
_MISUSED = 2


def main(arguments: list[str]) -> int:
    """Run the tests as often as the first argument says, and print which flicker.

    Args:
        arguments: How often, and what each run of `scripts/test.py` is given.

    Returns:
        The exit code.
    """
    if not arguments or not arguments[0].isdecimal() or int(arguments[0]) < 1:
        sys.stderr.write(USAGE)
        return _MISUSED
    options = arguments[1:]
    lane = second_runs.LANES["--windows" in options[:1]]
    code, failures, runs = run_lane(lane, int(arguments[0]), options)
    if runs < int(arguments[0]):
        print(f"run {runs + 1} broke off")
    print(tell(failures, runs), flush=True)
    return code


def run_lane(
    lane: second_runs.Lane, runs: int, options: list[str], tests: Path = second_runs.TESTS
) -> tuple[int, Counter[str], int]:
    """Run the tests of a lane several times, each time as if it were the first.

    Args:
        lane: The lane.
        runs: How many times.
        options: What the script is given, those of the lane included.
        tests: The script that runs them.

    Returns:
        The exit code, how often each test failed that did, and how many runs came to their end.
    """
    failures: Counter[str] = Counter()
    for run in range(1, runs + 1):
        print(f"run {run} of {runs}", flush=True)
        shutil.rmtree(lane.cache, ignore_errors=True)
        code = subprocess.run([sys.executable, str(tests), *options], cwd=second_runs.ROOT, check=False).returncode
        failed = second_runs.read_failed(lane.cache) if code == second_runs.FAILED else set[str]()
        if code and not failed:
            return code, failures, run - 1  # it broke off, or could not begin: its tests have neither passed nor failed
        failures.update(failed)
    return (second_runs.FAILED if failures else 0), failures, runs


def tell(failures: Counter[str], runs: int) -> str:
    """Return which tests failed in some runs and passed in others, then which failed in all."""
    some = [f"  {name} (failed in {count} of {runs})" for name, count in sorted(failures.items()) if count < runs]
    always = [f"  {name}" for name, count in sorted(failures.items()) if count >= runs]
    lines = [f"failed in some of {runs} runs and passed in others: {len(some)}", *some]
    return "\n".join(lines + ([f"failed in every run: {len(always)}", *always] if always else []))
