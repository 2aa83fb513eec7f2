"""The back ends that the conformance suites run on."""

from collections.abc import Iterator

import pytest

from fixtures.site_server import SiteServer


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites, on a port that only this test knows: reports of an earlier test's pages may come late."""
    with SiteServer() as server:
        yield server
