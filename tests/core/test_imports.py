import subprocess
import sys

import pytest

from tests.architecture.sources import ROOT

MODULES = "core.execution.executor, core.planning.orchestrator, core.planner_rules, core.language.interpreter"
# Each costs more than the whole core may.
HEAVY = ["pydantic", "playwright", "rich", "typer", "ruamel", "docstring_parser", "psutil", "http", "sqlite3"]


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The modules that a fresh interpreter has after the import of the core."""
    program = f"import sys, {MODULES}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("name", HEAVY)
def test_the_core_is_imported_without_what_is_slow(name: str, loaded: set[str]) -> None:
    assert name not in loaded


def test_the_core_is_imported(loaded: set[str]) -> None:
    assert "core.planner_rules" in loaded
