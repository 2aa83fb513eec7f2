"""The authority benchmark: AgentDojo's published attacks on its own tasks, with the product's planner, orchestrator and executor, and without a model.

AgentDojo is installed from the set `agentdojo` of `requirements/sets.txt` into an environment of its own. `dojo/` has the parts; docs/internals/authority.md says what
is measured and how.
"""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.benchmarks.environment import ROOT, prepare_environment

LOCK = "agentdojo"
WORKER = ROOT / "scripts" / "benchmarks" / "dojo" / "worker.py"


def measure_authority(only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the report; without figures, and the reason said, where AgentDojo can't be had.

    Args:
        only: Names of suites, or `suite.task`; empty for all.
    """
    try:
        python = prepare_environment(LOCK)
    except subprocess.CalledProcessError as error:
        print(f"authority is left out: the packages of `{LOCK}` can't be installed: {error}", flush=True)
        return {"name": "authority", "figures": {}, "samples": {}, "notes": {}}
    found = run_worker(python, only)
    return {
        "name": "authority",
        "figures": found["figures"],
        "samples": {"tasks": found["tasks"]},
        "notes": found["notes"],
    }


def run_worker(python: Path, only: Sequence[str]) -> dict[str, Any]:
    """Return what a Python that has AgentDojo measured.

    Args:
        python: That.
        only: Names of suites, or `suite.task`; empty for all.

    Raises:
        CalledProcessError: If it can't measure.
    """
    with tempfile.TemporaryDirectory(prefix="surehand-authority-") as folder:
        report = Path(folder) / "report.json"
        subprocess.run([str(python), str(WORKER), str(report), *only], check=True, cwd=ROOT)
        return json.loads(report.read_text(encoding="utf-8"))
