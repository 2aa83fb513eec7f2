"""What a run costs the journal, counted: it doesn't depend on the runs before it."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agent.store.journal import reading, witness, writing
from agent.store.journal.sqlite_journal import SqliteJournal
from core.journal.journal import JournalEntry, RowState, RunRecord

RUN: tuple[tuple[str, RowState, bool], ...] = (
    ("", "begun", False),
    ("a", "planned", False),
    ("a", "intent", True),
    ("a", "done", True),
    ("", "ended", False),
)


class Counts:
    """How often something was done."""

    def __init__(self) -> None:
        self.rows_read = 0
        self.lines_proven = 0
        self.syncs = 0
        self.openings = 0

    def take(self) -> dict[str, int]:
        """Return what was done since the last time."""
        taken = dict(vars(self))
        vars(self).update(dict.fromkeys(taken, 0))
        return taken


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """Counts what journals of this process do, beside what they do."""
    found = Counts()
    link_rows, parse_line, open_for_writing = reading.link_rows, vars(witness)["_parse_line"], writing.open_for_writing

    def link(run_id: str, raws: Iterable[Any], seal: Any) -> Any:
        rows = list(raws)
        found.rows_read += len(rows)
        return link_rows(run_id, rows, seal)

    def parse(line: bytes, seal: Any) -> Any:
        found.lines_proven += bool(line)
        return parse_line(line, seal)

    def begin(files: Any) -> sqlite3.Connection:
        found.openings += 1
        connection = open_for_writing(files)
        connection.set_trace_callback(note)
        return connection

    def note(statement: str) -> None:
        found.syncs += statement == "PRAGMA synchronous = FULL"

    monkeypatch.setattr(reading, "link_rows", link)
    monkeypatch.setattr(witness, "_parse_line", parse)
    monkeypatch.setattr(writing, "open_for_writing", begin)
    return found


async def carry_out(journal: SqliteJournal, run_id: str) -> None:
    for action_id, state, durable in RUN:
        await journal.append([JournalEntry(run_id, action_id, state)], durable=durable)
    await journal.release()


@pytest.mark.parametrize("others", [3, 60])
async def test_a_run_reads_nothing_of_the_runs_before_it(folder: Path, counts: Counts, others: int) -> None:
    journal = SqliteJournal(folder)
    for number in range(others):
        await carry_out(journal, f"r{number}")
    counts.take()
    await carry_out(journal, "last")
    assert counts.take() == {"rows_read": 0, "lines_proven": 0, "syncs": 2, "openings": 0}
    await journal.close()
    assert [row.epoch for row in (await read_last(folder)).rows] == [1] * len(RUN)


async def read_last(folder: Path) -> RunRecord:
    journal = SqliteJournal(folder)
    record = await journal.read("last")
    await journal.close()
    assert record.damage == ()
    return record


@pytest.mark.parametrize("others", [40, 120])
async def test_a_new_process_reads_no_more_after_many_runs_than_after_few(
    folder: Path, counts: Counts, others: int
) -> None:
    first = SqliteJournal(folder)
    for number in range(others):
        await carry_out(first, f"r{number}")
    await first.close()
    counts.take()
    journal = SqliteJournal(folder)
    await carry_out(journal, "last")
    found = counts.take()
    assert (found["rows_read"], found["openings"]) == (0, 1)
    assert found["lines_proven"] <= 4096 // 100
    await journal.close()
