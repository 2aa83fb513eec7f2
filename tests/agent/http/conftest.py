"""A service over lamps behind the app, on a real socket of this machine."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.access.token_gate import Principal, TokenGate
from agent.facts.workspace_facts import WorkspaceFacts
from agent.hosting.local_service import LocalService
from agent.http.app import AppParts, make_app
from agent.web.server import DoorServer, listen_on
from agent.web.wall import WallRules
from tests.agent.hosting.conftest import LampHouse

PRINCIPALS = (
    Principal(name="", token="person"),
    Principal(name="ada", token="owner"),
    Principal(name="ada", token="runner", scopes=frozenset({"read", "run"})),
    Principal(name="ada", token="reader", scopes=frozenset({"read"})),
    Principal(name="bob", token="other"),
    Principal(name="eve", token="hasty", requests_per_minute=2),
)


@dataclass(frozen=True, slots=True)
class Served:
    """A served service.

    Attributes:
        port: Where it listens.
        notes: What was told of each request.
        service: The service itself.
    """

    port: int
    notes: list[Mapping[str, Any]]
    service: LocalService

    def open(self, token: str = "owner", **headers: str) -> httpx.AsyncClient:
        """Return a client of another's making, with a token."""
        headers = {"Authorization": f"Bearer {token}", **headers}
        return httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", headers=headers, trust_env=False, timeout=30)


@pytest.fixture
def house() -> LampHouse:
    return LampHouse()


@pytest.fixture
async def served(house: LampHouse, tmp_path: Path) -> AsyncIterator[Served]:
    service, notes = LocalService(house.open), list[Mapping[str, Any]]()
    rules = WallRules(slowest_s=0.5)
    listener = listen_on("127.0.0.1", 0)
    served = Served(listener.getsockname()[1], notes, service)
    facts = WorkspaceFacts(tmp_path)

    async def find_facts() -> WorkspaceFacts:
        return facts

    parts = AppParts(rules=rules, note=notes.append, find_facts=find_facts)
    server = DoorServer(make_app(service, TokenGate(PRINCIPALS), parts), [listener])
    server.start()
    yield served
    await service.close(0)
    await server.stop()


@pytest.fixture
async def client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with served.open() as client:
        yield client
