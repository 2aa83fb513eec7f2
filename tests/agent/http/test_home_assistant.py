"""Home Assistant's conversation API, held to the shape that its documentation and its own code give."""

from typing import Any

import httpx
import pytest

from agent.service.callers import Caller
from tests.agent.hosting.conftest import LampHouse
from tests.agent.http.conftest import Served

PATH = "/api/conversation/process"


async def process(client: httpx.AsyncClient, text: str, **more: Any) -> dict[str, Any]:
    answer = await client.post(PATH, json={"text": text, "language": "en", **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def check_shape(answer: dict[str, Any]) -> None:
    """Hold an answer to `ConversationResult.as_dict` and `IntentResponse.as_dict` of Home Assistant."""
    assert set(answer) == {"response", "conversation_id", "continue_conversation"}
    response = answer["response"]
    assert set(response) == {"speech", "card", "language", "response_type", "data"}
    assert set(response["speech"]["plain"]) == {"speech", "extra_data"}
    assert response["response_type"] in {"action_done", "query_answer", "error"}
    if response["response_type"] == "error":
        assert response["data"]["code"] in {"no_intent_match", "no_valid_targets", "failed_to_handle", "unknown"}
    else:
        assert set(response["data"]) == {"targets", "success", "failed"}


async def test_what_was_said_is_done_and_answered_in_that_shape(client: httpx.AsyncClient, house: LampHouse) -> None:
    answer = await process(client, "light hall", conversation_id="01JABC", agent_id="surehand")
    check_shape(answer)
    assert answer["response"]["speech"]["plain"]["speech"] == "I switched hall on."
    assert answer["response"]["response_type"] == "action_done"
    assert (answer["conversation_id"], answer["continue_conversation"]) == ("01JABC", False)
    assert house.families["ada", "home.01JABC"].lamps.shown["hall"] == "on"


async def test_what_was_read_is_a_query_answer(client: httpx.AsyncClient) -> None:
    assert (await process(client, "look at hall"))["response"]["response_type"] == "query_answer"


async def test_a_conversation_goes_on_by_the_id_that_was_given(client: httpx.AsyncClient) -> None:
    asked = await process(client, "light")
    check_shape(asked)
    assert asked["response"]["speech"]["plain"]["speech"] == "Which room?"
    assert asked["continue_conversation"] is True
    done = await process(client, "hall", conversation_id=asked["conversation_id"])
    assert done["response"]["response_type"] == "action_done"
    other = await process(client, "hall")
    assert other["response"]["response_type"] == "error"


@pytest.mark.parametrize(
    ("text", "code"),
    [("make me a sandwich", "no_intent_match"), ("", "no_intent_match"), ("light cellar", "failed_to_handle")],
)
async def test_what_fails_is_an_error_in_that_shape(client: httpx.AsyncClient, text: str, code: str) -> None:
    answer = await process(client, text)
    check_shape(answer)
    assert answer["response"]["data"] == {"code": code}
    assert answer["response"]["speech"]["plain"]["speech"]


async def test_a_yes_does_not_approve_whatever_the_token(served: Served, house: LampHouse) -> None:
    for token in ("owner", "runner"):
        async with served.open(token) as client:
            asked = await process(client, "smash hall", conversation_id=token)
            assert asked["continue_conversation"] is True
            assert "A person has to confirm that" in asked["response"]["speech"]["plain"]["speech"]
            again = await process(client, "yes", conversation_id=token)
            assert "A person has to confirm that" in again["response"]["speech"]["plain"]["speech"]
            assert house.families["ada", f"home.{token}"].lamps.calls == []
    await served.service.stop(Caller(principal="ada"))


async def test_what_else_callers_send_is_let_go_by(client: httpx.AsyncClient) -> None:
    check_shape(await process(client, "light hall", device_id="kitchen", conversation_id=None, exposed_entities=[]))


async def test_what_nobody_can_go_on_with_leaves_no_session(client: httpx.AsyncClient, served: Served) -> None:
    for _ in range(3):
        await process(client, "light hall")
    await process(client, "light")
    await process(client, "light hall", conversation_id="kept")
    sessions = {each.name for each in await served.service.list_sessions(Caller(principal="ada"))}
    assert "home.kept" in sessions
    assert len(sessions) == 2


@pytest.mark.parametrize("body", [{}, {"text": 7}, {"text": None}, {"text": "x", "conversation_id": 7}, []])
async def test_what_is_no_request_is_refused(client: httpx.AsyncClient, body: Any) -> None:
    assert (await client.post(PATH, json=body)).status_code == 422


async def test_a_token_is_needed(served: Served) -> None:
    async with served.open("wrong") as client:
        assert (await client.post(PATH, json={"text": "light hall"})).status_code == 401
