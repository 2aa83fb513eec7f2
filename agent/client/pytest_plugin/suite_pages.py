"""The report of a whole run of pytest: one page with all tests that had a hand, and a page for each of their runs."""

import html
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from .step_lines import write_lines

if TYPE_CHECKING:
    from .case_records import CaseRecord

_CASES, _RUNS = "cases", "runs"
_LAUNCHER = Path(__file__).parents[1] / "launcher.py"
_REPORT_S = 60.0
_STYLE = Path(__file__).with_name("suite_page.css")


def clear_folder(config: pytest.Config) -> None:
    """Remove what an earlier run left in the report's folder, and nothing else.

    Args:
        config: Names the folder.
    """
    folder = _locate(config)
    for name in (_CASES, _RUNS):
        shutil.rmtree(folder / name, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def write_case(item: pytest.Item, record: "CaseRecord", files: Iterable[tuple[str, Path]]) -> None:
    """Write down what came of a test, for the page that is made at the end.

    Args:
        item: The test.
        record: What it did.
        files: What its browser left, by kind.
    """
    folder = _locate(item.config) / _CASES
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "name": item.nodeid,
        "failed": record.failed,
        "lines": write_lines(record.runs, record.flow),
        "unmet": [str(each) for each in record.unmet],
        "runs": [done.run_id for done in record.runs],
        "files": [[kind, str(place)] for kind, place in files],
    }
    (folder / f"{uuid4().hex}.json").write_text(json.dumps(told), encoding="utf-8")


def write_runs(config: pytest.Config, workspace: Path, runs: Iterable[str]) -> None:
    """Have the command `surehand sessions report` write a page for each run; one that has no such report writes none.

    Args:
        config: Names the folder.
        workspace: Where the runs are kept.
        runs: Their ids.
    """
    folder = _locate(config) / _RUNS
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        place = folder / f"{run}.html"
        command = [sys.executable, "-P", str(_LAUNCHER), "sessions", "report", run, "-o", str(place)]
        done = subprocess.run(command, cwd=workspace, capture_output=True, timeout=_REPORT_S, check=False)
        if done.returncode:
            return


def write_suite(config: pytest.Config) -> None:
    """Write the page with all tests.

    Args:
        config: Names the folder.
    """
    folder = _locate(config)
    cases = [json.loads(each.read_bytes()) for each in sorted((folder / _CASES).glob("*.json"))]
    cases.sort(key=lambda case: (not case["failed"], case["name"]))
    failed = sum(bool(each["failed"]) for each in cases)
    told = f"{len(cases)} tests, {failed} failed"
    body = "\n".join(_write_case(each, folder) for each in cases)
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{told}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE.read_text(encoding="utf-8")}</style></head>'
        f"<body><main><h1>{told}</h1>\n{body}\n</main></body></html>\n"
    )
    (folder / "index.html").write_text(page, encoding="utf-8")


def _write_case(case: Mapping[str, Any], folder: Path) -> str:
    state, opened = ("failed", " open") if case["failed"] else ("passed", "")
    lines: Sequence[str] = [*case["lines"], *case["unmet"]]
    pages = [f"{_RUNS}/{run}.html" for run in case["runs"] if (folder / _RUNS / f"{run}.html").is_file()]
    links = [f'<a href="{html.escape(each)}">Run {number}</a>' for number, each in enumerate(pages, 1)]
    links += [f'<a href="{html.escape(Path(place).as_uri())}">{html.escape(kind)}</a>' for kind, place in case["files"]]
    return (
        f'<details class="{state}"{opened}><summary><b>{state}</b> {html.escape(case["name"])}</summary>'
        f"<pre>{html.escape(chr(10).join(lines))}</pre><p>{' · '.join(links)}</p></details>"
    )


def _locate(config: pytest.Config) -> Path:
    return (config.invocation_params.dir / str(config.getoption("surehand_html"))).absolute()
