"""A test that flickers is found by running the tests again and again."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts import repeat, second_runs

SUITE = """
from pathlib import Path

RUN = Path(__file__).with_name("run")
RUN.write_text(str(int(RUN.read_text()) + 1) if RUN.exists() else "1")

def test_that_holds(): pass
def test_that_flickers(): assert RUN.read_text() in ("1", "3")
class TestOfSeveral:
    def test_that_flickers(self): assert RUN.read_text() != "1"
    def test_that_is_broken(self): assert BROKEN is False
"""
# What scripts/test.py does, but for the set-up: it runs pytest with the arguments that it gets.
RUNNER = """
import os, subprocess, sys
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
command = [sys.executable, "-m", "pytest", "-q", "-c", {ini!r}, "--rootdir", {root!r}, {root!r} + "/test_suite.py"]
sys.exit(subprocess.run([*command, *sys.argv[1:]], stdout=subprocess.DEVNULL, cwd={root!r}).returncode)
"""
FLICKERS, FLICKERS_TOO = "test_suite.py::test_that_flickers", "test_suite.py::TestOfSeveral::test_that_flickers"
ALWAYS = "test_suite.py::TestOfSeveral::test_that_is_broken"


def run(folder: Path, suite: str, runs: int, *options: str, runner: str = RUNNER) -> tuple[int, dict[str, int], int]:
    (folder / "test_suite.py").write_text(suite)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "run.py").write_text(runner.format(ini=str(folder / "pytest.ini"), root=str(folder)))
    lane = second_runs.Lane("here", (), (), folder / ".pytest_cache")
    code, failures, ended = repeat.run_lane(lane, runs, list(options), folder / "run.py")
    return code, dict(failures), ended


def test_each_test_that_failed_is_counted_by_its_runs(tmp_path: Path) -> None:
    assert run(tmp_path, SUITE.replace("BROKEN", "0 < 1"), 3) == (1, {FLICKERS: 1, FLICKERS_TOO: 1, ALWAYS: 3}, 3)


def test_runs_without_a_failure_end_well(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_that_holds(): pass\n", 2) == (0, {}, 2)


def test_every_run_gets_the_arguments(tmp_path: Path) -> None:
    assert run(tmp_path, SUITE.replace("BROKEN", "0 < 1"), 2, "-k", "broken or holds") == (1, {ALWAYS: 2}, 2)


def test_a_run_that_breaks_off_is_the_last_and_its_code_is_told(tmp_path: Path) -> None:
    assert run(tmp_path, "import nothing_of_that_name\n", 3) == (2, {}, 0)


def test_tests_that_could_not_be_set_up_have_not_passed(tmp_path: Path) -> None:
    assert run(tmp_path, SUITE, 3, runner="raise SystemExit(1)") == (1, {}, 0)


def test_what_flickers_is_told_apart_from_what_always_fails() -> None:
    failures = repeat.Counter({"b": 1, "a": 4, "c": 5})
    assert repeat.tell(failures, 5).splitlines() == [
        "failed in some of 5 runs and passed in others: 2",
        "  a (failed in 4 of 5)",
        "  b (failed in 1 of 5)",
        "failed in every run: 1",
        "  c",
    ]
    assert repeat.tell(repeat.Counter(), 5) == "failed in some of 5 runs and passed in others: 0"


@pytest.mark.parametrize("given", [[], ["0"], ["-3"], ["five"], ["tests/core"]])
def test_who_names_no_number_of_runs_is_told_what_to_name(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert repeat.main(given) == 2
    assert capsys.readouterr().err == repeat.USAGE


def test_the_script_that_runs_the_tests_knows_the_option() -> None:
    said = subprocess.run(
        [sys.executable, str(second_runs.TESTS), repeat.OPTION, "x"], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stderr) == (2, repeat.USAGE)
