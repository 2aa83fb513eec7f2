"""A question says whether the yes of whoever lists it counts."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.hosting.local_service import LocalService
from agent.service.callers import ALL_SCOPES, Caller, Door
from agent.service.orders import RunOrder
from agent.serving.opening import make_local_service
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings
from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import SurehandError


@pytest.mark.parametrize(
    ("door", "needs_person"), [("chat", False), ("console", False), ("voice", True), ("mcp", True)]
)
async def test_a_question_says_whose_yes_it_needs(door: Door, needs_person: bool, service: LocalService) -> None:
    ticket = await service.begin(Caller(), RunOrder(text="smash hall", session="main"))
    async for event in service.follow(Caller(), ticket.run_id):
        if event["event"] == "question":
            break
    (asked,) = await service.list_questions(Caller(door=door))
    assert asked.needs_person is needs_person


GUEST = Caller(principal="guest", scopes=frozenset({"read", "run"}), door="http")
OWNER = Caller(door="console")
DEPUTY = Caller(principal="deputy", scopes=frozenset({"read", "run", "approve", "approve-all"}), door="console")
COLLEAGUE = Caller(principal="colleague", scopes=ALL_SCOPES, door="console")


async def ask(service: LocalService, caller: Caller = GUEST) -> str:
    """Begin a run that waits for a yes, and return its id."""
    ticket = await service.begin(caller, RunOrder(text="smash hall", session="main"))
    async for event in service.follow(caller, ticket.run_id):
        if event["event"] == "question":
            break
    return ticket.run_id


@pytest.mark.parametrize("caller", [OWNER, DEPUTY], ids=["owner", "deputy"])
async def test_what_a_guest_may_not_approve_is_asked_of_who_may_for_all(caller: Caller, service: LocalService) -> None:
    run_id = await ask(service)
    (asked,) = await service.list_questions(caller)
    assert (asked.asker, asked.needs_person, asked.run_id) == ("guest", False, run_id)
    await service.answer(caller, asked.question_id, asked.digest, answer=True)
    assert (await service.result(GUEST, run_id))["outcome"] == "success"


async def test_the_owners_question_is_told_to_a_deputy_as_the_persons(service: LocalService) -> None:
    await ask(service, OWNER)
    assert [each.asker for each in await service.list_questions(OWNER)] == [""]
    assert [each.asker for each in await service.list_questions(DEPUTY)] == ["person"]


async def test_a_session_that_is_named_is_ones_own_and_never_anothers(service: LocalService) -> None:
    await ask(service)
    assert await service.list_questions(OWNER, session="main") == []


@pytest.mark.parametrize(
    "caller",
    [COLLEAGUE, Caller(door="mcp"), Caller(scopes=frozenset({"read", "run"})), replace(DEPUTY, door="voice")],
    ids=["colleague", "model of the owner", "owner without approve", "voice of the deputy"],
)
async def test_nobody_else_sees_or_answers_it(caller: Caller, service: LocalService) -> None:
    run_id = await ask(service)
    (asked,) = await service.list_questions(GUEST)
    assert await service.list_questions(caller) == []
    for answer in (True, False):
        with pytest.raises(SurehandError) as refused:
            await service.answer(caller, asked.question_id, asked.digest, answer=answer)
        assert refused.value.code == "unknown_question"
    with pytest.raises(SurehandError) as refused:
        await service.answer(GUEST, asked.question_id, asked.digest, answer=True)
    assert refused.value.code == "approval_needs_a_person"
    assert (await service.read_run(GUEST, run_id))["status"] == "running"


async def test_who_may_only_read_may_say_no_to_their_own_question_and_no_more(service: LocalService) -> None:
    reader = replace(GUEST, scopes=frozenset({"read"}))
    run_id = await ask(service)
    (asked,) = await service.list_questions(reader)
    with pytest.raises(SurehandError) as refused:
        await service.answer(reader, asked.question_id, asked.digest, answer=True)
    assert refused.value.code == "scope_missing"
    await service.answer(reader, asked.question_id, asked.digest, answer=False)
    assert (await service.result(GUEST, run_id))["outcome"] != "success"


async def test_what_words_answer_is_asked_of_whoever_speaks_alone(service: LocalService) -> None:
    ticket = await service.begin(GUEST, RunOrder(text="light", said=True, session="main"))
    await service.result(GUEST, ticket.run_id)
    (asked,) = await service.list_questions(GUEST)
    assert await service.list_questions(OWNER) == []
    with pytest.raises(SurehandError) as refused:
        await service.answer(OWNER, asked.question_id, asked.digest, answer="hall")
    assert refused.value.code == "unknown_question"


async def test_the_journal_says_who_said_yes(tmp_path: Path) -> None:
    service = make_local_service(Settings(), tmp_path)
    goal = {"domain": "file", "verb": "write", "params": {"path": "workspace:/notes.txt", "content": "milk\n"}}
    ticket = await service.begin(GUEST, RunOrder(goals=(goal,)))
    async for event in service.follow(GUEST, ticket.run_id):
        if event["event"] == "question":
            break
    (asked,) = await service.list_questions(OWNER)
    await service.answer(OWNER, asked.question_id, asked.digest, answer=True)
    assert (await service.result(GUEST, ticket.run_id))["outcome"] == "success"
    given = await service.begin(OWNER, RunOrder(goals=({**goal, "verb": "append"},), approvals=("apply_diff",)))
    assert (await service.result(OWNER, given.run_id))["outcome"] == "success"
    await service.close()
    for principal, run_id in (("guest", ticket.run_id), ("", given.run_id)):
        journal = SqliteJournal(locate_state(tmp_path, principal))
        rows = [each.entry.body for each in (await journal.read(run_id)).rows if each.entry.state == "approved"]
        assert [row["said_by"] for row in rows] == ["person (console)"]
        await journal.close()
