"""Where in the sources a place of what is sent to pages is, as a developer finds out."""

import subprocess
import sys

from tests.architecture.sources import ROOT


def find_places(*places: str) -> dict[str, str]:
    """Return what `scripts/engine.py place` tells of each place."""
    command = [sys.executable, "scripts/engine.py", "place", *places]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return {place: told for place, _, told in (line.partition(" ") for line in done.stdout.splitlines())}
