"""Sets up what the tests need, then runs a lane of them: `python3 scripts/test.py`; `--help` tells of the lanes.

With `--windows [pytest arguments]` they run on a Windows that wine provides; see `windows_lane.py`. For a debugger, name a file and `-s` or
`--pdb`: such arguments go to one process of pytest.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import MutableMapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import bootstrap, everything, windows_lane

ALONE = ("-n", "-s", "--pdb", "--trace", "--co", "--collect-only")
LIGHT = ("--near", "-h", "--help", "--list")


def keep_bytecode(environment: MutableMapping[str, str]) -> None:
    """Have Python keep what it compiles beside the installed packages, where it is told to keep nothing beside the sources.

    Each process would rewrite the asserts of its tests anew, and each program that a test starts would compile itself.
    """
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        environment.setdefault("PYTHONPYCACHEPREFIX", str(bootstrap.VENV / "bytecode"))


def main() -> int:
    """Run the tests and return the exit code, 1 also when they could not be set up."""
    arguments = sys.argv[1:]
    began_s = time.monotonic()
    os.chdir(bootstrap.ROOT)
    try:
        if arguments[:1] == ["--windows"]:
            return windows_lane.main(arguments[1:])
        keep_bytecode(os.environ)
        if any(argument in LIGHT for argument in arguments):
            bootstrap.prepare("dev")  # what runs at once installs nothing on the machine
        else:
            everything.prepare_tests()
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("setup: stopped; run this again to go on\n")
        return 130
    os.environ["SUREHAND_SET_UP_S"] = f"{time.monotonic() - began_s:.1f}"
    alone = any(argument.startswith(ALONE) and not argument.startswith("--near") for argument in arguments)
    return bootstrap.hand_over([str(bootstrap.PYTHON), "-m", "pytest" if alone else "scripts.lanes.lanes", *arguments])


if __name__ == "__main__":
    sys.exit(main())
