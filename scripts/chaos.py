"""Breaks things on purpose and counts: `python3 scripts/chaos.py NAME [options] [--json FILE]`.

Names: kill, journal, resolver, egress, leaks, journeys, serve, redteam. Each says its options with `--help`, prints a table of counts, and ends with 0 only
if every promise was kept. With `--json FILE` it also writes `{"name", "figures", "samples", "machine"}`.
"""

import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts import bench
from scripts.setup import machine

ROOMS = {"kill": "kills.kill"}
NAMES = ("kill", "journal", "resolver", "egress", "leaks", "journeys", "serve", "redteam")


def main() -> int:
    """Run the named trial and return its exit code; 2 if there is no such."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in NAMES:
        sys.stderr.write(f"{__doc__}\n")
        return 0 if name in {"-h", "--help"} else 2
    if not bench.runs_in_own_environment():
        return bench.start_again(Path(__file__))
    machine.ensure()
    return import_module(f"scripts.chaos_trials.{ROOMS.get(name, name)}").main(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
