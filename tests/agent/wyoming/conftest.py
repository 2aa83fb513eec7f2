"""A Wyoming server over lamps, and the protocol's own client."""

from collections.abc import AsyncIterator

import pytest

from agent.hosting.local_service import LocalService
from agent.wyoming.server import WyomingPlace, read_place, serve_wyoming
from tests.agent.hosting.conftest import house, service

__all__ = ["house", "place", "service"]


@pytest.fixture
async def place(service: LocalService) -> AsyncIterator[WyomingPlace]:
    """Where a server listens, on a port that the system chose."""
    async with serve_wyoming(service, read_place("tcp://127.0.0.1:0")) as found:
        yield found
