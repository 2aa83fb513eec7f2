"""Tells a run in which tests failed from one that has not run all of its tests."""

import pytest

BROKEN = pytest.ExitCode.INTERNAL_ERROR


class WholeRuns:
    """Ends a run that lost a worker or could not read a file with a code of its own.

    Spread over workers, pytest ends such a run with the code of failed tests, of which a second run may be made.
    """

    def __init__(self) -> None:
        """Know of no loss yet."""
        self._is_broken = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that a file could not be read."""
        self._is_broken |= report.failed

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, error: object) -> None:
        """Note that a worker ended before its work did."""
        self._is_broken |= error is not None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Say so by the exit code."""
        if self._is_broken and exitstatus == pytest.ExitCode.TESTS_FAILED:
            session.exitstatus = BROKEN
