"""Runs a lane of the tests. `scripts/test.py`, which sets up first, is the way to it.

scripts/test.py                      what CI runs: checks, all that is pure, a journey a promise, what the change reaches, a rotation
scripts/test.py --near [REF]         what the changed files reach, the nearest first, for `--seconds` of time
scripts/test.py --full AREA [AREA]   whole areas, with every case and many examples; `all` for all of them
scripts/test.py --repeat N [PATH]    the same tests again and again, none tried twice: names what flickers
scripts/test.py PATH [OPTION]        files or folders of tests; other options go to pytest
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from scripts.lanes.areas import WINDOWS, read_areas
from scripts.lanes.changes import is_known
from scripts.lanes.ci import run_ci
from scripts.lanes.house import House
from scripts.lanes.repeats import run_repeatedly
from scripts.lanes.runs import run_full, run_near, run_paths

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 45.0


def make_parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    names = [*(area.name for area in read_areas()), WINDOWS, "all"]
    parser = argparse.ArgumentParser(
        prog="scripts/test.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--near", nargs="?", const="", metavar="REF", help="since a commit; else what isn't committed")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help=f"of --near, after which no file is begun ({SECONDS:g})"
    )
    parser.add_argument("--full", nargs="+", choices=names, metavar="AREA", help=", ".join(names))
    parser.add_argument("--repeat", type=int, metavar="N", help="how many times")
    parser.add_argument("--since", metavar="REF", help="what the change is, for CI: since this commit")
    parser.add_argument("--workers", type=int, default=(os.cpu_count() or 2) + 1, help="processes that run tests")
    parser.add_argument("-x", "--exitfirst", action="store_true", help="stop at the first failure")
    parser.add_argument("--list", action="store_true", help="print what CI or --near would run, and run nothing")
    return parser


def find_missing(asked: argparse.Namespace, rest: list[str]) -> str:
    """Return what is wrong with a commit or a path that isn't there; nothing where all are."""
    for reference in filter(None, (asked.near, asked.since)):
        if not is_known(ROOT, reference):
            return f"git knows no commit “{reference}” here"
    for name in (each.partition("::")[0] for each in rest):
        if not name.startswith("-") and ("/" in name or name.endswith(".py")) and not (ROOT / name).exists():
            return f"there is no file or folder “{name}”"
    return ""


def main(arguments: list[str]) -> int:
    """Run a lane and return its exit code."""
    parser = make_parser()
    asked, rest = parser.parse_known_args(arguments)
    if missing := find_missing(asked, rest):
        parser.error(missing)
    with tempfile.TemporaryDirectory(prefix="surehand-tests-") as folder:
        house = House(ROOT, Path(folder), workers=asked.workers, stops_early=asked.exitfirst, only_lists=asked.list)
        if asked.repeat is not None:
            return run_repeatedly(house, asked.repeat, rest, asked.since)
        if asked.near is not None:
            return run_near(house, asked.near, asked.seconds)
        if asked.full:
            return run_full(house, asked.full)
        if rest:
            return run_paths(house, rest)
        return run_ci(house, asked.since)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
