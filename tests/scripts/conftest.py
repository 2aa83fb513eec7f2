"""What the tests of the benchmarks and trials share: the scripts import each other by name, and so do these."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
if str(SCRIPTS) not in sys.path:
    sys.path.append(str(SCRIPTS))


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites on a free port."""
    with SiteServer() as server:
        yield server
