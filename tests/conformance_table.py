"""The conformance table: back ends × suites × what passed, failed or was skipped and why, printed after a run of the tests.

A conformance suite is a class whose name ends with ``Conformance``; a back end is a test class below ``tests/contracts``
that inherits one or more of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

SUITE = "Conformance"
ROLE = "conformance"


@dataclass
class Row:
    """What came of one suite on one back end."""

    counts: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])


def name_role(item: pytest.Item) -> str:
    """Return ``family: suite × back end`` of a test, or an empty text if it is part of no suite."""
    case = item.getparent(pytest.Class)
    if case is None:
        return ""
    function = item.name.partition("[")[0]
    suites = [each for each in case.obj.__mro__ if each.__name__.endswith(SUITE) and function in vars(each)]
    if not suites:
        return ""
    port = item.path.stem.removeprefix("test_")
    return f"{port}: {suites[0].__name__.removesuffix(SUITE)} × {case.name.removeprefix('Test')}"


class Told(NamedTuple):
    """What a part of a test told: the role of the test, which part it was, how it ended, and why it was skipped."""

    role: str
    when: str
    outcome: str
    why: str = ""


def read_report(report: pytest.TestReport) -> Told:
    """Return what a report of pytest's tells; no role where the test is part of no suite."""
    said = report.longrepr
    why = said[2].removeprefix("Skipped: ") if report.outcome == "skipped" and isinstance(said, tuple) else ""
    return Told(str(dict(report.user_properties).get(ROLE, "")), report.when or "", report.outcome, why)


def collect_rows(told: Iterable[Told]) -> Mapping[str, Row]:
    """Return the rows by ``suite × back end``, sorted; a test that breaks while it is set up has failed."""
    rows: dict[str, Row] = {}
    for each in told:
        if not each.role or not (each.when == "call" or each.outcome != "passed"):
            continue
        row = rows.setdefault(each.role, Row())
        row.counts[each.outcome] += 1
        if each.why:
            row.reasons[each.why] += 1
    return dict(sorted(rows.items()))


def write_table(rows: Mapping[str, Row]) -> list[str]:
    """Return the table as lines."""
    width = max(len(role) for role in rows)
    lines = [f"{'suite × back end':{width}}  passed  failed  skipped"]
    for role, row in rows.items():
        counts = f"{row.counts['passed']:6}  {row.counts['failed']:6}  {row.counts['skipped']:7}"
        why = "; ".join(f"{count} × {reason}" for reason, count in row.reasons.most_common())
        lines.append(f"{role:{width}}  {counts}{'  ' if why else ''}{why}")
    return lines


class ConformanceTable:
    """The plug-in."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note which suite and back end each test belongs to."""
        for item in items:
            if role := name_role(item):
                item.user_properties.append((ROLE, role))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table."""
        found = [report for reports in terminalreporter.stats.values() for report in reports]
        rows = collect_rows(read_report(report) for report in found if isinstance(report, pytest.TestReport))
        if rows:
            terminalreporter.section("conformance")
            for line in write_table(rows):
                terminalreporter.write_line(line)
