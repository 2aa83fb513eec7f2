"""Logs and spans of the installed command."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.collector import Collector, read_attributes
from tests.agent.conftest import Command

ROOT = Path(__file__).resolve().parents[3]
FLOW = "goals:\n  - file.write: {path: 'workspace:/a.txt', content: hello}\n"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command on a flow in an empty folder; whatever it imports is listed on stderr if wished."""
    (tmp_path / "flow.yaml").write_text(FLOW)

    def start(*options: str, imports: bool = False, **environment: str) -> subprocess.CompletedProcess[str]:
        program = "import sys; from agent.cli.main import main; code = main(); "
        program += "print(*sorted(sys.modules), file=sys.stderr); " if imports else ""
        command = [
            sys.executable,
            "-c",
            program + "sys.exit(code)",
            "run",
            "flow.yaml",
            "--yes",
            "apply_diff",
            "--json",
        ]
        clean = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **environment}
        return subprocess.run(
            [*command, *options], cwd=tmp_path, env=clean, capture_output=True, text=True, check=False
        )

    return start


def test_lines_go_into_the_workspace_and_nowhere_else(run: Run, tmp_path: Path) -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in (tmp_path / ".surehand/logs/surehand.jsonl").read_text().splitlines()]
    assert (lines[0]["event"], lines[-1]["event"]) == ("run.accepted", "run.ended")
    assert lines[-1]["run_id"] == json.loads(done.stdout.splitlines()[0])["run_id"]


def test_lines_go_to_stderr_where_that_is_wished(run: Run) -> None:
    done = run("--log-level", "warning")
    assert done.stderr == ""
    done = run("--log-level", "debug", SUREHAND_LOG_FILE="off")
    events = [json.loads(line)["event"] for line in done.stderr.splitlines()]
    assert events[0] == "run.accepted"
    assert "journal.written" in events
    assert all(json.loads(line)["event"] not in events for line in done.stdout.splitlines())


def test_an_unknown_level_is_refused_before_anything_runs(surehand: Command, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(FLOW)
    said = surehand("run", "flow.yaml", "--yes", "apply_diff", "--log-level", "loud")
    assert said.code == 2
    assert "off, debug, info, warning, error" in said.err
    assert not (tmp_path / "a.txt").exists()


def test_a_run_without_a_collector_imports_nothing_of_opentelemetry(run: Run) -> None:
    done = run(imports=True)
    assert done.returncode == 0
    assert not [name for name in done.stderr.split() if name.startswith("opentelemetry")]


def test_what_writes_lines_is_not_imported_where_nothing_is_logged(run: Run) -> None:
    assert "agent.telemetry.logs" in run(imports=True).stderr.split()
    assert "agent.telemetry.logs" not in run(imports=True, SUREHAND_LOG_FILE="off").stderr.split()


def test_spans_go_to_the_collector_that_the_environment_names(run: Run) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="surehand[telemetry] is not installed")
    trace = "0af7651916cd43dd8448eb211c80319c"
    with Collector() as collector:
        done = run(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, TRACEPARENT=f"00-{trace}-b7ad6b7169203331-01")
    assert (done.returncode, done.stderr) == (0, "")
    assert collector.find("surehand.run").trace_id.hex() == trace
    assert read_attributes(collector.find("file.write"))["surehand.verb"] == "file.write"


def test_a_collector_that_is_not_there_costs_a_second_at_most(run: Run) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="surehand[telemetry] is not installed")

    def take_time(**environment: str) -> float:
        began = time.perf_counter()
        done = run(**environment)
        assert (done.returncode, done.stderr) == (0, "")
        return time.perf_counter() - began

    with_none: list[float] = []
    with_one: list[float] = []
    with Collector() as collector:
        for _ in range(5):  # beside others a run takes longer at times: the shortest of each kind count
            with_none.append(take_time(OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:1"))
            with_one.append(take_time(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url))
            if min(with_none) - min(with_one) < 1.5:
                return
    pytest.fail(f"{min(with_none):.1f} s in place of {min(with_one):.1f} s")


@pytest.mark.parametrize(("option", "code"), [("--trace", 0), ("--trace=on-failure", 0), ("--trace=sometimes", 2)])
def test_a_trace_is_wished_for_by_word_or_by_none(option: str, code: int, surehand: Command, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(FLOW)
    assert surehand("run", "flow.yaml", "--yes", "apply_diff", option).code == code
