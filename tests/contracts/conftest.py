"""The back ends that the conformance suites run on."""

from collections.abc import Iterator

import pytest

from fixtures.site_server import SiteServer

pytest.register_assert_rewrite("tests.contracts.browser")
pytest.register_assert_rewrite("tests.contracts.audio.port", "tests.contracts.audio.tools")
pytest.register_assert_rewrite(
    *(f"tests.contracts.desktop.{name}_suite" for name in ("window", "input", "screen", "clipboard"))
)
pytest.register_assert_rewrite("tests.contracts.media.conformance")
pytest.register_assert_rewrite("tests.contracts.system.programs", "tests.contracts.system.machine")


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites, on a port that only this test knows: reports of an earlier test's pages may come late."""
    with SiteServer() as server:
        yield server
