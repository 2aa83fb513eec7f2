"""The browser benchmark measures what people get: with the journal, the kept runs, the log and the proxy, unless one is taken out."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import psutil
import pytest

from fixtures.site_server import SiteServer

ROOT = Path(__file__).resolve().parents[2]

STATE = {
    "journal": "journal.sqlite",
    "kept_runs": "agent_sessions",
    "logs": "logs/surehand.jsonl",
}
ALL = STATE.keys() | {"proxy"}


@contextmanager
def start_worker(site: SiteServer, folder: Path, without: str = "") -> Generator[subprocess.Popen[str]]:
    """Start our side of the benchmark, with its first page there."""
    command = [
        sys.executable,
        str(ROOT / "scripts/benchmarks/browser_worker.py"),
        site.url,
        str(folder),
        "ours",
        without,
    ]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=variables, stdin=PIPE, stdout=PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline()) == "ready"
        yield process
        answers, _ = process.communicate("1\nmemory\n", timeout=90)
        times, memory_mib = map(json.loads, answers.splitlines())
        assert min(times["wall"]) > 0
        assert memory_mib > 0
    assert process.returncode == 0


def find_parts(process: subprocess.Popen[str], folder: Path) -> set[str]:
    """Return what takes part: what it keeps is in its folder, and the proxy listens."""
    found = {part for part, name in STATE.items() if (folder / ".surehand" / name).exists()}
    listens = any(each.status == psutil.CONN_LISTEN for each in psutil.Process(process.pid).net_connections("tcp"))
    return found | ({"proxy"} if listens else set())


@pytest.mark.parametrize("part", ["", *sorted(ALL)])
def test_our_side_has_all_parts_but_the_one_that_is_taken_out(part: str, tmp_path: Path, site: SiteServer) -> None:
    with start_worker(site, tmp_path, part) as process:
        assert find_parts(process, tmp_path) == ALL - {part}
