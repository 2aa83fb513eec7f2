"""The table of planted defects fits the tree, a sample of it is caught, and what no test notices is told as such."""

import ast
import json
from collections import Counter
from pathlib import Path

import pytest

from scripts import mutate
from scripts.mutants import planting
from scripts.mutants import trials as mutant_trials

ROOT = Path(__file__).resolve().parents[2]
AREAS = {"journal", "authority", "taint", "approvals", "redaction", "policy", "paths", "proxy", "receipts"}
SAMPLE = ["authority-params-kept", "approval-used-twice", "redaction-of-keys"]
"""Defects whose tests take a moment only."""

SURVIVOR = """
[[defect]]
name = "nobody-cares"
area = "paths"
where = "count_units"
find = '''"utf-16-le"'''
put = '''"utf-16-be"'''
why = "It would not."
tests = ["tests/core/approvals/test_approvals.py"]
"""

STARTED = """
[[defect]]
name = "seen-by-starting-it-only"
area = "receipts"
module = "agent.client.launcher"
where = "main"
find = "run_command_line()"
put = "0"
why = "A script takes an error for a success."
tests = ["tests/agent/cli/test_cli_process.py::test_an_error_that_nobody_reads_keeps_its_exit_code"]
"""


def test_every_defect_has_its_place_in_the_tree() -> None:
    table = planting.read_table()
    assert {each.area for each in table} == AREAS
    assert len(table) == 43
    for defect in table:
        planted = planting.plant(ROOT, defect)
        assert planted.text != (ROOT / planted.file).read_text(encoding="utf-8"), defect.name


def test_every_defect_names_tests_that_exist() -> None:
    for defect in planting.read_table():
        assert defect.tests, defect.name
        for test in defect.tests:
            file, _, name = test.partition("::")
            names = [getattr(node, "name", "") for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))]
            assert name.partition("[")[0] in names, test


@pytest.mark.timeout(300)
def test_a_sample_of_defects_is_caught(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = mutate.main(["--only", *SAMPLE, "-n", "1", "--json", str(tmp_path / "found.json")])
    assert code == 0, capsys.readouterr().out
    found = json.loads((tmp_path / "found.json").read_text())
    assert (found["name"], found["figures"]["survived"], found["figures"]["planted"]) == ("mutate", 0, len(SAMPLE))


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("text", "told", "code"),
    [(SURVIVOR, ("survived", "nobody-cares"), 1), (STARTED, ("caught", "seen-by-starting"), 0)],
)
def test_what_no_test_notices_fails_and_what_only_a_started_program_shows_is_noticed(
    text: str,
    told: tuple[str, str],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = tmp_path / "mutants.toml"
    table.write_text(text, encoding="utf-8")
    defects = planting.read_table(table)
    monkeypatch.setattr(planting, "read_table", lambda: defects)
    assert mutate.main(["-n", "1"]) == code
    lines = capsys.readouterr().out.splitlines()
    verdict, name = told
    assert any(line.startswith(f"{verdict} ") and name in line for line in lines)
    assert f"{verdict:<12}      1" in lines


_OUTCOMES = {"": "passed", "Skipped": "skipped"}


def judge(outcomes: list[tuple[str, str, str]], *tests: str) -> str:
    reports = [
        {"test": test, "when": when, "outcome": _OUTCOMES.get(error, "failed"), "error": error}
        for test, when, error in outcomes
    ]
    defect = planting.Defect(name="d", area="a", where="w", find="f", put="p", why="", tests=tests)
    return mutant_trials.judge(defect, reports, "")[0]


def test_a_defect_is_caught_only_by_tests_that_fail_as_tests_do() -> None:
    failed, passed = ("t.py::a[1]", "call", "AssertionError"), ("t.py::b", "call", "")
    assert judge([failed, passed], "t.py::a") == "caught"
    assert judge([failed, passed], "t.py::a", "t.py::b") == "survived"
    assert judge([failed], "t.py::a", "t.py::b") == "broken"  # the second did not run
    assert judge([("t.py::a", "call", "NameError")], "t.py::a") == "broken"
    assert judge([("t.py::a", "setup", "AssertionError")], "t.py::a") == "broken"
    assert judge([failed], "t.py::a[10]") == "broken"
    skipped, ended = ("t.py::a", "setup", "Skipped"), ("t.py::a", "teardown", "")
    assert judge([skipped, ended], "t.py::a") == "broken"  # it could notice nothing


def test_figures_count_every_verdict() -> None:
    figures = mutate.count(["caught", "caught", "survived", "not planted", "broken"])
    assert Counter(figures) == {"planted": 4, "survived": 1, "caught": 2, "broken": 1, "not_planted": 1}
