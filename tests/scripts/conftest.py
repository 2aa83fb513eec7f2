"""What the tests of the benchmarks and trials share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(autouse=True)
def _scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites on a free port."""
    with SiteServer() as server:
        yield server
