"""One request id is one run, also when the service was killed in between: acts are done once, or asked about."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.hosting.hosted_runs import A_GENERATION
from agent.hosting.local_service import LocalService
from agent.service.callers import Caller
from agent.service.orders import RunOrder, RunRecord
from agent.store.seals import Seal
from agent.store.service_runs import ServedRun, ServiceRuns
from core.base.errors import SurehandError
from tests.agent.ledger import Ledger, make_ledger_session

ME = Caller()


def order_steps(*steps: tuple[str, str], request_id: str = "one", session: str = "") -> RunOrder:
    goals = tuple(
        {"domain": "ledger", "verb": verb, "params": {"text": text}, "scope": f"after:g{n - 1}" if n else "root"}
        for n, (verb, text) in enumerate(steps)
    )
    return RunOrder(goals=goals, request_id=request_id, session=session)


def make_service(ledger: Ledger, folder: Path) -> LocalService:
    return LocalService(lambda *_: make_ledger_session(ledger, folder), shelf=ServiceRuns(folder))


async def kill(ledger: Ledger, folder: Path, halts: str, order: RunOrder) -> tuple[str, Path]:
    """Carry an order out until an act is halted; return the run, and a folder as the kill leaves it."""
    ledger.halts = halts
    service = make_service(ledger, folder)
    ticket = await service.begin(ME, order)
    await asyncio.wait_for(ledger.halted.wait(), 10)
    left = folder.with_name(f"{folder.name}-left")
    await asyncio.to_thread(shutil.copytree, folder, left, ignore=shutil.ignore_patterns("*.lock"))
    ledger.halts = ""
    await service.close(drain_s=0)
    return ticket.run_id, left


async def ask(service: LocalService, order: RunOrder) -> tuple[str, bool, RunRecord]:
    ticket = await service.begin(ME, order)
    return ticket.run_id, ticket.is_new, await service.result(ME, ticket.run_id)


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


STEPS = (("add", "one"), ("add", "two"), ("add", "three"))


@pytest.mark.parametrize("moment", ["before add", "after add"])
async def test_a_killed_services_run_is_finished_once_by_whoever_asks_again(
    moment: str, ledger: Ledger, folder: Path
) -> None:
    order = order_steps(*STEPS)
    run_id, left = await kill(ledger, folder, moment, order)
    service = make_service(ledger, left)
    assert (await service.read_run(ME, run_id))["status"] == "interrupted"
    found, is_new, record = await ask(service, order)
    assert (found, is_new, record["outcome"]) == (run_id, False, "success")
    assert ledger.lines == ["add one", "add two", "add three"]
    assert [log["result"]["status"] for log in record["step_logs"]] == ["ok", "ok", "ok"]
    await service.close()


async def test_what_came_of_a_run_is_told_again_after_the_service_ended(ledger: Ledger, folder: Path) -> None:
    order, first = order_steps(*STEPS), make_service(ledger, folder)
    run_id, _, told = await ask(first, order)
    await first.close()
    second = make_service(ledger, folder)
    assert await ask(second, order) == (run_id, False, told)
    assert [each["event"] async for each in second.follow(ME, run_id)] == ["say", "final"]
    assert [each["run_id"] for each in await second.find_runs(ME, words="THREE add")] == [run_id]
    assert await second.find_runs(ME, words="four") == []
    assert ledger.lines == ["add one", "add two", "add three"]
    await second.close()


async def test_events_of_a_run_that_is_gone_on_with_have_higher_numbers(ledger: Ledger, folder: Path) -> None:
    order = order_steps(*STEPS)
    run_id, left = await kill(ledger, folder, "after add", order)
    service = make_service(ledger, left)
    await service.begin(ME, order)
    numbers = [each["seq"] async for each in service.follow(ME, run_id, after=17)]
    assert numbers == list(range(A_GENERATION, A_GENERATION + len(numbers)))
    assert numbers
    await service.close()


async def test_whoever_follows_or_waits_for_a_run_that_was_cut_short_is_told_so(ledger: Ledger, folder: Path) -> None:
    run_id, left = await kill(ledger, folder, "before add", order_steps(*STEPS))
    service = make_service(ledger, left)
    with pytest.raises(SurehandError) as refused:
        await service.result(ME, run_id)
    assert refused.value.code == "run_interrupted"
    with pytest.raises(SurehandError) as refused:
        assert [each async for each in service.follow(ME, run_id)] == []
    assert refused.value.code == "run_interrupted"
    await service.resume(ME, run_id)
    assert (await service.result(ME, run_id))["outcome"] == "success"
    await service.close()


SETTLED = [
    ("It happened", ["post rent", "add more"], "success"),
    ("It did not happen", ["post rent"] * 2 + ["add more"], "success"),
]


@pytest.mark.parametrize(("said", "lines", "outcome"), SETTLED)
async def test_an_act_whose_end_nobody_saw_is_settled_by_a_person_at_any_door_of_theirs(
    said: str, lines: list[str], outcome: str, ledger: Ledger, folder: Path
) -> None:
    order = order_steps(("post", "rent"), ("add", "more"), session="main")
    _, left = await kill(ledger, folder, "after post", order)
    service = make_service(ledger, left)
    ticket = await service.begin(ME, order)
    asked = await first_event(service, ticket.run_id, "question")
    (question,) = await service.list_questions(ME)
    assert (question.question_id, question.digest) == (asked["approval_id"], asked["approval_digest"])
    assert (question.kind, question.run_id) == ("disambiguate", ticket.run_id)
    assert said in question.choices
    assert "Did this happen? Posted rent." in question.prompt
    for caller, answer, code in (
        (Caller(door="mcp"), said, "approval_needs_a_person"),
        (Caller(door="console"), "perhaps", "bad_input"),
    ):
        with pytest.raises(SurehandError) as refused:
            await service.answer(caller, question.question_id, question.digest, answer=answer)
        assert refused.value.code == code
    with pytest.raises(SurehandError) as refused:
        await service.answer(Caller(door="console"), question.question_id, "0" * 64, answer=said)
    assert refused.value.code == "approval_mismatch"
    await service.answer(Caller(door="console"), question.question_id, question.digest, answer=said.lower())
    assert (await service.result(ME, ticket.run_id))["outcome"] == outcome
    assert ledger.lines == lines
    await service.close()


async def test_where_nobody_can_answer_an_act_stays_unknown_and_is_not_repeated(ledger: Ledger, folder: Path) -> None:
    order = order_steps(("post", "rent"), ("add", "more"))
    _, left = await kill(ledger, folder, "after post", order)
    service = make_service(ledger, left)
    again = RunOrder(goals=order.goals, request_id="one", attended=False)
    _, _, record = await ask(service, again)
    assert record["step_logs"][0]["result"]["error"]["code"] == "outcome_unknown"
    assert ledger.lines == ["post rent"]
    await service.close()


async def test_a_request_id_can_not_be_used_for_something_else(ledger: Ledger, folder: Path) -> None:
    service = make_service(ledger, folder)
    await ask(service, order_steps(("add", "one")))
    for _ in range(2):
        with pytest.raises(SurehandError) as refused:
            await service.begin(ME, order_steps(("add", "two")))
        assert refused.value.code == "request_id_reused"
        await service.close()
        service = make_service(ledger, folder)
    other = Caller(principal="other")
    ticket = await service.begin(other, order_steps(("add", "two")))
    assert ticket.is_new
    await service.result(other, ticket.run_id)
    assert ledger.lines == ["add one", "add two"]
    await service.close()


async def test_what_another_process_is_at_work_on_is_not_done_here(ledger: Ledger, folder: Path) -> None:
    first, second = make_service(ledger, folder), make_service(ledger, folder)
    ledger.halts = "before add"
    ticket = await first.begin(ME, order_steps(("add", "one")))
    await asyncio.wait_for(ledger.halted.wait(), 10)
    with pytest.raises(SurehandError) as refused:
        await second.begin(ME, order_steps(("add", "one")))
    assert refused.value.code == "request_elsewhere"
    assert (await second.read_run(ME, ticket.run_id))["status"] == "running"
    ledger.released.set()
    await first.result(ME, ticket.run_id)
    assert ledger.lines == ["add one"]
    await first.close()
    await second.close()


async def test_runs_that_came_with_a_folder_count_for_nothing(ledger: Ledger, folder: Path, tmp_path: Path) -> None:
    foreign = ServiceRuns(folder, Seal(tmp_path / "foreign"))
    await foreign.claim(ServedRun(run_id="r" + "0" * 16, principal="", session="main", request_id="one"))
    await foreign.end(("", "r" + "0" * 16), {"reply": "Paid."}, {"outcome": "success", "reply": "Paid."})
    await foreign.close()
    service = make_service(ledger, folder)
    assert await service.find_runs(ME) == []
    _, is_new, record = await ask(service, order_steps(("add", "one")))
    assert (is_new, ledger.lines) == (True, ["add one"])
    assert record["reply"] != "Paid."
    await service.close()


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b"nonsense" * 999), lambda path: path.mkdir()])
async def test_without_a_list_of_runs_a_request_with_an_id_is_refused_and_others_run(
    spoil: Callable[[Path], Any], ledger: Ledger, folder: Path
) -> None:
    await asyncio.to_thread(folder.mkdir, 0o700)
    spoil(folder / "service.sqlite")
    service = make_service(ledger, folder)
    with pytest.raises(SurehandError) as refused:
        await service.begin(ME, order_steps(("add", "one")))
    assert refused.value.code == "runs_unavailable"
    assert ledger.lines == []
    _, is_new, record = await ask(service, order_steps(("add", "two"), request_id=""))
    assert (is_new, record["outcome"], ledger.lines) == (True, "success", ["add two"])
    assert "could not be saved" in record["diagnostics"][-1]
    await service.close()


async def first_event(service: LocalService, run_id: str, name: str) -> Any:
    async for record in service.follow(ME, run_id):
        if record["event"] == name:
            return record
    raise AssertionError(f"no {name}")


async def test_what_is_let_in_as_the_service_ends_is_told_as_stopped_and_opens_nothing(
    ledger: Ledger, folder: Path
) -> None:
    service = make_service(ledger, folder)
    beginning = asyncio.ensure_future(service.begin(ME, order_steps(("add", "one"))))
    await asyncio.sleep(0)
    await service.close(drain_s=0)
    ticket = await beginning
    record = await service.result(ME, ticket.run_id)
    assert (record["outcome"], record["errors"][0]["code"]) == ("cancelled", "stopped")
    assert ledger.lines == []
    assert await service.list_sessions(ME) == []
