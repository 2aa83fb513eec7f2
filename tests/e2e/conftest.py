"""Whole sessions: the program as it is put together for people, a real browser, and the fixture sites."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from fixtures.site_server import SiteServer


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites on a free port."""
    with SiteServer() as server:
        yield server


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[AgentSession]:
    """A session in an empty workspace, with a browser of its own."""
    async with make_session(Settings(), tmp_path) as session:
        yield session
