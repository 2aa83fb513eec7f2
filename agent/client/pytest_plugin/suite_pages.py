"""The report of a whole run of pytest: one page with all tests that had a hand, and a page for each of their runs."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from uuid import uuid4

import pytest

from .page_markup import draw_page
from .step_lines import write_lines

if TYPE_CHECKING:
    from .case_records import CaseRecord

_CASES, _RUNS = "cases", "runs"
_LAUNCHER = Path(__file__).parents[1] / "launcher.py"
_REPORT_S = 60.0


def clear_folder(config: pytest.Config) -> None:
    """Remove what an earlier run left in the report's folder, and nothing else."""
    folder = _locate(config)
    for name in (_CASES, _RUNS):
        shutil.rmtree(folder / name, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def write_case(item: pytest.Item, record: "CaseRecord") -> None:
    """Write down what came of a test, for the page that is made at the end."""
    folder = _locate(item.config) / _CASES
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "name": item.nodeid,
        "outcome": record.outcome,
        "seconds": round(record.seconds, 1),
        "lines": write_lines(record.runs, record.flow),
        "unmet": [str(each) for each in record.unmet],
        "runs": [done.run_id for done in record.runs],
        "files": [[kind, _name_from(folder.parent, place)] for kind, place in record.files],
    }
    (folder / f"{uuid4().hex}.json").write_text(json.dumps(told), encoding="utf-8")


def write_runs(config: pytest.Config, workspace: Path, runs: Iterable[str]) -> None:
    """Have the command `surehand sessions report` write a page for each run; one that has no such report writes none."""
    folder = _locate(config) / _RUNS
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        place = folder / f"{run}.html"
        command = [sys.executable, "-P", str(_LAUNCHER), "sessions", "report", run, "-o", str(place)]
        done = subprocess.run(command, cwd=workspace, capture_output=True, timeout=_REPORT_S, check=False)
        if done.returncode:
            return


def write_suite(config: pytest.Config) -> None:
    """Write the page with all tests."""
    folder = _locate(config)
    cases = [json.loads(each.read_bytes()) for each in sorted((folder / _CASES).glob("*.json"))]
    for case in cases:
        runs = (f"{_RUNS}/{run}.html" for run in case["runs"])
        case["pages"] = [each for each in runs if (folder / each).is_file()]
    (folder / "index.html").write_text(draw_page(cases), encoding="utf-8")


def _name_from(folder: Path, place: Path) -> str:
    """Return how a file is called from the report's folder, so that both can be moved together; by its address on another drive."""
    try:
        return quote(Path(os.path.relpath(place, folder)).as_posix())
    except ValueError:
        return place.as_uri()


def _locate(config: pytest.Config) -> Path:
    return (config.invocation_params.dir / str(config.getoption("surehand_html"))).absolute()
