"""Sets up what the tests need, then runs them: `python3 scripts/test.py [--windows] [pytest arguments]`.

With `--windows` they run on a Windows that wine provides; see `windows_lane.py`. With `--repeat N`, as the first argument, they
run N times, and what failed in some runs only is named; see `repeat.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts import repeat
from scripts.setup import bootstrap, chromium, kits, machine, windows_lane

ALONE = ("-n", "--numprocesses", "-s", "--pdb", "--trace", "--co", "--collect-only", "-h", "--help")


def keep_bytecode(environment: MutableMapping[str, str]) -> None:
    """Have Python keep what it compiles beside the installed packages, where it is told to keep nothing beside the sources.

    Each worker would rewrite the asserts of all tests anew, which is most of what finding them takes, and each program that a
    test starts would compile itself.
    """
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        environment.setdefault("PYTHONPYCACHEPREFIX", str(bootstrap.VENV / "bytecode"))


def main() -> int:
    """Run the tests and return pytest's exit code, or 1 when they could not be set up."""
    if sys.argv[1:2] == [repeat.OPTION]:
        return repeat.main(sys.argv[2:])
    try:
        if sys.argv[1:2] == ["--windows"]:
            os.chdir(bootstrap.ROOT)
            return windows_lane.main(sys.argv[2:])
        bootstrap.prepare("dev")
        chromium.ensure(bootstrap.PYTHON)
        machine.ensure()
        kits.ensure(bootstrap.PYTHON)
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("setup: stopped; run this again to go on\n")
        return 130
    arguments = sys.argv[1:]
    # One process for a debugger and for whoever names a number; else one per core, idle ones taking over what is left.
    alone = any(argument.startswith(ALONE) for argument in arguments)
    spread = [] if alone else ["-n", str(os.cpu_count() or 2), "--dist=worksteal"]
    os.chdir(bootstrap.ROOT)
    keep_bytecode(os.environ)
    return bootstrap.hand_over([str(bootstrap.PYTHON), "-m", "pytest", *spread, *arguments])


if __name__ == "__main__":
    sys.exit(main())
