"""Runs over HTTP, by a client that others made: begun, followed, asked about, stopped."""

import asyncio
import json

import httpx
import pytest

from agent.service.callers import Caller
from tests.agent.hosting.conftest import LampHouse
from tests.agent.http.conftest import Served

HALL = {"domain": "lamp", "verb": "switch", "params": {"room": "hall"}}


async def wait_for_question(client: httpx.AsyncClient) -> dict[str, str]:
    """Return the one open question, asked for by its run's events."""
    (run,) = [each for each in (await client.get("/v1/runs")).json() if each["status"] != "ended"]
    async with client.stream("GET", f"/v1/runs/{run['run_id']}/events") as events:
        async for line in events.aiter_lines():
            if line == "event: question":
                break
    (question,) = (await client.get("/v1/questions")).json()
    return question


async def test_a_run_is_answered_with_its_ticket_and_its_events_end_with_final(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/runs", json={"text": "light hall"})
    ticket = answer.json()
    assert (answer.status_code, answer.headers["location"]) == (202, f"/v1/runs/{ticket['run_id']}")
    events = (await client.get(f"/v1/runs/{ticket['run_id']}/events")).text
    records = [json.loads(line.removeprefix("data: ")) for line in events.splitlines() if line.startswith("data: ")]
    assert [each["event"] for each in records] == ["accepted", "step", "step", "say", "final"]
    assert [int(line[4:]) for line in events.splitlines() if line.startswith("id: ")] == [
        each["seq"] for each in records
    ]


async def test_who_waits_is_answered_with_what_came_of_it(client: httpx.AsyncClient, house: LampHouse) -> None:
    answer = await client.post("/v1/runs", json={"goals": [HALL], "session": "main", "wait": True})
    assert (answer.status_code, answer.json()["outcome"], answer.json()["session"]) == (200, "success", "main")
    assert house.families["ada", "main"].lamps.shown["hall"] == "on"


async def test_a_fault_of_ours_is_told_by_its_kind_and_written_to_the_log(
    served: Served, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError("a private word")

    monkeypatch.setattr(served.service, "list_sessions", fail)
    answer = await client.get("/v1/sessions")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["kind"]) == (500, "internal_error", "fault")
    assert error["message"] == "Surehand failed while it answered: ZeroDivisionError."
    assert "private" not in answer.text
    assert "ZeroDivisionError: a private word" in caplog.text


async def test_null_is_absence(client: httpx.AsyncClient) -> None:
    described = (await client.get("/v1/openapi.json")).json()["components"]["schemas"]
    for asked, kind in ({"text": "light hall"}, "TextOrder"), ({"goals": [HALL]}, "GoalsOrder"):
        order = dict.fromkeys(described[kind]["properties"]) | asked | {"wait": True}
        assert (await client.post("/v1/runs", json=order)).json().get("outcome") == "success", kind
    session = await client.put("/v1/sessions/new", json=dict.fromkeys(described["SessionBody"]["properties"]))
    assert session.json()["name"] == "new"
    refused = await client.post("/v1/sessions/new/say", json={"text": None})
    assert refused.json()["error"]["evidence"]["fields"] == [{"field": "text", "why": "Field required"}]


async def test_events_go_on_behind_the_last_that_was_seen(client: httpx.AsyncClient) -> None:
    run_id = (await client.post("/v1/runs", json={"text": "light hall", "wait": True})).json()["run_id"]
    rest = await client.get(f"/v1/runs/{run_id}/events", headers={"Last-Event-ID": "3"})
    assert [line for line in rest.text.splitlines() if line.startswith("id: ")] == ["id: 4"]
    assert (await client.get(f"/v1/runs/{run_id}/events?after=4")).text == ""


async def test_the_same_request_id_is_one_run(client: httpx.AsyncClient) -> None:
    order = {"text": "light hall", "session": "main", "request_id": "once"}
    first, second = [(await client.post("/v1/runs", json=order)).json() for _ in range(2)]
    assert (first["run_id"], first["is_new"], second["is_new"]) == (second["run_id"], True, False)


async def test_a_question_is_answered_by_id_and_digest(client: httpx.AsyncClient, house: LampHouse) -> None:
    await client.post("/v1/runs", json={"text": "smash hall", "session": "main"})
    question = await wait_for_question(client)
    wrong = await client.post(f"/v1/questions/{question['question_id']}", json={"digest": "other", "answer": True})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (409, "approval_mismatch")
    right = {"digest": question["digest"], "answer": True}
    answered = await client.post(f"/v1/questions/{question['question_id']}", json=right)
    assert answered.json() == {"answered": question["question_id"], "run": None}
    await client.get(f"/v1/runs/{question['run_id']}/events")
    assert (await client.get(f"/v1/runs/{question['run_id']}")).json()["outcome"] == "success"


async def test_a_yes_needs_the_scope_for_it(served: Served, client: httpx.AsyncClient) -> None:
    await client.post("/v1/runs", json={"text": "smash hall", "session": "main"})
    question = await wait_for_question(client)
    async with served.open("runner") as runner:
        answer = {"digest": question["digest"], "answer": True}
        said = await runner.post(f"/v1/questions/{question['question_id']}", json=answer)
    assert (said.status_code, said.json()["error"]["code"]) == (403, "approval_needs_a_person")


async def test_what_is_another_principals_is_unknown(served: Served, client: httpx.AsyncClient) -> None:
    run_id = (await client.post("/v1/runs", json={"text": "light hall", "session": "main"})).json()["run_id"]
    async with served.open("other") as other:
        paths = [f"/v1/runs/{run_id}", f"/v1/runs/{run_id}/events", f"/v1/runs/{run_id}/artifacts", "/v1/sessions/main"]
        assert [(await other.get(path)).status_code for path in paths] == [404] * 4
        assert (await other.get("/v1/runs")).json() == (await other.get("/v1/sessions")).json() == []


async def test_who_may_only_read_begins_nothing(served: Served) -> None:
    async with served.open("reader") as reader:
        refused = await reader.post("/v1/runs", json={"text": "light hall"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "scope_missing")
        assert (await reader.get("/v1/runs")).json() == []


@pytest.mark.parametrize("path", ["/v1/runs/{run_id}/stop", "/v1/sessions/main/stop", "/v1/stop"])
async def test_a_second_client_stops_a_run_even_beyond_its_quota(served: Served, path: str) -> None:
    async with served.open("hasty") as client:
        run_id = (await client.post("/v1/runs", json={"text": "hold hall", "session": "main"})).json()["run_id"]
        async with client.stream("GET", f"/v1/runs/{run_id}/events") as events:
            async for line in events.aiter_lines():
                if line == "event: step":
                    break
    async with served.open("hasty") as second:
        assert (await second.get("/v1/runs")).status_code == 429
        began = asyncio.get_running_loop().time()
        assert (await second.post(path.format(run_id=run_id))).json() == {"stopped": 1}
    record = await served.service.result(Caller(principal="eve"), run_id)
    assert record["outcome"] == "cancelled"
    assert asyncio.get_running_loop().time() - began < 10  # what is held would never end


async def test_what_is_said_in_a_session_may_be_an_answer(client: httpx.AsyncClient, house: LampHouse) -> None:
    asked = await client.post("/v1/sessions/main/say", json={"text": "light", "wait": True})
    assert asked.json()["expects_reply"] is True
    answered = await client.post("/v1/sessions/main/say", json={"text": "hall", "wait": True})
    assert answered.json()["outcome"] == "success"
    assert house.families["ada", "main"].lamps.shown["hall"] == "on"


async def test_a_session_is_listed_and_closed(client: httpx.AsyncClient) -> None:
    await client.post("/v1/runs", json={"text": "light hall", "session": "main", "wait": True})
    assert [each["name"] for each in (await client.get("/v1/sessions")).json()] == ["main"]
    assert (await client.delete("/v1/sessions/main")).json() == {"closed": "main"}
    assert (await client.get("/v1/sessions/main")).status_code == 404


async def test_a_plan_is_what_the_command_line_prints_and_does_nothing(
    client: httpx.AsyncClient, house: LampHouse
) -> None:
    plan = (await client.post("/v1/plan", json={"text": "light hall", "session": "main"})).json()
    assert [node["name"] for node in plan["plan"]["nodes"]] == ["lamp.switch"]
    assert house.families["ada", "main"].lamps.shown == {}
    refused = await client.post("/v1/plan", json={"text": "make me a sandwich"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "no_intent_match")
