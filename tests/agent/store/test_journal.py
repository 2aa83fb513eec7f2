"""What a journal promises while nothing goes wrong."""

import asyncio
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import JournalError, SchemaError
from core.journal.journal import JournalEntry, RowState
from tests.agent.store.conftest import Child
from tests.thoroughness import examples

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def entry(run_id: str = "r1", action_id: str = "a1", state: RowState = "intent", **body: Any) -> JournalEntry:
    return JournalEntry(run_id, action_id, state, body)


async def read_states(journal: SqliteJournal, run_id: str = "r1") -> list[str]:
    record = await journal.read(run_id)
    assert record.damage == ()
    assert [row.position for row in record.rows] == list(range(len(record.rows)))
    return [row.entry.state for row in record.rows]


async def test_what_was_written_is_read_in_order(journal: SqliteJournal) -> None:
    rows = [entry(state="planned", text="ü"), entry(state="intent", n=1), entry(state="done", deep={"a": [1, None]})]
    await journal.append(rows[:1])
    await journal.append(rows[1:])
    record = await journal.read("r1")
    assert [row.entry for row in record.rows] == rows
    assert [(row.position, row.epoch) for row in record.rows] == [(0, 1), (1, 1), (2, 1)]


@given(body=st.dictionaries(st.text(), JSON, max_size=4), action_id=st.text(st.characters(exclude_categories=["Cs"])))
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_a_body_reads_as_it_was_written(body: dict[str, Any], action_id: str, journal: SqliteJournal) -> None:
    before = len((await journal.read("r1")).rows)
    await journal.append([JournalEntry("r1", action_id, "done", MappingProxyType(body))])
    row = (await journal.read("r1")).rows[before]
    assert (row.entry.action_id, row.entry.body) == (action_id, body)


@pytest.mark.parametrize("body", [{"a": float("nan")}, {"a": object()}, {"a": b"bytes"}])
async def test_a_body_that_is_no_json_is_refused(journal: SqliteJournal, body: dict[str, Any]) -> None:
    with pytest.raises(JournalError, match="can't be written to the journal"):
        await journal.append([entry(), JournalEntry("r1", "a1", "done", body)])
    assert await journal.list_runs() == ()


async def test_a_body_is_kept_as_it_was_when_it_was_handed_over(journal: SqliteJournal) -> None:
    body = {"n": 1}
    await journal.append([entry(state="begun")])
    await journal.append([JournalEntry("r1", "a1", "planned", body)], durable=False)
    body["n"] = 2
    await journal.append([entry()])
    assert (await journal.read("r1")).rows[1].entry.body == {"n": 1}


async def test_reading_what_isnt_there_makes_nothing(journal: SqliteJournal, folder: Path) -> None:
    assert await journal.list_runs() == ()
    assert await journal.read("r1") == await journal.read("r1")
    assert (await journal.read("r1")).rows == ()
    assert await journal.find_faults() == ()
    await journal.release()
    assert read_modes(folder) == {}


def read_modes(folder: Path) -> dict[str, int]:
    """Return the modes of a folder and its files; nothing where it isn't."""
    files = [folder, *folder.iterdir()] if folder.exists() else []
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are those of POSIX")
@pytest.mark.parametrize("is_there", [False, True])
async def test_nobody_else_may_look_inside(journal: SqliteJournal, folder: Path, is_there: bool) -> None:
    if is_there:
        await asyncio.to_thread(folder.mkdir, 0o755)
    await journal.append([entry()])
    modes = read_modes(folder)
    assert modes.pop(folder.name) == 0o700
    assert set(modes) >= {"journal.sqlite", "journal.sqlite-wal", "journal.witness", "journal.lock"}
    assert set(modes.values()) == {0o600}


async def test_rows_that_may_wait_go_with_the_next_that_must_not(journal: SqliteJournal) -> None:
    await journal.append([entry(state="begun")])
    await journal.append([entry(state="planned")], durable=False)
    await journal.append([entry("r2", state="begun")])
    assert await read_states(journal) == ["begun", "planned"]
    await journal.append([entry(state="approved")], durable=False)
    assert await read_states(journal) == ["begun", "planned"]
    await journal.append([entry(state="intent")])
    assert await read_states(journal) == ["begun", "planned", "approved", "intent"]


