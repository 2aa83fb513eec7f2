"""Runs that were cut short are known by name, until somebody goes on with them."""

import asyncio
import json
from pathlib import Path

import pytest

from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.sessions.unfinished import UnfinishedRun, find_unfinished
from agent.store.journal.sqlite_journal import SqliteJournal
from tests.agent.conftest import Command
from tests.agent.ledger import Ledger, chain, crash, make_ledger_session, reopen


async def find(folder: Path, *running: str) -> tuple[UnfinishedRun, ...]:
    journal = SqliteJournal(folder)
    found = await find_unfinished(journal, lambda run_id: run_id in running)
    await journal.close()
    return found


async def test_a_run_that_was_cut_short_is_named_with_what_it_was_in_the_middle_of(tmp_path: Path) -> None:
    ledger = Ledger()
    run_id, left = await crash(ledger, tmp_path / "state", "after add", ("set", "a"), ("add", "rent"))
    (found,) = await find(left)
    assert (found.run_id, found.open_acts, found.fault) == (run_id, ("Added rent",), "")
    assert await find(left, run_id) == ()
    async with reopen(ledger, left) as session:
        await session.resume(ResumeRequest(run_id=run_id))
    assert await find(left) == ()


async def test_a_run_that_ended_is_not_named(tmp_path: Path) -> None:
    async with make_ledger_session(Ledger(), tmp_path) as session:
        await session.run(Request(goals=chain(("set", "a"))))
    assert await find(tmp_path) == ()


@pytest.mark.parametrize("as_json", [True, False])
def test_the_doctor_names_it_and_how_to_go_on(tmp_path: Path, surehand: Command, *, as_json: bool) -> None:
    run_id, left = asyncio.run(crash(Ledger(), tmp_path / "state", "after add", ("add", "rent")))
    left.rename(tmp_path / ".surehand")
    said = surehand_doctor(surehand, as_json=as_json)
    assert run_id in said
    assert "Added rent" in said
    assert as_json or f"surehand resume {run_id}" in said


def surehand_doctor(surehand: Command, *, as_json: bool) -> str:
    """Return what the doctor says of unfinished runs."""
    said = surehand("doctor", *(["--json"] if as_json else []))
    return json.dumps(json.loads(said.out)["unfinished"]) if as_json else said.out
