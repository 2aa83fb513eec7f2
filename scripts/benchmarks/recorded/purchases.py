"""The record benchmark: a robot that moves the real pointer buys on the fixture shop, and what was recorded is run three times.

`recorded` is the number of steps in the flow, `replays_ok` how many of the runs by `surehand run` came to their end, `leaked` whether the
password is anywhere in what was written. It needs a Chromium with a window; SUREHAND_BROWSER_PATH names one that isn't found by itself.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from fixtures.machine.desktop import PrivateDesktop
from fixtures.site_server import SiteServer
from scripts.benchmarks.environment import ROOT
from scripts.benchmarks.workers.recorded_purchase import SPOKEN

REPLAYS = 3
WORKER = "scripts.benchmarks.workers.recorded_purchase"
_LAST_WORDS = 2000


def measure_record() -> dict[str, Any]:
    """Record a purchase by hand, run it three times, and return the figures.

    Raises:
        RuntimeError: If the robot could not buy.
    """
    with tempfile.TemporaryDirectory(prefix="sh-rec-") as name:
        folder = Path(name)
        desktop = PrivateDesktop(folder / "desk", size="1400x1000")
        desktop.start()
        try:
            with SiteServer() as site:
                told = _record(site.url, folder, desktop.environ)
                replays = [_replay(folder, number) for number in range(REPLAYS)]
        finally:
            desktop.stop()
        text = (folder / "flow.yaml").read_text(encoding="utf-8")
    figures = {
        "acts": told["acts"],
        "recorded": told["steps"],
        "replays_ok": sum(replays),
        "leaked": int(SPOKEN in text),
    }
    notes = {"recorded": "; ".join(told["remarks"]), "replays_ok": f"of {REPLAYS}"}
    return {"name": "record", "figures": figures, "samples": {}, "notes": notes}


def _record(site: str, folder: Path, environ: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", WORKER, site, str(folder / "flow.yaml")]
    variables = {**os.environ, **environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=180)
    if ended.returncode:
        raise RuntimeError(f"The robot could not buy: {ended.stderr[-_LAST_WORDS:]}")
    return json.loads(ended.stdout.splitlines()[-1])


def _replay(folder: Path, number: int) -> bool:
    """Run the flow as a person would, in a workspace of its own."""
    workspace = folder / f"run-{number}"
    workspace.mkdir()
    program = "import sys; sys.argv[0] = 'surehand'; from agent.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "run", str(folder / "flow.yaml"), "--workspace", str(workspace)]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "SUREHAND_SECRET_PASSWORD": SPOKEN}
    ended = subprocess.run(
        [*command, "--no-service"], cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=180
    )
    if ended.returncode:
        print(ended.stdout[-_LAST_WORDS:], ended.stderr[-_LAST_WORDS:], sep="\n", file=sys.stderr)
    return ended.returncode == 0
