"""Sets up what the tests need, then runs them: `python3 scripts/test.py [pytest arguments]`."""

from __future__ import annotations

import os
import subprocess
import sys

import bootstrap
import chromium


def main() -> int:
    """Run the tests and return pytest's exit code."""
    try:
        bootstrap.prepare("dev")
        chromium.ensure(bootstrap.PYTHON)
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 2
    arguments = sys.argv[1:]
    # One process for a debugger or for whoever chose a number; else one per core, idle ones taking over what is left.
    alone = any(argument.startswith(("-n", "--numprocesses", "--pdb", "--trace", "--collect-only", "--co")) or argument == "-s" for argument in arguments)
    spread = [] if alone else ["-n", str(os.cpu_count() or 2), "--dist=worksteal"]
    return subprocess.call([str(bootstrap.PYTHON), "-m", "pytest", *spread, *arguments], cwd=bootstrap.ROOT)


if __name__ == "__main__":
    sys.exit(main())
