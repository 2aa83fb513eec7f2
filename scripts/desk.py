"""Runs a command on a desktop of its own: `python3 scripts/desk.py surehand run fixtures/flows/desk.yaml --yes apply_diff,run_job`.

Starts an invisible screen with a window manager, a session bus, the accessibility bus, a notification daemon, a sound server with two
null devices, and the fixture sites on port 8123; then the command, in that environment and with a home folder of its own; then ends
them all. Without a command it says what would be there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import bootstrap, chromium, machine

PORT = 8123


def main() -> int:
    """Set up what is needed, run the command and return its exit code."""
    command = sys.argv[1:]
    if not command or command[0] in {"-h", "--help"}:
        print(__doc__)
        return 0 if command else 2
    try:
        bootstrap.prepare("base")
        chromium.ensure(bootstrap.PYTHON)
        machine.ensure()
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    if Path(sys.prefix).resolve() != bootstrap.VENV.resolve():
        return bootstrap.hand_over([str(bootstrap.PYTHON), str(Path(__file__).resolve()), *command])
    return run_there(command)


def run_there(command: list[str]) -> int:
    """Start the desktop, run the command on it, and end it."""
    from fixtures.machine.desktop import PrivateDesktop
    from fixtures.machine.sound import PrivatePulse
    from fixtures.site_server import SiteServer

    folder = Path(tempfile.mkdtemp(prefix="sh-"))
    (folder / "pulse").mkdir()
    pulse = PrivatePulse(folder / "pulse")
    desktop = PrivateDesktop(folder / "desk", extra={"PULSE_SERVER": pulse.server})
    try:
        pulse.start()
        desktop.start()
        path = os.pathsep.join([str(bootstrap.BIN), os.environ.get("PATH", "")])
        with SiteServer(port=PORT):
            return subprocess.call(command, env={**desktop.environ, "PATH": path})
    finally:
        desktop.stop()
        pulse.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
