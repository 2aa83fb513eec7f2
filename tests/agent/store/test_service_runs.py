"""Runs that a service took on: found without reading all of them, and written without a thread where nothing has to be waited for."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agent.store.service_runs import ServedRun, ServiceRuns

MANY = 300


def make_run(number: int, request_id: str = "") -> ServedRun:
    return ServedRun(run_id=f"r{number}", principal="", session="main", request_id=request_id)


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[ServiceRuns]:
    shelf = ServiceRuns(tmp_path)
    yield shelf
    await shelf.close()


async def test_a_request_is_claimed_as_quickly_among_many_runs_as_among_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps of SQLite's machine: each run of the person's was read, 22 ms where 5,000 were kept."""
    steps = [0]

    class Counted(sqlite3.Connection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.set_progress_handler(self._count, 1)

        def _count(self) -> int:
            steps[0] += 1
            return 0

    monkeypatch.setattr("agent.store.service_rows.sqlite3.connect", partial(sqlite3.connect, factory=Counted))
    shelf, taken = ServiceRuns(tmp_path), list[int]()
    for number in range(MANY):
        before = steps[0]
        assert await shelf.claim(make_run(number, str(number))) is None
        taken.append(steps[0] - before)
    assert taken[-1] < 1.2 * taken[2]
    found = await shelf.claim(make_run(MANY, "7"))
    assert found
    assert found.run_id == "r7"
    await shelf.close()


async def test_runs_are_kept_without_a_thread_once_the_file_is_open(shelf: ServiceRuns, tmp_path: Path) -> None:
    shelf.note(make_run(0))
    assert await shelf.find("", "r0")
    shelf.note(make_run(1))
    ending = shelf.end(("", "r1"), {"reply": "Done."}, {"reply": "Done."})
    with pytest.raises(StopIteration):
        ending.send(None)  # nothing was waited for
    rows = sqlite3.connect(tmp_path / "service.sqlite").execute("SELECT run_id, record FROM runs ORDER BY number")
    assert rows.fetchall() == [("r0", ""), ("r1", '{"reply":"Done."}')]


async def test_a_run_that_ends_at_once_is_written_once_and_those_before_it_stand_before_it(
    shelf: ServiceRuns, tmp_path: Path
) -> None:
    shelf.note(make_run(0))
    assert await shelf.find("", "r0")
    reader = sqlite3.connect(tmp_path / "service.sqlite")
    shelf.note(make_run(1))
    shelf.note(make_run(2))
    shelf.note(make_run(3))
    await shelf.end(("", "r2"), {"reply": "Done."}, {"reply": "Done."})
    rows = reader.execute("SELECT run_id, short FROM runs ORDER BY number").fetchall()
    assert rows == [("r0", ""), ("r1", ""), ("r2", '{"reply":"Done."}'), ("r3", "")]
    kept = await shelf.find("", "r2")
    assert kept
    assert kept.record == {"reply": "Done."}
    assert [each.run_id for each in await shelf.list_of("", words="done")] == ["r2"]
    reader.close()


async def test_while_another_process_writes_runs_are_kept_in_order_and_nobody_else_waits(
    shelf: ServiceRuns, tmp_path: Path
) -> None:
    shelf.note(make_run(0))
    assert await shelf.find("", "r0")
    other = sqlite3.connect(tmp_path / "service.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    shelf.note(make_run(1))
    ending = asyncio.ensure_future(shelf.end(("", "r1"), {"reply": "Done."}, {"reply": "Done."}))
    done, _ = await asyncio.wait({ending}, timeout=0.05)
    assert not done
    other.execute("COMMIT")
    await ending
    kept = await shelf.find("", "r1")
    assert kept
    assert kept.record == {"reply": "Done."}
    other.close()


async def test_what_was_kept_without_a_thread_is_moved_to_its_place_by_and_by(
    shelf: ServiceRuns, tmp_path: Path
) -> None:
    """The file beside it, in which all begins, would grow for as long as the service runs."""
    record = {"reply": "x" * 20_000}
    for number in range(MANY * 3):
        shelf.note(make_run(number))
        await shelf.end(("", f"r{number}"), {"reply": "x"}, record)
    assert (tmp_path / "service.sqlite-wal").stat().st_size < 10 * 2**20
