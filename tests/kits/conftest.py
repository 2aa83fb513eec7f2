"""What the tests of the lane share: a kit's site, and a session as shipped."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from fixtures.kits.bundles import KITS
from fixtures.kits.kit_site import KitSite
from scripts.benchmarks.looks.installing import find_modules
from tests.prerequisites import miss


@pytest.fixture(scope="session")
def kit_site() -> Iterator[KitSite]:
    """The pages of the kits, where these are installed."""
    modules = find_modules(KITS)
    if modules is None:
        miss("the kits are not installed; scripts/test.py does that")
    with KitSite(modules) as site:
        yield site


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[AgentSession]:
    """A session as shipped, in an empty workspace."""
    settings = Settings(inner_hosts=["127.0.0.1"], failure_pictures=False, log_file="off")
    async with make_session(settings, tmp_path) as session:
        yield session
