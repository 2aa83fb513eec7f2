"""A test that goes through a table of cases names each one that fails, and goes on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import pytest
from tests.cases import each_case

@pytest.fixture
def limit():
    return 3

@each_case("number, word", [(1, "one"), (3, "three"), (2, "two"), (4, "four")], ids=str)
def test_small(limit, number, word):
    assert number < limit

@pytest.mark.parametrize("more", [0, 1])
@each_case("number", [1, 2])
def test_tiny(number, more):
    assert number + more < 9

@each_case("number", [5, 6])
async def test_awaited(number):
    assert number < 6

@each_case("number", [])
def test_nothing(number):
    pass

@each_case("number", [0, 1, 2])
def test_failing(number):
    if number == 1:
        pytest.fail("just so")
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says of such tests."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "test_cases.py").write_text(TESTS, encoding="utf-8")
    options = "-q -rf --tb=short -p pytest_asyncio.plugin -o asyncio_mode=auto -W ignore"
    command = [
        sys.executable,
        "-m",
        "pytest",
        *options.split(),
        "-c",
        os.devnull,
        "--rootdir",
        str(folder),
        str(folder),
    ]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False).stdout


def test_each_case_that_fails_is_named_and_none_that_passes(said: str) -> None:
    failed = [line.partition(" - ")[0] for line in said.splitlines() if line.startswith("SUBFAILED")]
    assert failed == [
        "SUBFAILED[3-three] test_cases.py::test_small",
        "SUBFAILED[4-four] test_cases.py::test_small",
        "SUBFAILED[6] test_cases.py::test_awaited",
        "SUBFAILED[1] test_cases.py::test_failing",
    ]


def test_a_table_without_a_case_fails(said: str) -> None:
    assert "AssertionError: there is no case" in said


def test_a_test_with_a_failed_case_fails_and_one_without_passes(said: str) -> None:
    assert said.splitlines()[-1].split(" in ")[0].split(", ") == ["8 failed", "2 passed"]


def test_the_cause_of_a_failure_is_shown_and_not_the_way_there(said: str) -> None:
    assert "assert 3 < 3" in said
    assert "just so" in said
    assert "functools.partial" not in said
