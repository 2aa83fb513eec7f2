"""What goes through a client that has to call again: it can't be made up, moved to other calls, or used by others."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp_types import ElicitResult, InputRequiredResult

from agent.hosting.local_service import LocalService
from agent.mcp.following import ProgressTeller
from agent.mcp.server import Clients, StandingService, make_server
from agent.service.callers import Caller
from tests.agent.hosting.conftest import LampHouse
from tests.agent.mcp.conftest import fill_in

WISH = {"text": "light"}


@asynccontextmanager
async def connect(service: LocalService, callers: list[Caller]) -> AsyncGenerator[Client]:
    """Connect a client of the newer era; whoever is first in the list calls."""
    server = make_server(StandingService(service), Clients(lambda _: callers[0], "mine"))
    async with Client(server, elicitation_callback=fill_in("hall")) as client:
        yield client


async def begin(client: Client) -> InputRequiredResult:
    result = await client.session.call_tool("do", WISH, allow_input_required=True)
    assert isinstance(result, InputRequiredResult)
    return result


async def call_again(client: Client, asked: InputRequiredResult, state: str, wish: dict[str, Any]) -> Any:
    answers = {key: ElicitResult(action="accept", content={"answer": "hall"}) for key in asked.input_requests or {}}
    return await client.session.call_tool(
        "do", wish, input_responses=dict(answers), request_state=state, allow_input_required=True
    )


async def test_what_a_client_sends_back_goes_on_where_it_was(service: LocalService, house: LampHouse) -> None:
    async with connect(service, [Caller(door="mcp")]) as client:
        asked = await begin(client)
        result = await call_again(client, asked, asked.request_state or "", WISH)
    assert result.structured_content["status"] == "success"
    assert house.families["", "mine"].lamps.calls == ["switch hall on"]


@pytest.mark.parametrize("forged", ["", "made up", '["r1", "mine", -1, [], "q"]', "v1.AAAA"])
async def test_what_a_client_makes_up_is_refused(service: LocalService, house: LampHouse, forged: str) -> None:
    async with connect(service, [Caller(door="mcp")]) as client:
        asked = await begin(client)
        with pytest.raises(MCPError, match="requestState"):
            await call_again(client, asked, forged, WISH)
    assert house.families["", "mine"].lamps.calls == []


async def test_it_holds_for_its_own_call_and_its_own_principal_only(service: LocalService) -> None:
    callers = [Caller(door="mcp")]
    async with connect(service, callers) as client:
        asked = await begin(client)
        with pytest.raises(MCPError, match="requestState"):
            await call_again(client, asked, asked.request_state or "", {"text": "light it"})
        callers[0] = Caller(principal="other", door="mcp")
        with pytest.raises(MCPError, match="requestState"):
            await call_again(client, asked, asked.request_state or "", WISH)


STEPS = st.lists(
    st.one_of(
        st.builds(lambda count: {"event": "accepted", "plan": {"nodes": [{}] * count}}, st.integers(0, 5)),
        st.builds(
            lambda number, status: {
                "event": "step",
                "action_id": f"a{number}",
                "status": status,
                "description": "Do it",
            },
            st.integers(0, 4),
            st.sampled_from(["started", "ok", "failed", "skipped"]),
        ),
        st.just({"event": "say", "text": "x"}),
    )
)


@given(STEPS)
async def test_progress_strictly_increases_whatever_a_run_tells(events: list[dict[str, Any]]) -> None:
    told: list[float] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)
        assert message

    teller = ProgressTeller(report)
    for event in events:
        await teller.tell(event)
    assert all(earlier < later for earlier, later in pairwise(told))
