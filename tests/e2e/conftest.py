"""Whole sessions: the program as it is put together for people, a real browser, and the fixture sites."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from tests.agent.conftest import site, surehand

__all__ = ["site", "surehand"]


@pytest.fixture(scope="session")
async def share() -> AsyncIterator[BrowserShare]:
    """A running browser that all sessions of this worker share; each has pages, cookies and a policy of its own."""
    share = BrowserShare()
    await share.find(BrowserSettings()).start()
    yield share
    await share.close()


@pytest.fixture
async def session(tmp_path: Path, share: BrowserShare) -> AsyncIterator[AgentSession]:
    """A session in an empty workspace; it makes no pictures, which are proved where they are wanted."""
    async with make_session(Settings(failure_pictures=False), tmp_path, share) as session:
        yield session
