"""What goes wrong in one session harms no other, and what nobody uses any more is closed."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.hosting.hosted_sessions import Quota
from agent.hosting.hub import ServiceLimits
from agent.hosting.local_service import LocalService
from agent.requests.session_wishes import SessionWishes
from agent.service.callers import Caller
from agent.service.orders import RunOrder, RunRecord
from agent.sessions.session import AgentSession
from core.base.errors import RefusedError, SurehandError
from tests.agent.hosting.conftest import LampHouse
from tests.agent.ledger import Ledger, make_ledger_session

ME = Caller()
OTHER = Caller(principal="other")
POST = RunOrder(goals=({"domain": "ledger", "verb": "post", "params": {"text": "rent"}},), session="ledger")


async def carry_out(service: LocalService, order: RunOrder, caller: Caller = ME) -> RunRecord:
    ticket = await service.begin(caller, order)
    return await service.result(caller, ticket.run_id)


async def wait_until_closed(service: LocalService, caller: Caller = ME) -> None:
    """Wait until no session of a caller is open."""
    nothing = asyncio.Event()
    for _ in range(500):
        if not await service.list_sessions(caller):
            return
        await asyncio.wait({asyncio.ensure_future(nothing.wait())}, timeout=0.01)
        nothing = asyncio.Event()
    raise AssertionError("still open")


@pytest.mark.parametrize(
    "fault", [ZeroDivisionError("no"), RefusedError("The folder is unsafe.", code="unsafe_folder")]
)
async def test_a_session_that_can_not_be_opened_ends_its_run_alone(fault: Exception, house: LampHouse) -> None:
    def open_session(principal: str, name: str, _: SessionWishes) -> AgentSession:
        if name == "bad":
            raise fault
        return house.open(principal, name)

    service = LocalService(open_session)
    bad, good = await asyncio.gather(
        carry_out(service, RunOrder(text="light hall", session="bad")),
        carry_out(service, RunOrder(text="light hall", session="good")),
    )
    expected = "unsafe_folder" if isinstance(fault, RefusedError) else "internal_error"
    assert [each["code"] for each in bad["errors"]] == [expected]
    assert ("fault in Surehand" in bad["reply"]) == (expected == "internal_error")
    assert good["outcome"] == "success"
    await service.close()


async def test_an_act_that_can_not_be_stopped_is_told_in_time_and_holds_up_nobody(
    house: LampHouse, tmp_path: Path
) -> None:
    ledger = Ledger(halts="before post", is_stubborn=True)

    def open_session(principal: str, name: str, _: SessionWishes) -> AgentSession:
        return make_ledger_session(ledger, tmp_path / "state") if name == "ledger" else house.open(principal, name)

    service = LocalService(open_session)
    ticket = await service.begin(ME, POST)
    await asyncio.wait_for(ledger.halted.wait(), 10)
    assert (await carry_out(service, RunOrder(text="light hall", session="lamps")))["outcome"] == "success"
    began = time.perf_counter()
    assert await service.stop(ME, run_id=ticket.run_id) == 1
    record = await service.result(ME, ticket.run_id)
    assert (
        time.perf_counter() - began < 2
    )  # 0.2 s where nothing else goes on; a busy machine takes longer, and what is held never ends
    assert record["step_logs"][0]["result"]["status"] == "cancelled" or record["outcome"] != "success"
    ledger.released.set()
    await service.close()


async def test_many_sessions_at_once_all_end(house: LampHouse) -> None:
    service = LocalService(house.open)
    orders = [RunOrder(text="light hall", session=f"room-{number}") for number in range(200)]
    records = await asyncio.gather(*(carry_out(service, each) for each in orders))
    assert {each["outcome"] for each in records} == {"success"}
    assert len(await service.list_sessions(ME)) == 200
    assert (await service.measure(ME))["sessions"] == 200
    await service.close()
    assert {family.closed for family in house.families.values()} == {1}


async def test_a_session_that_nobody_uses_is_closed(house: LampHouse) -> None:
    service = LocalService(house.open, ServiceLimits(session_idle_s=0.02))
    await carry_out(service, RunOrder(text="light hall", session="main"))
    await wait_until_closed(service)
    await service.close()
    assert house.families["", "main"].closed == 1


async def test_a_session_in_which_something_waits_stays_open(house: LampHouse) -> None:
    service = LocalService(house.open, ServiceLimits(session_idle_s=0.0))
    ticket = await service.begin(ME, RunOrder(text="smash hall", session="main"))
    async for record in service.follow(ME, ticket.run_id):
        if record["event"] == "question":
            break
    (question,) = await service.list_questions(ME)
    for _ in range(20):
        await asyncio.sleep(0)
    assert [each.name for each in await service.list_sessions(ME)] == ["main"]
    await service.answer(ME, question.question_id, question.digest, answer=True)
    assert (await service.result(ME, ticket.run_id))["outcome"] == "success"
    await wait_until_closed(service)
    await service.close()


async def test_who_has_too_much_going_on_is_refused_and_nobody_else_is(house: LampHouse) -> None:
    few = ServiceLimits(quotas={"other": Quota(sessions=1, runs=2)})
    service = LocalService(house.open, few)
    first = await service.begin(OTHER, RunOrder(text="hold hall", session="main", request_id="one"))
    await service.begin(OTHER, RunOrder(text="light hall", session="main"))
    with pytest.raises(SurehandError) as refused:
        await service.begin(OTHER, RunOrder(text="light hall", session="main"))
    assert (refused.value.code, refused.value.evidence["retry_after_s"]) == ("over_quota", 1)
    again = await service.begin(OTHER, RunOrder(text="hold hall", session="main", request_id="one"))
    assert (again.run_id, again.is_new) == (first.run_id, False)
    assert (await carry_out(service, RunOrder(text="light hall", session="main")))["outcome"] == "success"
    await service.stop(OTHER)
    await service.result(OTHER, first.run_id)
    record = await carry_out(service, RunOrder(text="light hall", session="second"), OTHER)
    assert [each["code"] for each in record["errors"]] == ["over_quota"]
    await service.close()


async def test_runs_that_end_in_time_are_not_stopped_by_a_service_that_ends(house: LampHouse) -> None:
    service = LocalService(house.open)
    tickets = [await service.begin(ME, RunOrder(text=f"light {room}", session="main")) for room in ("hall", "attic")]
    await service.close()
    records: Sequence[RunRecord] = [await service.result(ME, each.run_id) for each in tickets]
    assert [each["outcome"] for each in records] == ["success", "success"]


async def test_a_closed_session_can_be_opened_again_and_is_a_new_one(house: LampHouse) -> None:
    service = LocalService(house.open)
    await carry_out(service, RunOrder(text="light", said=True, session="main"))
    assert len(await service.list_questions(ME)) == 1
    await service.close_session(ME, "main")
    assert await service.list_questions(ME) == []
    with pytest.raises(SurehandError) as refused:
        await service.close_session(ME, "main")
    assert refused.value.code == "unknown_session"
    assert (await carry_out(service, RunOrder(text="light hall", session="main")))["outcome"] == "success"
    await service.close()


async def test_what_waits_in_a_session_that_is_closed_is_told_as_stopped(house: LampHouse) -> None:
    service = LocalService(house.open)
    first = await service.begin(ME, RunOrder(text="hold hall", session="main"))
    second = await service.begin(ME, RunOrder(text="light cellar", session="main"))
    async for record in service.follow(ME, first.run_id):
        if record["event"] == "step":
            break
    await service.close_session(ME, "main")
    assert (await service.result(ME, first.run_id))["outcome"] == "cancelled"
    assert (await service.result(ME, second.run_id))["outcome"] == "cancelled"
    await service.close()


@pytest.mark.parametrize("name", ["", "a/b", "..", "a b", "x" * 65, "ä", "-a", "a\n"])
async def test_a_session_needs_a_plain_name(name: str, service: LocalService) -> None:
    with pytest.raises(SurehandError) as refused:
        await service.look(ME, name, {})
    assert refused.value.code == "bad_session_name"
