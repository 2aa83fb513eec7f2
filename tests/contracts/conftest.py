"""The back ends that the conformance suites run on."""

from collections.abc import Generator, Iterator

import pytest

from core.base.errors import NotSimulatedError
from fixtures.site_server import SiteServer
from tests.contracts.browser.simulated import is_refused


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Hold the fake browser to refusing what it does not know."""
    if not is_refused(pyfuncitem):
        return (yield)
    try:
        yield
    except NotSimulatedError:
        return True
    pytest.fail("The case is marked as not simulated, and was not refused.")


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites, on a port that only this test knows: reports of an earlier test's pages may come late."""
    with SiteServer() as server:
        yield server
