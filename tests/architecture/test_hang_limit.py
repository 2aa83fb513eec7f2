"""A test that not even its time limit ends takes its process with it, and fails; the other tests run all the same."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
from tests import hang_limit

hang_limit.GRACE_S = 1

def pytest_configure(config):
    config.pluginmanager.register(hang_limit.HangLimit())
"""
# What pytest-timeout raises comes up in the callback that is running, and the loop goes on.
HANGS = """
import asyncio, pytest

def spin(loop):
    loop.call_soon(spin, loop)
    while True:
        pass

@pytest.mark.timeout(1)
def test_hangs():
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)
    loop.call_soon(spin, loop)
    loop.run_forever()

def test_behind_it():
    pass
"""


def test_a_test_that_swallows_its_limit_is_ended_and_named(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_one.py").write_text(HANGS, encoding="utf-8")
    plugins = ("-p", "xdist", "-p", "pytest_timeout")
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", str(tmp_path), *plugins, "-n", "1"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "crashed while running 'test_one.py::test_hangs'" in done.stdout
    assert "in spin" in done.stderr  # where it hung
