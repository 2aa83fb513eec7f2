"""What holds for tests on Windows, where the conftest of all tests is left out: it starts a browser."""

import pytest
from hypothesis import HealthCheck, settings

from tests.conformance_table import ConformanceTable
from tests.hang_limit import HangLimit

pytest.register_assert_rewrite("tests.contracts.desktop", "tests.contracts.system", "tests.contracts.audio")

# How long an example takes, or its making, says more about the machine than about the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Print what each back end was held to, and end what hangs."""
    config.pluginmanager.register(ConformanceTable())
    config.pluginmanager.register(HangLimit())
