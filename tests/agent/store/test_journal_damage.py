"""Bytes that went bad: what can't be proven is not given out as if it were right, and is told."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import JournalError, SchemaError
from core.journal.journal import JournalEntry, Row
from tests.thoroughness import examples

FILES = ("journal.sqlite", "journal.sqlite-wal", "journal.witness")


@dataclass(frozen=True)
class Crashed:
    """A journal as a crash leaves it: half of it in the database, half in the log."""

    files: dict[str, bytes]
    rows: dict[str, tuple[Row, ...]]

    def put(self, folder: Path, **changed: bytes) -> Path:
        """Write a copy, some files changed; their names end with what is named here."""
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(changed.get(name.rpartition(".")[2].replace("-", "_"), data))
        return folder


@pytest.fixture(scope="module")
async def crashed(tmp_path_factory: pytest.TempPathFactory) -> Crashed:
    folder = tmp_path_factory.mktemp("crashed") / "journal"
    files: dict[str, bytes] = {}
    rows: dict[str, tuple[Row, ...]] = {}
    for half in range(2):
        journal = SqliteJournal(folder)
        for number in range(4):
            for run_id in (f"half{half}", "both", f"other{half}"):
                body = {"text": "x" * (6000 if number == 2 else 30)}
                await journal.append(
                    [JournalEntry(run_id, f"a{number}", "intent"), JournalEntry(run_id, f"a{number}", "done", body)]
                )
        files = {name: (folder / name).read_bytes() for name in FILES}
        rows = {run_id: (await journal.read(run_id)).rows for run_id in await journal.list_runs()}
        await journal.close()
    assert {len(each) for each in rows.values()} == {8, 16}
    return Crashed(files, rows)


async def check(crashed: Crashed, folder: Path) -> bool:
    """Hold what is read against what was written; return whether anything was reported."""
    journal = SqliteJournal(folder)
    try:
        reported = bool(await journal.find_faults())
        assert set(crashed.rows) <= set(await journal.list_runs())
        for run_id, written in crashed.rows.items():
            record = await journal.read(run_id)
            assert record.rows == written[: len(record.rows)]
            assert record.rows == written or record.damage
            reported |= bool(record.damage)
    except (JournalError, SchemaError):
        return True
    finally:
        await journal.close()
    return reported


async def read_damage(folder: Path) -> dict[str, str]:
    journal = SqliteJournal(folder)
    found = {run_id: "; ".join((await journal.read(run_id)).damage) for run_id in await journal.list_runs()}
    await journal.close()
    return {run_id: damage for run_id, damage in found.items() if damage}


async def test_what_a_crash_left_is_whole(crashed: Crashed, tmp_path: Path) -> None:
    assert not await check(crashed, crashed.put(tmp_path / "copy"))


@given(file=st.sampled_from(FILES), place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_flipped_bit_goes_unseen(
    crashed: Crashed, tmp_path_factory: pytest.TempPathFactory, file: str, place: float, bit: int
) -> None:
    data = bytearray(crashed.files[file])
    data[int(place * len(data))] ^= 1 << bit
    folder = crashed.put(tmp_path_factory.mktemp("flipped") / "journal")
    (folder / file).write_bytes(data)
    await check(crashed, folder)
    shutil.rmtree(folder)


@given(frames=st.integers(0, 40), extra=st.integers(-1, 4119))
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_cut_of_the_log_goes_unseen(
    crashed: Crashed, tmp_path_factory: pytest.TempPathFactory, frames: int, extra: int
) -> None:
    wal = crashed.files["journal.sqlite-wal"]
    length = max(0, 32 + frames * 4120 + extra) % len(wal)
    folder = crashed.put(tmp_path_factory.mktemp("cut") / "journal", sqlite_wal=wal[:length])
    assert await check(crashed, folder)
    shutil.rmtree(folder)


async def test_a_cut_tail_names_the_runs_that_lost_rows(crashed: Crashed, tmp_path: Path) -> None:
    damage = await read_damage(crashed.put(tmp_path / "copy", sqlite_wal=b""))
    assert set(damage) == {"both", "half1", "other1"}
    assert damage["both"] == "rows written: 16, rows left: 8; some of its acts had begun"


async def test_a_row_of_a_copy_that_went_another_way_is_damage(tmp_path: Path) -> None:
    """Whoever may write a sound row of the same run, at the same place, still doesn't get it among the run's own."""
    for name in ("own", "copy"):
        journal = SqliteJournal(tmp_path / name)
        for number in range(3):
            await journal.append([JournalEntry("r1", f"a{number}", "intent", {"text": f"{name} {number}"})])
        await journal.close()
    own, copy = (tmp_path / name / "journal.sqlite" for name in ("own", "copy"))
    with closing(sqlite3.connect(own, isolation_level=None)) as database:
        database.execute("ATTACH ? AS other", (str(copy),))
        database.execute("DELETE FROM main.rows WHERE position = 1")
        database.execute("INSERT INTO main.rows SELECT * FROM other.rows WHERE position = 1")
    damage = await read_damage(tmp_path / "own")
    assert "doesn't follow on the one before" in damage["r1"]


async def test_a_run_that_hadnt_acted_may_be_started_anew(folder: Path, tmp_path: Path) -> None:
    journal = SqliteJournal(folder)
    await journal.append([JournalEntry("r1", "", "begun")])
    copy = tmp_path / "copy"
    await asyncio.to_thread(shutil.copytree, folder, copy)
    await journal.close()
    os.truncate(copy / "journal.sqlite-wal", 0)
    assert "you can start it again" in (await read_damage(copy))["r1"]


async def test_a_damaged_run_is_not_gone_on_with_and_others_are(crashed: Crashed, tmp_path: Path) -> None:
    journal = SqliteJournal(crashed.put(tmp_path / "copy", sqlite_wal=b""))
    for _ in range(2):
        with pytest.raises(JournalError, match="Run both can't be continued") as caught:
            await journal.append([JournalEntry("both", "a9", "intent")])
        assert caught.value.code == "journal_damaged"
    await journal.append([JournalEntry("half0", "a9", "intent"), JournalEntry("new", "a9", "intent")])
    assert len((await journal.read("half0")).rows) == 9
    assert len((await journal.read("both")).rows) == 8
    await journal.close()


async def test_a_bad_row_stops_its_run_only(folder: Path) -> None:
    journal = SqliteJournal(folder)
    for number in range(3):
        await journal.append([JournalEntry(run_id, f"a{number}", "intent") for run_id in ("r1", "r2")])
    await journal.close()
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection, connection:
        connection.execute("UPDATE rows SET state = 'done' WHERE run_id = 'r1' AND position = 1")
    assert await read_damage(folder) == {"r1": "the row after position 0 is missing; rows written: 3, rows left: 1; "
        "some of its acts had begun; damaged rows of the journal that may belong to this run: 1"}  # fmt: skip
    journal = SqliteJournal(folder)
    assert "rows that are damaged or can't be read: 1" in await journal.find_faults()
    await journal.close()


def edit(statement: str) -> Callable[[sqlite3.Connection], object]:
    return lambda connection: connection.execute(statement)


@pytest.mark.parametrize(
    "change",
    [
        edit("DELETE FROM rows WHERE run_id = 'r1' AND position = 1"),
        edit("DELETE FROM rows WHERE run_id = 'r1' AND position = 2"),
        edit("DELETE FROM rows WHERE run_id = 'r1'"),
        edit("UPDATE rows SET body = '{}' WHERE run_id = 'r1' AND position = 0"),
        edit("UPDATE rows SET run_id = 'r3' WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET position = 7 WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET checksum = zeroblob(32) WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET at = '1970' WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET monotonic_ns = 0, boot_id = '' WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET epoch = 9 WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET seq = 99 WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET body = x'ff' WHERE run_id = 'r1' AND position = 2"),
        edit("UPDATE rows SET body = 7 WHERE run_id = 'r1' AND position = 2"),
    ],
)
async def test_whatever_was_changed_or_removed_is_damage_of_that_run_alone(
    folder: Path, change: Callable[[sqlite3.Connection], object]
) -> None:
    journal = SqliteJournal(folder)
    for number in range(3):
        await journal.append([JournalEntry(run_id, f"a{number}", "intent", {"n": number}) for run_id in ("r1", "r2")])
    await journal.close()
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection, connection:
        change(connection)
    assert set(await read_damage(folder)) - {"r3"} == {"r1"}


async def test_a_deleted_database_is_reported(crashed: Crashed, tmp_path: Path) -> None:
    folder = crashed.put(tmp_path / "copy")
    for name in ("journal.sqlite", "journal.sqlite-wal"):
        (folder / name).unlink()
    assert set(await read_damage(folder)) == set(crashed.rows)
    journal = SqliteJournal(folder)
    assert any("rows are gone" in fault for fault in await journal.find_faults())
    assert (await journal.read("both")).damage
    await journal.close()


@pytest.mark.parametrize("is_emptied", [False, True])
async def test_nothing_is_begun_anew_where_the_witness_knows_of_rows_that_are_gone(
    crashed: Crashed, tmp_path: Path, *, is_emptied: bool
) -> None:
    folder = crashed.put(tmp_path / "copy", **({"sqlite": b"", "sqlite_wal": b""} if is_emptied else {}))
    for name in () if is_emptied else ("journal.sqlite", "journal.sqlite-wal"):
        (folder / name).unlink()
    journal = SqliteJournal(folder)
    for _ in range(2):
        with pytest.raises(JournalError, match="knows") as caught:
            await journal.append([JournalEntry("new", "", "begun")])
        assert caught.value.code == "journal_damaged"
    (folder / "journal.witness").rename(tmp_path / "kept")
    await journal.append([JournalEntry("new", "", "begun")])
    assert not (await journal.read("new")).damage
    await journal.close()


async def test_a_deleted_witness_is_reported_and_hurts_no_run(crashed: Crashed, tmp_path: Path) -> None:
    folder = crashed.put(tmp_path / "copy")
    (folder / "journal.witness").unlink()
    assert await read_damage(folder) == {}
    assert await check(crashed, folder)


async def test_a_bad_line_of_the_witness_is_reported_and_hurts_no_run(crashed: Crashed, tmp_path: Path) -> None:
    lines = crashed.files["journal.witness"].splitlines(keepends=True)
    lines[-1] = b"[]" + lines[-1][2:]
    folder = crashed.put(tmp_path / "copy", witness=b"".join(lines))
    assert await read_damage(folder) == {}
    journal = SqliteJournal(folder)
    assert await journal.find_faults() == ("lines of journal.witness that can't be understood: 1",)
    await journal.close()


async def test_pages_that_cant_be_read_leave_the_runs_that_can_be_proven(crashed: Crashed, tmp_path: Path) -> None:
    whole = SqliteJournal(crashed.put(tmp_path / "copy"))
    await whole.append([JournalEntry("late", "a", "intent")])
    await whole.close()
    database = tmp_path / "copy" / "journal.sqlite"
    data = await asyncio.to_thread(database.read_bytes)
    seen = 0
    for start in range(4096, len(data), 4096):
        await asyncio.to_thread(database.write_bytes, data[:start] + os.urandom(4096) + data[start + 4096 :])
        try:
            damage = await read_damage(tmp_path / "copy")
        except JournalError:
            continue
        seen += bool(damage) and set(damage) < {*crashed.rows, "late"}
    assert seen


async def test_a_damaged_right_to_write_keeps_everybody_from_writing(journal: SqliteJournal, folder: Path) -> None:
    await journal.append([JournalEntry("r1", "a", "intent")])
    await journal.release()
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection, connection:
        connection.execute("UPDATE writer SET epoch = 0")
    with pytest.raises(JournalError) as caught:
        await journal.append([JournalEntry("r1", "a", "done")])
    assert caught.value.code == "journal_damaged"
    assert (await journal.read("r1")).damage == ()
    assert any("who may write" in fault for fault in await journal.find_faults())
