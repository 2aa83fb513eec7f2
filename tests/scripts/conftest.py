"""What the tests of the benchmarks and trials share."""

from collections.abc import Iterator

import pytest

from fixtures.site_server import SiteServer


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites on a free port."""
    with SiteServer() as server:
        yield server
