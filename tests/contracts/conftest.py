"""The back ends that the conformance suites run on."""

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.launching import BrowserProcess, BrowserSettings
from fixtures.site_server import SiteServer

pytest.register_assert_rewrite("tests.contracts.browser")

# Nothing but this machine is reachable from the tests' browser.
LOCAL_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A running browser that all tests of this worker share."""
    process = BrowserProcess(BrowserSettings(extra_args=(LOCAL_ONLY,)))
    yield await process.start()
    await process.stop()


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites, on a port that only this test knows: reports of an earlier test's pages may come late."""
    with SiteServer() as server:
        yield server
