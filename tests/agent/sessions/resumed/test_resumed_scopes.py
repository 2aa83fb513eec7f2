"""A run that is taken up again is still the run of whoever asked for it, and runs of before there were scopes are taken up too."""

from dataclasses import replace
from pathlib import Path

from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.store.journal.sqlite_journal import SqliteJournal
from core.journal.journal import Row, RunRecord
from core.journal.run_rows import read_run
from tests.agent.ledger import LEDGER_RULES, Ledger, chain, crash_request, reopen

STEPS = (("set", "a"), ("post", "rent"), ("post", "more"))


async def crash_run_of_anna(ledger: Ledger, folder: Path) -> tuple[str, Path]:
    return await crash_request(ledger, folder, "before post", Request(goals=chain(*STEPS), principal="anna"))


async def test_all_receipts_of_a_resumed_run_have_the_scope_that_it_began_in(tmp_path: Path) -> None:
    ledger = Ledger()
    run_id, left = await crash_run_of_anna(ledger, tmp_path / "state")
    async with reopen(ledger, left) as session:
        result = await session.resume(ResumeRequest(run_id=run_id, settlements={"g1_post_1": "done"}))
    assert result.outcome == "success"
    assert result.scope.startswith("local/anna/s")
    assert result.scope.endswith(f"/{run_id}")
    assert [log.scope for log in result.step_logs] == [f"{result.scope}/g{number}" for number in range(3)]


async def test_rows_of_before_there_were_scopes_are_read(tmp_path: Path) -> None:
    run_id, left = await crash_run_of_anna(Ledger(), tmp_path / "state")
    journal = SqliteJournal(left)
    record = await journal.read(run_id)
    await journal.close()
    assert str(read_run(record, LEDGER_RULES).scope).startswith("local/anna/s")
    older = read_run(RunRecord(run_id, tuple(map(forget_scope, record.rows))), LEDGER_RULES)
    assert older.scope is None
    assert older.principal == "anna"


def forget_scope(row: Row) -> Row:
    body = {name: value for name, value in row.entry.body.items() if name != "scope"}
    return replace(row, entry=replace(row.entry, body=body))
