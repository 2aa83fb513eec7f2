"""A program that starts a private desktop with applications, says so, and then waits to be killed."""

import sys
from pathlib import Path

from fixtures.machine.desktop import PrivateDesktop

desktop = PrivateDesktop(Path(sys.argv[1]))
desktop.start()
desktop.open("xterm", "-e", "sh", "-c", "setsid sleep 1000 & sleep 1000")
desktop.ask("sh", "-c", "echo kept | xclip -selection clipboard -in >/dev/null 2>&1")
sys.stdout.write("ready\n")
sys.stdout.flush()
sys.stdin.read()
