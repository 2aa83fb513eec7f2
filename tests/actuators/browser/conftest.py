"""A session in the worker's browser for each test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.kept_sessions import SessionKeeper

ABOUT_SESSIONS = {"session", "egress", "live"}
"""Folders whose tests are about what a session keeps apart, lets through or shows."""
ABOUT_PAGES = {"test_links", "test_navigation", "test_secrets", "test_zoom"}
"""Modules in them that are about no more than a page."""


@pytest.fixture(scope="session")
async def keeper(browser: Browser) -> AsyncIterator[SessionKeeper]:
    """Lends one session to test after test."""
    # Many of these tests drive pages past the tools, so that no action names the site.
    keeper = SessionKeeper(browser, ("127.0.0.1", "localhost"))
    yield keeper
    await keeper.close()


@pytest.fixture
async def session(
    keeper: SessionKeeper, request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[PlaywrightSession]:
    """A session with its own context in the shared browser; as good as new, and new where tests are about sessions."""
    is_new = request.path.parent.name in ABOUT_SESSIONS and request.path.stem not in ABOUT_PAGES
    open_session = keeper.open_new if is_new else keeper.lend
    async with open_session(BrowserSettings(artifacts_dir=tmp_path / "artifacts")) as session:
        yield session


@pytest.fixture
def context() -> ActionContext:
    """An action on the session's own lane, 5 seconds long, with no limits."""
    return ActionContext("g0_test_1", timeout_s=5.0)


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites, on a port that only this test knows: reports of an earlier test's pages may come late."""
    with SiteServer() as server:
        yield server
