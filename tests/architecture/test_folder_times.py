"""A run of the tests says where its time went."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folder_times import name_folder, write_lines

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
from tests.folder_times import FolderTimes

def pytest_configure(config):
    config.pluginmanager.register(FolderTimes())
"""
TESTS = """
def test_one(subtests):
    with subtests.test("counted once"):
        pass

def test_two():
    pass
"""


@pytest.mark.parametrize(
    ("nodeid", "folder"),
    [
        ("tests/core/language/test_rules.py::test_one[a/b::c]", "core/language"),
        ("tests/actuators/desktop/perception/test_x.py::TestX::test_one", "actuators/desktop"),
        ("tests/actuators/browser/session/test_tabs.py::test_one", "actuators/browser"),
        ("tests/test_one.py::test_one", "."),
        ("test_one.py::test_one", "."),
    ],
)
def test_a_test_counts_for_its_second_level_folder(nodeid: str, folder: str) -> None:
    assert name_folder(nodeid) == folder


def test_folders_and_tests_are_told_the_slowest_first() -> None:
    seconds = {f"tests/core/base/test_x.py::test_{number}": number / 10 for number in range(20)}
    lines = write_lines({**seconds, "tests/e2e/test_y.py::test_slow": 30.0})
    assert [line.split() for line in lines[1:4]] == [
        ["e2e", "1", "30.0"],
        ["core/base", "20", "19.0"],
        ["all", "21", "49.0"],
    ]
    slowest = [line.split() for line in lines[lines.index("slowest 15") + 1 :]]
    assert slowest[:2] == [["30.0", "tests/e2e/test_y.py::test_slow"], ["1.9", "tests/core/base/test_x.py::test_19"]]
    assert len(slowest) == 15


@pytest.mark.parametrize(("spread", "collections"), [("-n0", 1), ("-n2", 2)])
def test_a_run_of_several_folders_prints_its_time_and_what_each_process_took_to_find_the_tests(
    tmp_path: Path, spread: str, collections: int
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"test_{name}.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    lines = run_tests(tmp_path, spread)
    table = {line.split()[0]: line.split()[1] for line in lines if line.startswith(("one ", "two ", "all "))}
    assert table == {"one": "2", "two": "2", "all": "4"}
    (finding,) = [line for line in lines if line.startswith("seconds spent on finding the tests: ")]
    assert len(finding.partition(": ")[2].split(" + ")) == collections
    assert all(float(each) >= 0 for each in finding.partition(": ")[2].split(" + "))


def test_a_run_of_one_folder_prints_no_table(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_one.py").write_text(TESTS, encoding="utf-8")
    assert [line for line in run_tests(tmp_path, "-n0") if line.startswith("folder")] == []


def run_tests(folder: Path, *options: str) -> list[str]:
    given = ["-q", "-p", "xdist", "-c", os.devnull, "--rootdir", str(folder), *options, str(folder)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", *given]
    return subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=False
    ).stdout.splitlines()
