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

ROOT = Path(__file__).resolve().parents[3]

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
        str(ROOT / "scripts/benchmarks/workers/browser_worker.py"),
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


@pytest.mark.parametrize("side", ["ours", "raw", "engine"])
def test_each_step_tells_its_time_and_its_messages_to_the_driver(side: str, tmp_path: Path, site: SiteServer) -> None:
    worker = ROOT / "scripts/benchmarks/workers/browser_worker.py"
    command = [sys.executable, str(worker), site.url, str(tmp_path), side, "", "timings"]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input="timings\n",
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
        cwd=tmp_path,
    )
    rows = json.loads(done.stdout.splitlines()[1])
    assert len(rows) == 16  # the steps, and what is around them
    assert all(row["ms"] > 0 for row in rows[:-1])
    trips = sum(row["trips"] for row in rows)
    # Some 75 small ones on a quiet machine, as a press is three; a page that is busy is asked again.
    assert trips <= (110 if side == "ours" else 20)
    assert (sum(row["journal_ms"] for row in rows) > 0) == (side == "ours")


def test_a_page_tells_how_long_its_transfers_take_through_the_proxy_and_past_it(
    tmp_path: Path, site: SiteServer
) -> None:
    worker = ROOT / "scripts/benchmarks/workers/proxy_site.py"
    with subprocess.Popen([sys.executable, str(worker)], stdout=PIPE, text=True) as server:
        assert server.stdout
        address = server.stdout.readline().strip()
        with start_worker(site, tmp_path) as process:
            assert process.stdin
            assert process.stdout
            for transfer in ("download?mib=3", "requests?count=30"):
                process.stdin.write(f"{address}/{transfer}\n")
                process.stdin.flush()
                assert 0 < float(process.stdout.readline()) < 30
        server.terminate()
