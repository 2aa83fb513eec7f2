"""MCP on a served app, with the SDK's own client over streamable HTTP."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from agent.access.token_gate import TokenGate
from agent.hosting.local_service import LocalService
from agent.http.app import AppParts, MountedApp, make_app
from agent.mcp.mounting import HttpDoor
from agent.service.callers import Caller
from agent.web.asking import CALLER
from agent.web.server import DoorServer, listen_on
from tests.agent.hosting.conftest import LampHouse
from tests.agent.http.conftest import PRINCIPALS
from tests.agent.mcp.conftest import ERAS, Forms, fill_in
from tests.agent.mcp.test_tools import read, read_words
from tests.thoroughness import spread

ADA = Caller(principal="ada", door="console")
Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
async def url(service: LocalService) -> AsyncIterator[str]:
    listener = listen_on("127.0.0.1", 0)
    door = HttpDoor(service, lambda scope: scope[CALLER])
    mounted = MountedApp(path="/mcp", app=door, open_up=door.open_up)
    server = DoorServer(make_app(service, TokenGate(PRINCIPALS), AppParts(mounts=(mounted,))), [listener])
    server.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    await service.close(0)
    await server.stop()


@pytest.fixture(params=spread(ERAS, 1))
def reach(request: pytest.FixtureRequest, url: str) -> Connect:
    """Connects a client over HTTP, with a token."""

    @asynccontextmanager
    async def open_client(person: Forms | None = None, token: str = "owner") -> AsyncGenerator[Client]:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=30) as http,
            Client(
                streamable_http_client(url, http_client=http), mode=request.param, elicitation_callback=person
            ) as client,
        ):
            yield client

    return open_client


async def test_a_sentence_is_done_with_progress(reach: Connect, house: LampHouse) -> None:
    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with reach() as client:
        result = await client.call_tool("do", {"text": "light hall"}, progress_callback=note)
    assert read(result)["status"] == "success"
    assert told == [1.0, 2.0]
    (lamps,) = [family.lamps for (principal, _), family in house.families.items() if principal == "ada"]
    assert lamps.shown == {"hall": "on"}


async def test_what_is_missing_is_asked_of_the_person(reach: Connect) -> None:
    person = fill_in("hall")
    async with reach(person) as client:
        assert read(await client.call_tool("do", {"text": "light"}))["status"] == "success"
    assert [form.message for form in person.shown] == ["Which room?"]


async def test_a_page_is_kept_between_the_calls_of_one_client(reach: Connect) -> None:
    async with reach() as client:
        sessions = {read(await client.call_tool("do", {"text": "light hall"}))["session"] for _ in range(2)}
    assert len(sessions) == 1
    assert next(iter(sessions)).startswith("mcp-")


async def test_a_token_that_may_approve_approves_nothing_here(
    reach: Connect, service: LocalService, house: LampHouse
) -> None:
    async with reach(fill_in("yes")) as client:
        told = read(await client.call_tool("do", {"text": "smash hall", "wait_s": 0.2}))
        asked = {"question_id": told["question"]["question_id"], "answer": "yes"}
        assert (await client.call_tool("answer", asked)).is_error
        said = await client.call_tool("do", {"text": "yes", "wait_s": 0.2})
    assert "A person has to confirm that" in read_words(said)
    assert [call for family in house.families.values() for call in family.lamps.calls] == []
    assert len(await service.list_questions(ADA)) == 1


async def test_a_token_that_only_reads_begins_nothing(reach: Connect, house: LampHouse) -> None:
    async with reach(token="reader") as client:
        result = await client.call_tool("do", {"text": "light hall"})
    assert read(result)["errors"][0]["code"] == "scope_missing"
    assert house.families == {}


async def test_what_is_another_s_is_unknown(reach: Connect) -> None:
    async with reach() as client:
        done = read(await client.call_tool("do", {"text": "light hall"}))
    async with reach(token="other") as client:
        told = await client.call_tool("status", {"run_id": done["run_id"]})
    assert read(told)["errors"][0]["code"] == "unknown_run"


async def test_a_session_of_the_protocol_is_its_principal_s_alone(url: str) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }
    async with httpx.AsyncClient(headers=headers, trust_env=False) as http:
        opened = await http.post(url, json=hello, headers={"Authorization": "Bearer owner"})
        assert opened.status_code == 200
        session = opened.headers["Mcp-Session-Id"]
        stolen = {"Authorization": "Bearer other", "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25"}
        asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        assert (await http.post(url, json=asked, headers=stolen)).status_code == 404
        own = {**stolen, "Authorization": "Bearer owner"}
        assert (await http.post(url, json=asked, headers=own)).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer nobody"}, 401),
        ({"Authorization": "Bearer owner", "Host": "evil.example"}, 421),
        ({"Authorization": "Bearer owner", "Origin": "https://evil.example"}, 403),
        ({"Authorization": "Bearer owner", "Content-Type": "text/plain"}, 415),
    ],
)
async def test_the_wall_stands_before_it(url: str, headers: dict[str, str], status: int) -> None:
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = await http.post(url, content="{}", headers={"Content-Type": "application/json", **headers})
    assert answer.status_code == status
