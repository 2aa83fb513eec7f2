"""Two processes on one journal, and processes that die."""

import asyncio
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import JournalError
from core.journal.journal import JournalEntry
from tests.agent.store.conftest import Child

Start = Callable[..., Child]


async def read_states(folder: Path, run_id: str = "r1") -> list[str]:
    journal = SqliteJournal(folder)
    record = await journal.read(run_id)
    await journal.close()
    assert record.damage == ()
    return [row.entry.state for row in record.rows]


async def test_a_second_process_is_told_who_writes(journal: SqliteJournal, start_child: Start) -> None:
    child = start_child()
    assert child.ask(run="r1") == "ok"
    with pytest.raises(JournalError) as caught:
        await journal.append([JournalEntry("r2", "a", "intent")])
    assert caught.value.code == "journal_busy"
    assert str(child.process.pid) in caught.value.message
    assert caught.value.evidence == {"pid": child.process.pid}


async def test_runs_that_wait_for_another_process_beside_each_other_wait_no_longer_than_one(
    folder: Path, start_child: Start
) -> None:
    assert start_child().ask(run="r1") == "ok"
    journal, began = SqliteJournal(folder, wait_s=1), time.monotonic()
    waiting = [journal.append([JournalEntry(f"w{number}", "", "begun")]) for number in range(6)]
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert [each.code for each in found if isinstance(each, JournalError)] == ["journal_busy"] * 6
    assert time.monotonic() - began < 3
    await journal.close()


async def ask_beside(start_child: Start, folder: Path) -> tuple[Child, SqliteJournal]:
    """Return a process whose run waits for a person, and a journal of this one."""
    child = start_child(10)
    assert child.ask(run="r1", state="begun") == "ok"
    assert child.ask(asks="r1") == "ok"
    return child, SqliteJournal(folder)


async def test_another_process_writes_while_a_person_is_asked(folder: Path, start_child: Start) -> None:
    child, journal = await ask_beside(start_child, folder)
    await journal.append([JournalEntry("r2", "", "begun")])
    await journal.close()
    assert child.ask(answered=True) == "ok"
    assert child.ask(run="r1") == "ok"
    assert child.ask(run="r1", state="done") == "ok"
    assert await read_states(folder) == ["begun", "intent", "done"]


async def test_a_run_that_another_process_took_up_while_a_person_was_asked_goes_on_there_alone(
    folder: Path, start_child: Start
) -> None:
    child, journal = await ask_beside(start_child, folder)
    await journal.append([JournalEntry("r1", "", "resumed")])
    await journal.close()
    assert child.ask(answered=True) == "ok"
    for state in ("intent", "ended"):
        assert child.ask(run="r1", state=state)["code"] == "journal_lost"
    assert child.ask(run="r2") == "ok"
    assert await read_states(folder) == ["begun", "resumed"]


@pytest.mark.parametrize("row", [{"run": "r1", "action": "b"}, {"run": "r2", "state": "begun"}], ids=["act", "run"])
async def test_an_act_or_another_run_keeps_the_journal_beside_a_question_until_it_ends(
    folder: Path, start_child: Start, row: dict[str, str]
) -> None:
    child, journal = start_child(10), SqliteJournal(folder, wait_s=2)
    assert child.ask(run="r1", state="begun") == "ok"
    assert child.ask(**row) == "ok"
    assert child.ask(asks="r1") == "ok"
    with pytest.raises(JournalError):
        await journal.append([JournalEntry("r3", "", "begun")])
    assert child.ask(**row | {"state": "done" if "action" in row else "ended"}, durable=False) == "ok"
    await journal.append([JournalEntry("r3", "", "begun")])
    await journal.close()


async def test_reading_needs_no_right(journal: SqliteJournal, start_child: Start) -> None:
    child = start_child()
    assert child.ask(run="r1") == "ok"
    assert await journal.list_runs() == ("r1",)
    assert len((await journal.read("r1")).rows) == 1


async def test_a_process_that_lets_go_makes_room_for_the_next(journal: SqliteJournal, start_child: Start) -> None:
    child = start_child()
    assert child.ask(run="r1") == "ok"
    assert child.ask(release=True) == "ok"
    await journal.append([JournalEntry("r1", "a", "done")])
    assert child.ask(run="r1")["code"] == "journal_busy"
    await journal.release()
    assert child.ask(run="r1", state="ended") == "ok"
    assert [row.epoch for row in (await journal.read("r1")).rows] == [1, 2, 3]


