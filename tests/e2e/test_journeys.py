"""Everyday journeys are told as they went. The long version is `scripts/chaos.py journeys`."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from core.results.tool_results import RunOutcome, RunResult
from tests.cases import each_case
from tests.thoroughness import is_thorough

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import sys; from scripts.chaos_trials import journeys; sys.exit(journeys.main(sys.argv[1:]))"


def run_journeys(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.timeout(600)
def test_each_journey_is_told_as_the_far_end_knows_it(tmp_path: Path) -> None:
    figures, runs = tmp_path / "figures.json", 2 if is_thorough() else 1
    done = run_journeys("--runs", str(runs), "--idle", "--json", str(figures))
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    found = json.loads(figures.read_text())["figures"]
    assert (found["false_failures"], found["false_successes"], found["runs"]) == (0, 0, 10 * runs)


def test_no_runs_at_all_are_no_proof() -> None:
    assert run_journeys("--runs", "0").returncode == 2


@pytest.fixture
def chaos() -> Any:
    return import_module("scripts.chaos_trials.journeys")


CASES: list[tuple[RunOutcome, bool, bool, tuple[int, int]]] = [
    ("success", True, True, (0, 0)),
    ("success", False, True, (0, 1)),
    ("success", False, False, (0, 1)),
    ("partial", True, True, (1, 0)),
    ("partial", False, True, (1, 0)),
    ("failed", True, False, (1, 0)),
    ("failed", False, False, (0, 0)),
]


@each_case("told, happened, possible, wrong", CASES)
def test_an_answer_counts_as_false_by_what_the_far_end_knows(
    chaos: Any, told: RunOutcome, happened: bool, possible: bool, wrong: tuple[int, int]
) -> None:
    account = chaos.Account()
    journey = chaos.Journey(lambda _: [], lambda _: happened, possible)
    chaos.judge(journey, chaos.Visit(None, ROOT, "t", 1), RunResult(run_id="r", outcome=told, reply="told"), account)
    assert (account.false_failures, account.false_successes) == wrong
    assert len(account.examples) == sum(wrong)
