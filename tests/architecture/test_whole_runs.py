"""A run that is not whole ends with a code of its own, so that no second run is made of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
from tests.whole_runs import WholeRuns

def pytest_configure(config):
    config.pluginmanager.register(WholeRuns())
"""
PASSES = "def test_passes():\n    pass\n"
FAILS = "def test_fails():\n    assert False\n"
CRASHES = "import os\n\ndef test_crashes():\n    os._exit(9)\n"
UNREADABLE = "import nothing_of_this_name\n"


@pytest.mark.parametrize(("text", "code"), [(PASSES, 0), (FAILS, 1), (CRASHES, 1), (UNREADABLE, 3)])
def test_a_spread_run_tells_failed_tests_from_lost_ones(tmp_path: Path, text: str, code: int) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_one.py").write_text(PASSES, encoding="utf-8")
    (tmp_path / "test_two.py").write_text(text, encoding="utf-8")
    assert run_tests(tmp_path, "-p", "xdist", "-n", "1") == code


def test_tests_that_went_with_their_worker_break_a_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_one.py").write_text(CRASHES, encoding="utf-8")
    (tmp_path / "test_two.py").write_text(PASSES, encoding="utf-8")
    assert run_tests(tmp_path, "-p", "xdist", "-n", "1", "--max-worker-restart", "0") == 3


def run_tests(folder: Path, *options: str) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(folder), *options, str(folder)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False).returncode
