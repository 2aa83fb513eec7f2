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


@pytest.fixture(scope="session")
def shared_site() -> Iterator[SiteServer]:
    """The fixture sites, on a free port; shared, so use ``site``."""
    with SiteServer() as server:
        yield server


@pytest.fixture
def site(shared_site: SiteServer) -> SiteServer:
    """The fixture sites with nothing received yet."""
    shared_site.reset()
    return shared_site
