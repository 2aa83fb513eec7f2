"""The fixture `base_url`, for where no other plugin gives it: a plugin of its own, so that it can be left out."""

import pytest


@pytest.fixture(scope="session")
def base_url(pytestconfig: pytest.Config) -> str | None:
    """Return the address of what is tested, by ``--base-url`` or the setting ``base_url``; None where neither is there."""
    return pytestconfig.getoption("--base-url") or pytestconfig.getini("base_url") or None
