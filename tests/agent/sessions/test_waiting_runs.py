"""A run that waits for another process to end its own is stopped as fast as any other, and has done nothing."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.sessions.undo import UndoRequest
from agent.store.journal.sqlite_journal import SqliteJournal
from core.approvals.approvals import ApprovalRequest
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.tool_results import RunResult
from tests.agent.ledger import Ledger, chain, make_ledger_session
from tests.agent.store.conftest import Child

LONG_S = 8.0
"""Far less than a run waits for the journal, and far more than a stop takes."""


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


async def leave_run(ledger: Ledger, folder: Path) -> str:
    async with make_ledger_session(ledger, folder) as session:
        return (await session.run(Request(goals=chain(("add", "rent"))))).run_id


@pytest.mark.parametrize("kind", ["run", "resume"])
async def test_a_run_that_waits_for_the_journal_is_stopped_at_once(ledger: Ledger, tmp_path: Path, kind: str) -> None:
    run_id = await leave_run(ledger, tmp_path / "state")
    lines = list(ledger.lines)
    with FileLock(tmp_path / "state/journal.lock", thread_local=False):
        async with make_ledger_session(ledger, tmp_path / "state") as session:

            def begin() -> asyncio.Future[RunResult]:
                if kind == "run":
                    return asyncio.ensure_future(session.run(Request(goals=chain(("post", "rent")))))
                return asyncio.ensure_future(session.resume(ResumeRequest(run_id=run_id)))

            waiting = begin()
            await asyncio.wait({waiting}, timeout=0.1)
            began = time.monotonic()
            session.stop()
            result = await waiting
        assert time.monotonic() - began < LONG_S
    assert (ledger.lines, result.outcome) == (lines, "cancelled")


async def test_taking_a_run_back_that_waits_for_the_journal_is_stopped_at_once(ledger: Ledger, tmp_path: Path) -> None:
    run_id = await leave_run(ledger, tmp_path / "state")
    with FileLock(tmp_path / "state/journal.lock", thread_local=False):
        async with make_ledger_session(ledger, tmp_path / "state") as session:
            waiting = asyncio.ensure_future(session.undo(UndoRequest(run_id=run_id)))
            await asyncio.wait({waiting}, timeout=0.1)
            began = time.monotonic()
            session.stop()
            result = await waiting
        assert time.monotonic() - began < LONG_S
    assert [error.code for error in result.errors] == ["stopped"]
    assert ledger.lines == ["add rent"]


def is_free(folder: Path) -> bool:
    try:
        with FileLock(folder / "journal.lock", thread_local=False).acquire(timeout=0):
            return True
    except Timeout:
        return False


def wait_until_free(folder: Path) -> None:
    FileLock(folder / "journal.lock", thread_local=False).acquire(timeout=LONG_S).lock.release()


async def test_nobody_takes_a_run_up_while_an_act_of_it_still_goes_on_that_was_stopped(
    ledger: Ledger, tmp_path: Path
) -> None:
    ledger.halts, ledger.is_stubborn = "before add", True
    async with make_ledger_session(ledger, tmp_path) as session:
        running = asyncio.ensure_future(session.run(Request(goals=chain(("add", "rent")))))
        await ledger.halted.wait()
        session.stop()
        run_id = (await running).run_id
        assert not is_free(tmp_path)
        refused = [await session.resume(ResumeRequest(run_id=run_id)), await session.undo(UndoRequest(run_id=run_id))]
        assert [[error.code for error in each.errors] for each in refused] == [["run_alive"], ["run_alive"]]
        ledger.released.set()
        async with asyncio.timeout(LONG_S):
            await asyncio.to_thread(wait_until_free, tmp_path)
        assert (await session.resume(ResumeRequest(run_id=run_id))).outcome == "success"
    assert ledger.lines == ["add rent"]


class Person:
    """Somebody who answers when they are told to."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answered = asyncio.Event()

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.set()
        await self.answered.wait()
        return True


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Child]:
    """Another process with the same journal."""
    child = Child(tmp_path / "state", 10)
    yield child
    child.end()


ASKING = Policy(rules=(PolicyRule(verdict="ask", verbs=("ledger.*",)),))


@pytest.mark.parametrize("row", ["begun", "resumed"])
async def test_a_run_lets_another_process_write_while_a_person_is_asked_and_acts_only_if_it_is_still_its_own(
    ledger: Ledger, tmp_path: Path, other: Child, row: str
) -> None:
    async with make_ledger_session(ledger, tmp_path / "state") as session:
        person = Person()
        request = Request(goals=chain(("post", "rent")), gate=person, policy=ASKING)
        running = asyncio.ensure_future(session.run(request))
        await asyncio.wait_for(person.asked.wait(), 10)
        (run_id,) = await session_runs(tmp_path)
        is_taken = row == "resumed"
        assert await asyncio.to_thread(other.ask, run=run_id if is_taken else "r2", action="", state=row) == "ok"
        assert await asyncio.to_thread(other.ask, release=True) == "ok"
        person.answered.set()
        result = await running
    assert ledger.lines == ([] if is_taken else ["post rent"])
    assert [each.result.error.code if each.result.error else "" for each in result.step_logs] == (
        ["journal_lost"] if is_taken else [""]
    )


async def test_a_run_whose_question_is_stopped_does_not_wait_for_another_process(
    ledger: Ledger, tmp_path: Path, other: Child
) -> None:
    async with make_ledger_session(ledger, tmp_path / "state") as session:
        person = Person()
        request = Request(goals=chain(("post", "rent")), gate=person, policy=ASKING)
        running = asyncio.ensure_future(session.run(request))
        await asyncio.wait_for(person.asked.wait(), 10)
        assert await asyncio.to_thread(other.ask, run="r2", action="", state="begun") == "ok"
        began = time.monotonic()
        session.stop()
        result = await running
        assert time.monotonic() - began < LONG_S
    assert (ledger.lines, result.outcome) == ([], "cancelled")


async def session_runs(folder: Path) -> tuple[str, ...]:
    journal = SqliteJournal(folder / "state")
    try:
        return await journal.list_runs()
    finally:
        await journal.close()
