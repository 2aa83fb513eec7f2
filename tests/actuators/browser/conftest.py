"""A fresh session in the worker's browser for each test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from core.tools.ports import ActionContext
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it is asked for."""
    if "soak" not in config.option.markexpr:
        items[:] = [item for item in items if "soak" not in item.keywords]


@pytest.fixture
async def session(browser: Browser, tmp_path: Path) -> AsyncIterator[PlaywrightSession]:
    """A session with its own context in the shared browser."""
    # Many of these tests drive pages past the tools, so that no action names the site.
    settings = BrowserSettings(
        artifacts_dir=tmp_path / "artifacts", network=DeclaredNetwork(), named_hosts=("127.0.0.1", "localhost")
    )
    session = PlaywrightSession.over(browser, settings)
    yield session
    await session.close()


@pytest.fixture
def context() -> ActionContext:
    """An action on the session's own lane, 5 seconds long, with no limits."""
    return ActionContext("g0_test_1", timeout_s=5.0)


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites, on a port that only this test knows: reports of an earlier test's pages may come late."""
    with SiteServer() as server:
        yield server
