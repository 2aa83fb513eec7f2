"""A test that hangs for good ends its process, with the stacks of all threads, so that a run always ends.

pytest-timeout raises in the main thread. Where a callback of the event loop is just running there, the loop reports what was raised and
goes on, and the test would never end. So somewhat later the process ends; the other workers go on, and a new one takes the rest.
"""

import faulthandler
import os
from collections.abc import Generator

import pytest

GRACE_S = 60
"""Seconds that a test has to end by itself after its limit."""


class HangLimit:
    """Ends a process whose test is long over its limit. Where a debugger holds a test, there is no limit."""

    def __init__(self) -> None:
        """Keep where errors go now: while a test runs, pytest has them go elsewhere."""
        self._errors = os.dup(2)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Watch a test with its set-up and its end."""
        if not (limit_s := read_limit_s(item)) or item.config.getoption("usepdb"):
            return (yield)
        faulthandler.dump_traceback_later(limit_s + GRACE_S, file=self._errors, exit=True)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()


def read_limit_s(item: pytest.Item) -> float:
    """Return the seconds that a test may take; 0 where there is no limit."""
    marker = item.get_closest_marker("timeout")
    wanted = (marker.args[0] if marker.args else marker.kwargs.get("timeout")) if marker else None
    return float(wanted or item.config.getoption("timeout", None) or item.config.getini("timeout") or 0)