async def test_a_process_that_was_killed_leaves_its_rows_and_holds_nothing(folder: Path, start_child: Start) -> None:
    child = start_child()
    assert child.ask(run="r1", state="begun") == "ok"
    assert child.ask(run="r1", state="intent") == "ok"
    assert child.ask(run="r1", state="done", durable=False) == "ok"
    child.process.kill()
    child.process.wait()
    assert await read_states(folder) == ["begun", "intent"]
    assert start_child(wait_s=5).ask(run="r1", state="resumed") == "ok"
    assert await read_states(folder) == ["begun", "intent", "resumed"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process, and removes no file that is open")
async def test_a_stopped_process_whose_lock_was_taken_away_writes_no_more(folder: Path, start_child: Start) -> None:
    first, second = start_child(), start_child()
    assert first.ask(run="r1") == "ok"
    first.process.send_signal(signal.SIGSTOP)
    assert second.ask(run="r1", state="resumed")["code"] == "journal_busy"
    (folder / "journal.lock").unlink()
    assert second.ask(run="r1", state="resumed") == "ok"
    first.send(run="r1", state="done")
    first.process.send_signal(signal.SIGCONT)
    assert first.answer()["code"] == "journal_lost"
    assert first.ask(run="r2")["code"] == "journal_lost"
    assert second.ask(run="r1", state="ended") == "ok"
    assert await read_states(folder) == ["intent", "resumed", "ended"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows renames no file that SQLite has open")
@pytest.mark.parametrize("name", ["journal.sqlite", "journal.sqlite-wal"])
async def test_a_journal_that_was_taken_away_is_not_written(
    journal: SqliteJournal, folder: Path, start_child: Start, name: str
) -> None:
    assert start_child is not None
    await journal.append([JournalEntry("r1", "a", "intent")])
    (folder / name).rename(folder / "elsewhere")
    with pytest.raises(JournalError) as caught:
        await journal.append([JournalEntry("r1", "a", "done")])
    assert caught.value.code == "journal_lost"


@given(orders=st.lists(st.sampled_from(["durable", "waiting", "kill", "release"]), min_size=3, max_size=9))
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_what_was_durable_outlives_every_kill(
    orders: list[str], start_child: Start, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("killed") / "journal"
    child = start_child(5, folder)
    written: list[str] = []
    waiting: list[str] = []
    for number, order in enumerate(orders):
        if order == "kill":
            child.end()
            waiting.clear()
            child = start_child(5, folder)
        elif order == "release":
            assert child.ask(release=True) == "ok"
        else:
            assert child.ask(run="r1", action=f"a{number}", durable=order == "durable") == "ok"
            waiting.append(f"a{number}")
        if order in {"durable", "release"}:
            written += waiting
            waiting.clear()
    journal = SqliteJournal(folder)
    record = await journal.read("r1")
    assert (record.damage, await journal.find_faults()) == ((), ())
    await journal.close()
    child.end()
    found = [row.entry.action_id for row in record.rows]
    # The first row of a run in a process is written at once; others may wait.
    assert [name for name in found if name in written] == written


async def test_a_process_that_let_go_writes_on_until_another_has_written_and_then_reads_anew(
    folder: Path, start_child: Start
) -> None:
    first, second = start_child(5), start_child(5)
    for state in ("begun", "intent"):
        assert (first.ask(run="r1", state=state), first.ask(release=True)) == ("ok", "ok")
    assert (second.ask(run="r1", state="done"), second.ask(release=True)) == ("ok", "ok")
    assert first.ask(run="r1", state="ended") == "ok"
    assert second.ask(run="r2", state="begun")["code"] == "journal_busy"
    assert await read_states(folder) == ["begun", "intent", "done", "ended"]


async def test_a_killed_process_that_had_let_go_holds_nothing_and_its_last_rows_are_there(
    folder: Path, start_child: Start
) -> None:
    first = start_child()
    assert first.ask(run="r1", state="begun", durable=False) == "ok"
    assert first.ask(run="r1", state="intent") == "ok"
    assert first.ask(run="r1", state="done") == "ok"
    assert first.ask(run="r1", state="ended", durable=False) == "ok"
    assert first.ask(release=True) == "ok"
    first.process.kill()
    first.process.wait()
    assert start_child().ask(run="r2") == "ok"
    assert await read_states(folder) == ["begun", "intent", "done", "ended"]


async def test_of_two_processes_that_write_in_turn_each_run_has_all_its_rows(folder: Path, start_child: Start) -> None:
    children = start_child(10), start_child(10)
    for number in range(6):
        for each, child in enumerate(children):
            assert child.ask(run=f"w{each}", action=f"a{number}") == "ok"
            assert child.ask(release=True) == "ok"
    journal = SqliteJournal(folder)
    assert await journal.find_faults() == ()
    for each in range(2):
        assert [row.entry.action_id for row in (await journal.read(f"w{each}")).rows] == [f"a{n}" for n in range(6)]
    await journal.close()


async def test_a_journal_closes_beside_another_process_that_writes(folder: Path, start_child: Start) -> None:
    journal, child = SqliteJournal(folder), start_child(5)
    await journal.append([JournalEntry("r1", "", "begun")], durable=False)
    await journal.release()
    assert child.ask(run="r2") == "ok"
    await asyncio.wait_for(journal.close(), 5)
    assert await read_states(folder) == ["begun"]
