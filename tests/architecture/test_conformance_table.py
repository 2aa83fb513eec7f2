"""The conformance table says what every back end was held to."""

import os
import subprocess
import sys
from pathlib import Path

CONFTEST = """
from tests.conformance_table import ConformanceTable

def pytest_configure(config):
    config.pluginmanager.register(ConformanceTable())
"""
TESTS = """
import pytest

class BellConformance:
    def test_it_rings(self):
        assert self.rings

    def test_it_rings_louder(self):
        pytest.skip("no hammer")

class TestBrass(BellConformance):
    rings = True

class TestPaper(BellConformance):
    rings = False

class TestLost(BellConformance):
    @pytest.fixture(autouse=True)
    def fetch(self):
        raise OSError("nobody home")

def test_something_else():
    pass
"""


def test_every_suite_has_a_row_for_every_back_end_with_the_reasons_of_what_was_skipped(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_bells.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(tmp_path), str(tmp_path)]
    root = Path(__file__).resolve().parents[2]
    environ = {**os.environ, "PYTHONPATH": str(root)}
    said = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False).stdout
    rows = [" ".join(line.split()) for line in said.splitlines() if "bells: " in line and "×" in line]
    assert rows == [
        "bells: Bell × Brass 1 0 1 1 × no hammer",
        "bells: Bell × Lost 0 2 0",
        "bells: Bell × Paper 0 1 1 1 × no hammer",
    ]
