"""Where a run of the tests spent its time: seconds by folder, and the slowest tests; printed when it was more than one folder.

A test's seconds are those of its set-up, its call and its end, so that what the first test of a worker starts for all counts there.
Spread over workers they add up to more than the clock on the wall: to that times the workers, if none was idle.
"""

import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

import pytest

SLOWEST = 15
_COLLECTING = "collecting_s"


class Spent(NamedTuple):
    """What some tests took."""

    tests: int
    seconds: float


def name_folder(nodeid: str) -> str:
    """Return the second-level folder of a test: `core/language` of `tests/core/language/test_rules.py::test_one`."""
    folders = PurePosixPath(nodeid.partition("::")[0]).parent.parts
    return "/".join(folders[1:3] if folders[:1] == ("tests",) else folders[:2]) or "."


def add_up(reports: Iterable[pytest.TestReport]) -> Mapping[str, float]:
    """Return the seconds of each test; a subtest's are part of its test's already."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        if not isinstance(report, pytest.SubtestReport):
            seconds[report.nodeid] += report.duration
    return seconds


def sum_by_folder(seconds: Mapping[str, float]) -> Mapping[str, Spent]:
    """Return what each folder took, the longest first."""
    folders: dict[str, Spent] = {}
    for nodeid, spent in seconds.items():
        before = folders.get(name_folder(nodeid), Spent(0, 0.0))
        folders[name_folder(nodeid)] = Spent(before.tests + 1, before.seconds + spent)
    return dict(sorted(folders.items(), key=lambda each: (-each[1].seconds, each[0])))


def write_lines(seconds: Mapping[str, float]) -> list[str]:
    """Return the table of the folders and the slowest tests, as lines."""
    folders = sum_by_folder(seconds)
    width = max(len(folder) for folder in folders)
    lines = [f"{'folder':{width}}  tests  seconds"]
    lines += [f"{folder:{width}}  {spent.tests:5}  {spent.seconds:7.1f}" for folder, spent in folders.items()]
    lines += [f"{'all':{width}}  {len(seconds):5}  {sum(seconds.values()):7.1f}", "", f"slowest {SLOWEST}"]
    slowest = sorted(seconds, key=lambda nodeid: (-seconds[nodeid], nodeid))[:SLOWEST]
    return lines + [f"{seconds[nodeid]:7.1f}  {nodeid}" for nodeid in slowest]


class FolderTimes:
    """The plug-in."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._collecting: list[float] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self, session: pytest.Session) -> Generator[None, object, object]:
        """Time how long the tests are looked for; a worker tells it to the process that prints."""
        started = time.perf_counter()
        result = yield
        spent = time.perf_counter() - started
        output = getattr(session.config, "workeroutput", None)  # xdist gives it to workers
        if output is not None:
            output[_COLLECTING] = spent
        elif not session.config.getoption("numprocesses", 0):
            self._collecting.append(spent)
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Hear it from a worker that has ended; one that was lost tells nothing."""
        self._collecting += [spent for name, spent in getattr(node, "workeroutput", {}).items() if name == _COLLECTING]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table."""
        found = [report for reports in terminalreporter.stats.values() for report in reports]
        seconds = add_up(report for report in found if isinstance(report, pytest.TestReport))
        if len(sum_by_folder(seconds)) < 2:
            return
        terminalreporter.section("time")
        for line in write_lines(seconds):
            terminalreporter.write_line(line)
        collecting = " + ".join(f"{spent:.1f}" for spent in self._collecting)
        terminalreporter.write_line(f"\nseconds spent on finding the tests: {collecting or 'unknown'}")
