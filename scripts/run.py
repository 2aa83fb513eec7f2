"""Sets up the program, then starts it.

`python3 scripts/run.py` serves the fixture shop and performs the demo on it; `python3 scripts/run.py ARGS…` is `surehand ARGS…`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import bootstrap, chromium
from scripts.setup.system import say

DEMO = bootstrap.ROOT / "scripts" / "setup" / "demo.py"


def main() -> int:
    """Start the demo or the command, and return its exit code, or 1 when it could not be set up."""
    arguments = sys.argv[1:]
    try:
        installed = bootstrap.prepare("base")
        if installed or not arguments:
            find_browser(required=not arguments)
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("setup: stopped; run this again to go on\n")
        return 130
    if not arguments:
        return bootstrap.hand_over([str(bootstrap.PYTHON), str(DEMO)])
    # As a script of the interpreter: a start line in the file fails when the path is long or has a space.
    start = [str(bootstrap.COMMAND)] if sys.platform == "win32" else [str(bootstrap.PYTHON), str(bootstrap.COMMAND)]
    return bootstrap.hand_over([*start, *arguments])


def find_browser(*, required: bool) -> None:
    """Find or install a browser; without one the demo can't start, but many commands can."""
    try:
        chromium.ensure(bootstrap.PYTHON)
    except bootstrap.SetupError as error:
        if required:
            raise
        say(f"going on without a browser: {error}")


if __name__ == "__main__":
    sys.exit(main())
