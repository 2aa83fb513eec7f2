"""An MCP client of the SDK before a service over lamps, in both eras of the protocol."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from agent.hosting.local_service import LocalService
from agent.mcp.server import Clients, StandingService, make_server
from agent.service.callers import Caller
from tests.agent.hosting.conftest import LampHouse
from tests.thoroughness import spread

ERAS = ["legacy", "auto"]
PERSON = Caller(door="console")
MODEL = Caller(door="mcp")


@dataclass
class Forms:
    """A person before an MCP client: remembers each form, and fills it in as it was told to."""

    fill: Callable[[ElicitRequestFormParams], Awaitable[ElicitResult]]
    shown: list[ElicitRequestFormParams] = field(default_factory=list[ElicitRequestFormParams])

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.shown.append(params)
        return await self.fill(params)


def fill_in(answer: Any) -> Forms:
    """Return a person who answers every form with the same."""

    async def fill(_: ElicitRequestFormParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"answer": answer})

    return Forms(fill)


Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def house() -> LampHouse:
    return LampHouse()


@pytest.fixture
async def service(house: LampHouse) -> AsyncIterator[LocalService]:
    service = LocalService(house.open)
    yield service
    await service.close(drain_s=0)


@pytest.fixture(params=spread(ERAS, 1))
def connect(request: pytest.FixtureRequest, service: LocalService) -> Connect:
    """Connects a client in one era; its session is "mine"."""

    @asynccontextmanager
    async def open_client(person: Forms | None = None, caller: Caller = MODEL) -> AsyncGenerator[Client]:
        server = make_server(StandingService(service), Clients(lambda _: caller, "mine"))
        async with Client(server, mode=request.param, elicitation_callback=person) as client:
            yield client

    return open_client
