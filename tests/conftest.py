"""What holds for all tests."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import settings
from playwright.async_api import Browser

from actuators.browser.playwright.launching import BrowserProcess, BrowserSettings

# Property tests have no deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Nothing but this machine is reachable from the tests' browser.
LOCAL_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A running browser that all tests of this worker share."""
    process = BrowserProcess(BrowserSettings(extra_args=(LOCAL_ONLY,)))
    yield await process.start()
    await process.stop()
