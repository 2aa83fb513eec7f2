"""Whether a service is this process's or another's makes no difference to who asks."""

import asyncio

import pytest

from agent.requests.session_wishes import SessionWishes
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.service.ports import Service
from core.base.errors import ApprovalError, RefusedError, SurehandError

ME = Caller(door="cli")
MODEL = Caller(door="mcp")
READER = Caller(scopes=frozenset({"read"}))


async def test_an_order_becomes_a_run_with_events_in_order_and_a_result(service: Service) -> None:
    ticket = await service.begin(ME, RunOrder(text="light hall", session="home", approvals=("apply_diff",)))
    events = [record async for record in service.follow(ME, ticket.run_id)]
    assert [record["seq"] for record in events] == list(range(len(events)))
    assert (events[0]["event"], events[-1]["event"]) == ("accepted", "final")
    found = await service.result(ME, ticket.run_id)
    assert (found["status"], found["outcome"], found["session"]) == ("ended", "success", "home")


async def test_events_are_told_from_where_they_were_cut_off(service: Service) -> None:
    ticket = await service.begin(ME, RunOrder(text="look at hall", session="home"))
    events = [record async for record in service.follow(ME, ticket.run_id)]
    for cut in range(-1, len(events)):
        assert [each["seq"] async for each in service.follow(ME, ticket.run_id, cut)] == [
            each["seq"] for each in events[cut + 1 :]
        ]


async def test_the_same_request_id_is_carried_out_once(service: Service) -> None:
    order = RunOrder(text="look at hall", session="home", request_id="one")
    first, second = await service.begin(ME, order), await service.begin(ME, order)
    assert (second.run_id, first.is_new, second.is_new) == (first.run_id, True, False)


async def test_a_plan_is_told_and_nothing_is_done(service: Service) -> None:
    planned = await service.plan(ME, RunOrder(text="light hall"))
    assert [node["name"] for node in planned["plan"]["nodes"]] == ["lamp.switch"]
    with pytest.raises(SurehandError) as caught:
        await service.plan(ME, RunOrder(text="light"))
    assert (caught.value.code, caught.value.evidence["question"]) == ("missing_slot", "Which room?")


async def test_a_run_stops_when_somebody_says_so(service: Service) -> None:
    ticket = await service.begin(ME, RunOrder(text="hold hall", session="home"))
    async for record in service.follow(ME, ticket.run_id):
        if record["event"] == "step" and record["status"] == "started":
            assert await service.stop(ME, run_id=ticket.run_id) == 1
    assert (await service.result(ME, ticket.run_id))["outcome"] == "cancelled"
    assert await service.stop(ME) == 0


async def test_a_persons_yes_counts_and_a_models_does_not(service: Service) -> None:
    ticket = await service.begin(ME, RunOrder(text="smash hall", session="home"))
    async for record in service.follow(ME, ticket.run_id):
        if record["event"] != "question":
            continue
        (question,) = await service.list_questions(ME, session="home")
        assert (question.question_id, question.kind) == (record["approval_id"], "confirm")
        with pytest.raises(RefusedError) as refused:
            await service.answer(MODEL, question.question_id, question.digest, answer=True)
        assert refused.value.code == "approval_needs_a_person"
        with pytest.raises(ApprovalError) as mismatch:
            await service.answer(ME, question.question_id, "another", answer=True)
        assert mismatch.value.code == "approval_mismatch"
        assert await service.answer(ME, question.question_id, question.digest, answer=True) is None
    assert (await service.result(ME, ticket.run_id))["outcome"] == "success"


async def test_what_a_sentence_lacks_is_asked_and_its_answer_begins_the_run(service: Service) -> None:
    ticket = await service.begin(ME, RunOrder(text="light", session="home", said=True))
    assert (await service.result(ME, ticket.run_id))["question"] == "Which room?"
    (question,) = await service.list_questions(ME)
    begun = await service.answer(ME, question.question_id, question.digest, answer="hall")
    assert begun
    assert (await service.result(ME, begun.run_id))["request"]["utterance"]


async def test_sessions_are_listed_and_closed(service: Service) -> None:
    ticket = await service.begin(ME, RunOrder(text="look at hall", session="home"))
    await service.result(ME, ticket.run_id)
    assert [each.name for each in await service.list_sessions(ME)] == ["home"]
    assert [each["run_id"] for each in await service.find_runs(ME, session="home", words="hall")] == [ticket.run_id]
    await service.close_session(ME, "home")
    assert await service.list_sessions(ME) == []


async def test_a_session_is_opened_on_purpose_once(service: Service) -> None:
    opened = await service.open_session(ME, "home", SessionWishes(base_url="http://127.0.0.1:8000", trace=True))
    assert (opened.name, opened.running) == ("home", ())
    with pytest.raises(RefusedError) as refused:
        await service.open_session(ME, "home", SessionWishes())
    assert refused.value.code == "session_open"


async def test_only_the_person_at_this_machine_attaches(service: Service) -> None:
    with pytest.raises(RefusedError) as refused:
        await service.open_session(MODEL, "home", SessionWishes(attach="http://127.0.0.1:9222", page="AB12"))
    assert refused.value.code == "attach_refused"
    assert await service.list_sessions(ME) == []


async def test_what_is_unknown_is_refused_by_its_code(service: Service) -> None:
    unknown = {
        "unknown_run": service.read_run(ME, "r1"),
        "unknown_session": service.close_session(ME, "nowhere"),
        "unknown_artifact": service.read_artifact(ME, "a1"),
    }
    for code, call in unknown.items():
        with pytest.raises(RefusedError) as caught:
            await call
        assert caught.value.code == code


async def test_a_token_without_a_scope_is_refused_before_anything_is_asked(service: Service) -> None:
    with pytest.raises(RefusedError) as caught:
        await service.begin(READER, RunOrder(text="light hall"))
    assert caught.value.code == "scope_missing"
    assert (await service.measure(READER))["status"] == "ok"


async def test_many_runs_are_followed_at_once(service: Service) -> None:
    async def run(number: int) -> str:
        ticket = await service.begin(ME, RunOrder(text="look at hall", session=f"s{number}"))
        return str((await service.result(ME, ticket.run_id))["outcome"])

    assert await asyncio.gather(*map(run, range(20))) == ["success"] * 20
