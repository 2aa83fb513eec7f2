"""What holds for tests on Windows, where the conftest of all tests is left out: it starts a browser."""

import pytest

from tests.conformance_table import ConformanceTable

pytest.register_assert_rewrite("tests.contracts.desktop", "tests.contracts.system", "tests.contracts.audio")


def pytest_configure(config: pytest.Config) -> None:
    """Print what each back end was held to."""
    config.pluginmanager.register(ConformanceTable())
