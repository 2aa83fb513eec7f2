"""Sees to it that the tests have the kits that pages of others are made of. Where they can't be had, those tests are skipped, with the reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

from scripts.setup.system import report_missing

ROOT = Path(__file__).resolve().parents[2]
INSTALL = "from fixtures.kits.bundles import prepare_kits; prepare_kits()"


def ensure(python: Path) -> None:
    """Install them by their lock, unless they are there.

    Args:
        python: The interpreter that has what the tests need.
    """
    done = subprocess.run([str(python), "-c", INSTALL], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        report_missing("the kits of fixtures/kits", "Check npm's registry settings. " + (words[-1] if words else ""))
