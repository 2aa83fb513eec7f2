"""Events by WebSocket, with a client of another's making."""

import json
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.agent.http.conftest import Served

OWNER = {"Authorization": "Bearer owner"}


async def light(client: httpx.AsyncClient) -> str:
    """Carry a run out, and return its id."""
    answer = await client.post("/v1/runs", json={"text": "light hall", "session": "s", "wait": True})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["run_id"])


def locate(served: Served, run_id: str, after: int = -1) -> str:
    return f"ws://127.0.0.1:{served.port}/v1/runs/{run_id}/events/socket?after={after}"


async def read_all(served: Served, run_id: str, after: int = -1) -> list[dict[str, Any]]:
    """Return the events that come until the service closes behind the last."""
    async with connect(locate(served, run_id, after), additional_headers=OWNER, proxy=None) as socket:
        events: list[dict[str, Any]] = [json.loads(message) async for message in socket]
        assert socket.close_code == 1000
    return events


async def test_a_socket_gives_every_event_in_order_and_closes_behind_the_last(
    served: Served, client: httpx.AsyncClient
) -> None:
    events = await read_all(served, await light(client))
    assert [each["seq"] for each in events] == list(range(len(events)))
    assert (events[0]["event"], events[-1]["event"]) == ("accepted", "final")


async def test_a_socket_goes_on_behind_the_event_that_its_client_knows(
    served: Served, client: httpx.AsyncClient
) -> None:
    run_id = await light(client)
    whole = await read_all(served, run_id)
    for known in range(len(whole) - 1):
        assert await read_all(served, run_id, known) == whole[known + 1 :]


@pytest.mark.parametrize(
    ("token", "run_id", "status"), [("", "", 401), ("wrong", "", 401), ("other", "", 404), ("owner", "r0", 404)]
)
async def test_a_socket_is_refused_before_it_opens(
    token: str, run_id: str, status: int, served: Served, client: httpx.AsyncClient
) -> None:
    place = locate(served, run_id or await light(client))
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with pytest.raises(InvalidStatus) as refused:
        await connect(place, additional_headers=headers, proxy=None)
    assert refused.value.response.status_code == status


async def test_a_page_of_another_origin_opens_no_socket(served: Served, client: httpx.AsyncClient) -> None:
    place = locate(served, await light(client))
    with pytest.raises(InvalidStatus) as refused:
        await connect(place, additional_headers=OWNER, origin=Origin("http://evil.example"), proxy=None)
    assert refused.value.response.status_code == 403
