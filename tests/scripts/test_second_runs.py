"""What passes only the second time is named, and what fails twice fails."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import second_runs

SUITE = """
from pathlib import Path

def fail_once(name):
    mark = Path(__file__).with_name(name)
    again = mark.exists()
    mark.touch()
    assert again

def test_that_holds(): pass
def test_that_flickers(): fail_once("one")
class TestOfSeveral:
    def test_that_flickers(self): fail_once("two")
def test_that_is_broken(): assert BROKEN is False
"""
CRASH = """
import os

def test_that_crashes_the_second_time():
    fail_once("three")
    os.abort()
"""
# What scripts/test.py does, but for the set-up: it runs pytest with the arguments that it gets.
RUNNER = """
import os, subprocess, sys
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
command = [sys.executable, "-m", "pytest", "-q", "-c", {ini!r}, "--rootdir", {root!r}, {root!r} + "/test_suite.py"]
sys.exit(subprocess.run([*command, *sys.argv[1:]], stdout=subprocess.DEVNULL, cwd={root!r}).returncode)
"""


@pytest.fixture
def lane(tmp_path: Path) -> second_runs.Lane:
    """A lane of its own."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "run.py").write_text(RUNNER.format(ini=str(tmp_path / "pytest.ini"), root=str(tmp_path)))
    return second_runs.Lane("here", (), (), tmp_path / ".pytest_cache")


def run(lane: second_runs.Lane, tmp_path: Path, suite: str) -> tuple[int, list[str]]:
    (tmp_path / "test_suite.py").write_text(suite)
    return second_runs.run_lane(lane, tmp_path / "run.py")


def test_what_passes_only_the_second_time_is_named(lane: second_runs.Lane, tmp_path: Path) -> None:
    code, forgiven = run(lane, tmp_path, SUITE.replace("BROKEN", "False"))
    names = ["test_suite.py::TestOfSeveral::test_that_flickers", "test_suite.py::test_that_flickers"]
    assert (code, forgiven) == (0, names)


def test_what_fails_twice_fails_and_the_others_are_named(lane: second_runs.Lane, tmp_path: Path) -> None:
    code, forgiven = run(lane, tmp_path, SUITE.replace("BROKEN", "True"))
    assert code == 1
    assert "test_suite.py::test_that_is_broken" not in forgiven
    assert len(forgiven) == 2


def test_what_passes_at_once_has_no_second_run(lane: second_runs.Lane, tmp_path: Path) -> None:
    assert run(lane, tmp_path, "def test_that_holds(): pass\n") == (0, [])


def test_a_run_that_breaks_is_not_repeated(lane: second_runs.Lane, tmp_path: Path) -> None:
    assert run(lane, tmp_path, "import nothing_of_that_name\n") == (2, [])


def test_what_crashes_in_the_second_run_fails_and_takes_no_other_with_it(
    lane: second_runs.Lane, tmp_path: Path
) -> None:
    (here,) = (each for each in second_runs.LANES if each.name == lane.name)
    lane = replace(lane, options=("-p", "xdist.plugin", "--dist=load"), alone=here.alone)
    code, forgiven = run(lane, tmp_path, CRASH + SUITE.replace("BROKEN", "False"))
    names = ["test_suite.py::TestOfSeveral::test_that_flickers", "test_suite.py::test_that_flickers"]
    assert (code, forgiven) == (1, names)


def test_what_failed_in_an_earlier_run_is_forgotten(lane: second_runs.Lane, tmp_path: Path) -> None:
    cache = lane.cache / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text('{"test_suite.py::test_of_yesterday": true}')
    assert run(lane, tmp_path, SUITE.replace("BROKEN", "False"))[1][0].startswith("test_suite.py::TestOfSeveral")


def test_the_count_is_told_also_where_it_is_nothing() -> None:
    assert second_runs.tell([]) == "passed only the second time: 0"
    assert second_runs.tell(["a", "b"]) == "passed only the second time: 2\n  a\n  b"


def test_the_lanes_keep_what_failed_where_they_are_looked_for() -> None:
    assert [lane.options for lane in second_runs.LANES] == [(), ("--windows",)]
    assert second_runs.TESTS.exists()
    assert os.access(second_runs.ROOT / ".ci" / "run", os.X_OK) or sys.platform == "win32"