async def test_a_row_that_rides_is_written_at_once_and_promised_with_the_next_that_must_be_there(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.append([entry(state="begun")])
    await journal.append([entry(state="planned")], durable=False)
    with monkeypatch.context() as patch:
        patch.setattr(
            "agent.store.journal.sqlite_journal._RIDE_S", 60.0
        )  # else it is promised by itself before a busy machine asks
        riding = await journal.ride([entry(state="done")])
    assert await read_states(journal) == ["begun", "planned", "done"]
    later = asyncio.ensure_future(journal.ride([entry("r2", state="done")]))
    assert not riding.done()
    await journal.append([entry(state="intent")])
    assert riding.result() is None
    assert await asyncio.wait_for(await later, 60) is None
    assert await read_states(journal) == ["begun", "planned", "done", "intent"]


@pytest.mark.parametrize("way", ["alone", "hurried", "release", "close"])
async def test_a_row_that_rides_is_promised_soon_also_where_nothing_else_is_written(
    journal: SqliteJournal, way: str
) -> None:
    riding = await journal.ride([entry(state="done")])
    if way == "hurried":
        await journal.append([])
    elif way != "alone":
        await getattr(journal, way)()
    assert riding.done() == (way != "alone")
    assert await asyncio.wait_for(riding, 60) is None


@pytest.mark.parametrize("way", ["release", "close"])
async def test_rows_that_wait_are_written_at_the_end(journal: SqliteJournal, folder: Path, way: str) -> None:
    await journal.append([entry(state="begun")])
    await journal.append([entry(state="ended")], durable=False)
    await getattr(journal, way)()
    other = SqliteJournal(folder)
    assert await read_states(other) == ["begun", "ended"]
    await other.close()


async def test_rows_never_wait_without_bound(journal: SqliteJournal) -> None:
    for _ in range(300):
        await journal.append([entry(state="planned")], durable=False)
    assert len((await journal.read("r1")).rows) >= 256


async def test_the_latest_run_is_listed_first(journal: SqliteJournal) -> None:
    for run_id in ("r2", "r1", "r3", "r2"):
        await journal.append([entry(run_id)])
    assert await journal.list_runs() == ("r3", "r1", "r2")


async def test_runs_side_by_side_keep_the_order_of_each(journal: SqliteJournal) -> None:
    async def write(run_id: str) -> None:
        for number in range(8):
            await journal.append([JournalEntry(run_id, f"a{number}", "intent")], durable=number % 3 == 0)

    await asyncio.gather(*(write(f"r{number}") for number in range(6)))
    await journal.release()
    for number in range(6):
        record = await journal.read(f"r{number}")
        assert [row.entry.action_id for row in record.rows] == [f"a{n}" for n in range(8)]


async def test_two_journals_of_one_process_share_the_right_to_write(journal: SqliteJournal, folder: Path) -> None:
    other = SqliteJournal(folder / ".." / folder.name, wait_s=0.2)
    await journal.append([entry("r1")])
    await other.append([entry("r2")])
    await journal.release()
    await other.append([entry("r2", state="done")])
    await journal.append([entry("r1", state="done")])
    await other.close()
    assert await read_states(journal, "r1") == await read_states(journal, "r2") == ["intent", "done"]


async def test_each_taking_over_is_a_new_epoch_and_writing_on_where_nobody_else_wrote_is_none(
    folder: Path, start_child: Callable[..., Child]
) -> None:
    journal, child = SqliteJournal(folder), start_child(5)
    for _ in range(2):
        await journal.append([entry()])
        await journal.append([entry(state="done")])
        await journal.release()
    assert (child.ask(run="r2"), child.ask(release=True)) == ("ok", "ok")
    await journal.append([entry()])
    assert [row.epoch for row in (await journal.read("r1")).rows] == [1, 1, 1, 1, 3]
    await journal.close()


async def test_a_cancelled_append_writes_all_or_nothing(journal: SqliteJournal) -> None:
    await journal.append([entry(state="begun")])
    for turns in range(6):
        rows = [entry(f"c{turns}", f"a{number}") for number in range(5)]
        task = asyncio.create_task(journal.append(rows))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await journal.append([entry(state="ended")])
    for turns in range(6):
        assert len((await journal.read(f"c{turns}")).rows) in {0, 5}
    assert await read_states(journal) == ["begun", "ended"]


async def test_a_cancelled_release_still_lets_go(journal: SqliteJournal, folder: Path) -> None:
    await journal.append([entry()])
    task = asyncio.create_task(journal.release())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    other = SqliteJournal(folder, wait_s=5)
    await other.append([entry(state="done")])
    await other.close()
    assert await read_states(journal) == ["intent", "done"]


async def test_a_closed_journal_says_so(journal: SqliteJournal) -> None:
    await journal.append([entry()])
    await journal.close()
    await journal.close()
    for call in (journal.append([entry()]), journal.read("r1"), journal.list_runs()):
        with pytest.raises(JournalError, match="closed"):
            await call


async def test_a_journal_of_another_version_is_neither_read_nor_written(journal: SqliteJournal, folder: Path) -> None:
    await journal.append([entry()])
    await journal.release()
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 3")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = (folder / "journal.sqlite").read_bytes()
    for call in (journal.append([entry()]), journal.read("r1"), journal.list_runs()):
        with pytest.raises(SchemaError, match="has version 3"):
            await call
    assert (folder / "journal.sqlite").read_bytes() == before


async def test_a_clock_that_jumps_changes_no_order(folder: Path) -> None:
    moments = iter([2030, 1999, 2026, 2026, 1970, 2026, 2026, 2026])
    journal = SqliteJournal(folder, clock=lambda: datetime(next(moments, 2026), 5, 1, tzinfo=UTC))
    for state in ("begun", "intent", "done"):
        await journal.append([JournalEntry("r1", "", state)])
    record = await journal.read("r1")
    assert [row.entry.state for row in record.rows] == ["begun", "intent", "done"]
    assert record.rows[0].at.startswith("2030")
    assert record.damage == ()
    await journal.close()


class Time:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


async def write_old_runs(folder: Path, clock: Time) -> None:
    journal = SqliteJournal(folder, clock=clock)
    runs: dict[str, list[tuple[str, RowState]]] = {
        "ended": [("", "begun"), ("a", "intent"), ("a", "done"), ("", "ended")],
        "unknown": [("", "begun"), ("a", "intent"), ("a", "unknown"), ("", "ended")],
        "resolved": [("", "begun"), ("a", "intent"), ("a", "unknown"), ("", "ended"), ("a", "resolved")],
        "crashed": [("", "begun"), ("a", "intent")],
        "resumed": [("", "begun"), ("", "ended"), ("", "resumed")],
    }
    for run_id, rows in runs.items():
        await journal.append([JournalEntry(run_id, action_id, state) for action_id, state in rows])
    clock.now += timedelta(days=20)
    for number in range(20):
        await journal.append([JournalEntry(f"late{number}", "", "begun"), JournalEntry(f"late{number}", "", "ended")])
    await journal.close()


async def test_old_runs_go_if_no_question_is_open(folder: Path) -> None:
    clock = Time()
    await write_old_runs(folder, clock)
    clock.now += timedelta(days=11)
    journal = SqliteJournal(folder, clock=clock)
    await journal.append([entry("new")])
    kept = set(await journal.list_runs())
    assert {"ended", "resolved"}.isdisjoint(kept)
    assert kept >= {"new", "unknown", "crashed", "resumed", "late0", "late19"}
    assert await journal.find_faults() == ()
    await journal.close()


async def test_a_clock_in_the_far_future_doesnt_empty_the_journal(folder: Path) -> None:
    clock = Time()
    await write_old_runs(folder, clock)
    clock.now += timedelta(days=10_000)
    journal = SqliteJournal(folder, clock=clock)
    await journal.append([entry("new")])
    assert {f"late{number}" for number in range(20)} <= set(await journal.list_runs())
    await journal.close()
