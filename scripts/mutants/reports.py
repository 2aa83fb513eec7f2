"""A plug-in of pytest that writes down how each test ended: `-p mutant_reports`, into the file that `MUTANT_REPORTS` names."""

import json
import os
from collections.abc import Generator
from pathlib import Path

import pytest

_REPORTS: list[dict[str, str]] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note how one part of a test ended."""
    report = yield
    error = call.excinfo.typename if call.excinfo else ""
    _REPORTS.append({"test": item.nodeid, "when": report.when, "outcome": report.outcome, "error": error})
    return report


def pytest_sessionfinish() -> None:
    """Write down everything."""
    Path(os.environ["MUTANT_REPORTS"]).write_text(json.dumps(_REPORTS), encoding="utf-8")
