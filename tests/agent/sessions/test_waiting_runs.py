"""A run that waits for another process to end its own is stopped as fast as any other, and has done nothing."""

import asyncio
import time
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.sessions.undo import UndoRequest
from core.results.tool_results import RunResult
from tests.agent.ledger import Ledger, chain, make_ledger_session

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
