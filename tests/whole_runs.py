"""Tells a run in which tests failed from one that has not run all of its tests."""

from collections.abc import Sequence

import pytest

BROKEN = pytest.ExitCode.INTERNAL_ERROR


class WholeRuns:
    """Ends a run that lost tests with its worker, or could not read a file, with a code of its own.

    Spread over workers, pytest ends such a run with the code of failed tests, of which a second run may be made. Where a worker ends
    in the middle of a test, that test has failed, and another worker takes the rest: such a run is whole.
    """

    def __init__(self) -> None:
        """Know of no loss yet."""
        self._is_broken = False
        self._lost_workers = False
        self._collected: set[str] = set()
        self._told: set[str] = set()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that a file could not be read."""
        self._is_broken |= report.failed

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Note which tests there are."""
        self._collected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test was begun, at the least."""
        self._told.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, error: object) -> None:
        """Note that a worker ended before its work did."""
        self._lost_workers |= error is not None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Say so by the exit code."""
        is_lost = self._lost_workers and not self._collected <= self._told
        if (self._is_broken or is_lost) and exitstatus == pytest.ExitCode.TESTS_FAILED:
            session.exitstatus = BROKEN
