"""The backlog on the disk: whose it is, several processes, killed ones, other versions, damage."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.planners.backlog.database import BACKLOG_FILE, BacklogFiles
from agent.planners.backlog.migrating import BacklogMigrator
from agent.planners.backlog.sealed_rows import BACKLOG_SCHEMA, COLUMNS, BacklogMigration, BacklogSchema
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.store.seals import Seal
from core.base.errors import ActionError, GoalError, RefusedError, SchemaError
from core.base.scope_paths import begin_scope
from core.goals.secret_values import EmptyVault
from core.planning.planners.ports import BacklogItem
from core.planning.planners.results import PlannerResult
from tests.contracts.backlog.conformance import SettableClock

ROOT = Path(__file__).resolve().parents[4]
CHILD = Path(__file__).with_name("backlog_child.py")
ANN = begin_scope("ann")
ITEM = BacklogItem(item_id="a", title="Do it.")
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".surehand"


@pytest.fixture
async def backlog(folder: Path) -> AsyncIterator[SqliteBacklog]:
    backlog = SqliteBacklog(folder)
    yield backlog
    await backlog.close()


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """Starts processes that work on the backlog."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(CHILD), str(folder), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        started.append(subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


async def add_item(folder: Path, item_id: str = "a", seal: Seal | None = None) -> None:
    backlog = SqliteBacklog(folder, seal=seal)
    await backlog.add(ANN, replace(ITEM, item_id=item_id))
    await backlog.close()


def list_files(folder: Path, pattern: str = "*") -> list[Path]:
    """Return what lies in a folder; nothing where there is none."""
    return sorted(folder.glob(pattern))


def read_mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def change(folder: Path, *statements: str) -> None:
    """Change the database behind the program's back."""
    with closing(sqlite3.connect(folder / BACKLOG_FILE, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


async def test_reading_what_was_never_kept_makes_nothing(backlog: SqliteBacklog, folder: Path) -> None:
    assert await backlog.list_items(ANN) == []
    assert await backlog.find_coverage(ANN, "p") == 1.0
    assert await backlog.find_faults() == ()
    assert list_files(folder.parent) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
async def test_only_its_owner_may_look_inside(backlog: SqliteBacklog, folder: Path) -> None:
    await backlog.add(ANN, ITEM)
    assert read_mode(folder) == 0o700
    found = {path.name: read_mode(path) for path in list_files(folder)}
    assert found.keys() >= {BACKLOG_FILE, f"{BACKLOG_FILE}-wal"}
    assert set(found.values()) == {0o600}


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RefusedError) as caught:
        asyncio.run(add_item(folder))
    assert caught.value.code == "unsafe_folder"
    assert list_files(tmp_path / "elsewhere") == []


async def test_what_another_wrote_is_shown_to_nobody_and_moved_aside_by_the_first_write(
    tmp_path: Path, folder: Path, backlog: SqliteBacklog
) -> None:
    await add_item(folder, "planted", Seal(tmp_path / "other"))
    assert await backlog.list_items(ANN) == []
    (note,) = backlog.take_notes()
    assert "may not be yours" in note
    assert backlog.take_notes() == ()
    await backlog.add(ANN, ITEM)
    assert [item.item_id for item in await backlog.list_items(ANN)] == ["a"]
    (note,) = backlog.take_notes()
    (aside,) = list_files(folder, "foreign-*")
    assert str(aside) in note
    assert BACKLOG_FILE in {path.name for path in list_files(aside)}


async def test_a_row_that_was_changed_or_brought_from_another_backlog_counts_for_nothing(
    tmp_path: Path, folder: Path
) -> None:
    await add_item(folder)
    await add_item(folder, "b")
    await add_item(tmp_path / "other", "brought")
    change(
        folder,
        "UPDATE items SET state = 'done' WHERE item_id = 'b'",
        f"ATTACH '{tmp_path / 'other' / BACKLOG_FILE}' AS other",
        "INSERT INTO items SELECT 99, scope, item_id, plan_id, state, body, checksum FROM other.items",
    )
    backlog = SqliteBacklog(folder)
    assert [(item.item_id, item.state) for item in await backlog.list_items(ANN)] == [("a", "pending")]
    assert await backlog.find_faults() == (
        "The backlog has 2 rows that you did not write on this machine. They are not used.",
    )
    await backlog.add(ANN, replace(ITEM, item_id="b"))
    assert len(await backlog.list_items(ANN)) == 2
    await backlog.close()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END",
        "CREATE VIEW v AS SELECT * FROM items",
        "DROP TABLE runs",
        "ALTER TABLE items ADD COLUMN more TEXT",
    ],
)
async def test_tables_that_surehand_does_not_make_are_refused(folder: Path, statement: str) -> None:
    await add_item(folder)
    change(folder, statement)
    with pytest.raises(SchemaError) as caught:
        await add_item(folder, "b")
    assert caught.value.code == "file_damaged"


def test_a_file_that_is_no_database_is_refused_and_left_alone(folder: Path) -> None:
    folder.mkdir(0o700)
    (folder / BACKLOG_FILE).write_bytes(b"no database, whatever it is called" * 100)
    with pytest.raises(SchemaError) as caught:
        asyncio.run(add_item(folder))
    assert (caught.value.code, "Move the files" in caught.value.hint) == ("file_damaged", True)
    assert (folder / BACKLOG_FILE).read_bytes().startswith(b"no database")


async def test_a_backlog_that_is_deleted_meanwhile_begins_anew(folder: Path, backlog: SqliteBacklog) -> None:
    await backlog.add(ANN, ITEM)
    for path in list_files(folder):
        path.unlink()
    assert await backlog.list_items(ANN) == []
    await backlog.add(ANN, ITEM)
    assert len(await backlog.list_items(ANN)) == 1


async def test_a_backlog_that_another_process_holds_is_busy(folder: Path) -> None:
    await add_item(folder)
    backlog = SqliteBacklog(folder, wait_s=0.1)
    with closing(sqlite3.connect(folder / BACKLOG_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ActionError) as caught:
            await backlog.flip(ANN, "a", "done", "")
        assert caught.value.code == "backlog_busy"
        assert len(await backlog.list_items(ANN)) == 1
        other.execute("ROLLBACK")
    await backlog.flip(ANN, "a", "done", "")
    await backlog.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows doesn't limit files of a process")
async def test_a_disk_that_is_full_loses_nothing_and_is_told(folder: Path, start: Start) -> None:
    await add_item(folder)
    out, _ = start("fill").communicate(timeout=100)
    assert out.split() == ["backlog_unavailable", "done"]
    backlog = SqliteBacklog(folder)
    assert [(item.item_id, item.state) for item in await backlog.list_items(ANN)] == [("a", "done")]
    assert await backlog.find_faults() == ()
    await backlog.close()


async def test_processes_that_write_at_once_lose_nothing(folder: Path, start: Start, backlog: SqliteBacklog) -> None:
    children = [start("add", name, "15") for name in "abc"]
    for child in children:
        child.communicate(timeout=100)
    items = await backlog.list_items(ANN)
    assert {item.item_id for item in items} == {f"{name}{number}" for name in "abc" for number in range(15)}
    assert {item.state for item in items} == {"done"}
    assert len(await backlog.list_transitions(ANN)) == 45 * 3
    assert await backlog.find_coverage(ANN, "p") == 1.0
    assert [await backlog.read_checkpoint(ANN, name) for name in "abc"] == [{"at": 14}] * 3
    assert await backlog.find_faults() == ()


async def test_of_processes_that_take_items_at_once_each_gets_others(
    folder: Path, start: Start, backlog: SqliteBacklog
) -> None:
    for number in range(20):
        await backlog.add(ANN, replace(ITEM, item_id=f"i{number}", consumed_by="x"))
    children = [start("take", name) for name in "ab"]
    taken = [child.communicate(timeout=100)[0].split() for child in children]
    assert sorted(taken[0] + taken[1]) == sorted(f"i{number}" for number in range(20))
    assert {item.state for item in await backlog.list_items(ANN)} == {"active"}


async def test_a_process_that_is_killed_keeps_what_it_promised_and_no_half_of_the_rest(
    folder: Path, start: Start, backlog: SqliteBacklog
) -> None:
    for name in "abcd":
        child = start("add", name, "200")
        assert child.stdout is not None
        told = [child.stdout.readline().strip() for _ in range(5 + ord(name) % 4)]
        child.kill()
        child.wait()
        told += child.stdout.read().splitlines()
        items = {item.item_id: item for item in await backlog.list_items(ANN) if item.item_id.startswith(name)}
        moves = await backlog.list_transitions(ANN)
        for done, _, item_id in (line.partition(" ") for line in told if line):
            assert done == "added" or items[item_id].state == "done"
            assert item_id in items
        for item in items.values():
            assert [move.after for move in moves if move.item_id == item.item_id][-1] == item.state
    assert await backlog.find_faults() == ()
    await backlog.add(ANN, replace(ITEM, item_id="later"))


async def test_what_is_older_than_a_month_is_forgotten_but_no_item(folder: Path) -> None:
    clock = SettableClock()
    early = SqliteBacklog(folder, clock=clock)
    await early.add(ANN, ITEM)
    await early.keep_checkpoint(ANN, "p", {"at": 1})
    await early.keep_run(PlannerResult(planner_id="p", scope=str(ANN), outcome="success"), clock.now)
    await early.close()
    clock.now += timedelta(days=31)
    late = SqliteBacklog(folder, clock=clock)
    await late.flip(ANN, "a", "done", "late")
    assert [move.because for move in await late.list_transitions(ANN)] == ["late"]
    assert await late.list_runs(ANN) == []
    assert len(await late.list_items(ANN)) == 1
    assert await late.read_checkpoint(ANN, "p") == {"at": 1}
    await late.close()


class MaskingVault(EmptyVault):
    """Knows one secret."""

    def redact(self, value: object) -> object:
        if isinstance(value, dict):
            return {name: self.redact(each) for name, each in value.items()}
        return value.replace("hunter2", "•••") if isinstance(value, str) else value


async def test_a_secret_that_was_used_never_comes_on_the_disk(folder: Path) -> None:
    backlog = SqliteBacklog(folder, vault=MaskingVault())
    await backlog.add(ANN, replace(ITEM, title="type hunter2", data={"text": "hunter2"}))
    await backlog.keep_checkpoint(ANN, "p", {"text": "hunter2"})
    await backlog.close()
    assert all(b"hunter2" not in path.read_bytes() for path in list_files(folder))


def make_newer(change: Callable[[sqlite3.Connection], object] = lambda _: None) -> BacklogSchema:
    migrations = {1: BacklogMigration(COLUMNS, lambda connection: void(change(connection)))}
    return replace(BACKLOG_SCHEMA, version=2, migrations=migrations)


def void(_: object) -> None:
    """Take anything."""


async def test_another_version_is_refused_and_names_the_migration(folder: Path, backlog: SqliteBacklog) -> None:
    await add_item(folder)
    change(folder, "PRAGMA user_version = 2")
    with pytest.raises(SchemaError) as caught:
        await backlog.list_items(ANN)
    assert (caught.value.code, caught.value.hint) == ("schema_drift", "Update Surehand.")
    change(folder, "PRAGMA user_version = 0")
    with pytest.raises(SchemaError) as caught:
        await backlog.add(ANN, replace(ITEM, item_id="b"))
    assert "surehand migrate" in caught.value.hint


async def test_migrating_brings_every_row_along_and_keeps_a_copy(folder: Path) -> None:
    await add_item(folder)
    newer = make_newer(lambda connection: connection.execute("UPDATE items SET plan_id = 'moved'"))
    files = BacklogFiles(folder)
    (dry,) = BacklogMigrator(files, newer).migrate(dry=True)
    assert (dry.before, dry.after, dry.backup) == (1, 2, "")
    (done,) = BacklogMigrator(files, newer).migrate()
    assert (done.before, done.after, done.fault) == (1, 2, "")
    assert BacklogMigrator(files, newer).migrate() == []
    with closing(sqlite3.connect(folder / BACKLOG_FILE)) as connection:
        assert connection.execute("SELECT item_id, plan_id FROM items").fetchall() == [("a", "moved")]
    with closing(sqlite3.connect(done.backup)) as connection:
        assert connection.execute("SELECT item_id, plan_id FROM items").fetchall() == [("a", "")]
    assert read_mode(Path(done.backup)) == 0o600
    change(folder, "PRAGMA user_version = 1")
    backlog = SqliteBacklog(folder)
    assert (await backlog.find_faults(), len(await backlog.list_items(ANN))) == ((), 1)
    await backlog.close()


async def test_migrating_makes_no_forged_row_ones_own(folder: Path) -> None:
    await add_item(folder)
    await add_item(folder, "b")
    change(folder, "UPDATE items SET item_id = 'forged' WHERE item_id = 'b'")
    BacklogMigrator(BacklogFiles(folder), make_newer()).migrate()
    change(folder, "PRAGMA user_version = 1")
    backlog = SqliteBacklog(folder)
    assert [item.item_id for item in await backlog.list_items(ANN)] == ["a"]
    await backlog.close()


async def test_a_migration_that_fails_changes_nothing(folder: Path) -> None:
    await add_item(folder)
    (fault,) = BacklogMigrator(
        BacklogFiles(folder), make_newer(lambda connection: connection.execute("CREATE TABLE more (id)"))
    ).migrate()
    assert "tables" in fault.fault
    (fault,) = BacklogMigrator(BacklogFiles(folder), replace(BACKLOG_SCHEMA, version=3)).migrate()
    assert "can't update it from version 1" in fault.fault
    backlog = SqliteBacklog(folder)
    assert len(await backlog.list_items(ANN)) == 1
    await backlog.close()


async def test_what_another_wrote_becomes_ones_own_by_ones_word_alone(tmp_path: Path, folder: Path) -> None:
    await add_item(folder, "theirs", Seal(tmp_path / "other"))
    migrator = BacklogMigrator(BacklogFiles(folder))
    (left,) = migrator.migrate()
    assert "may not be yours" in left.fault
    (adopted,) = migrator.migrate(adopt=True)
    assert (adopted.is_adopted, adopted.fault) == (True, "")
    backlog = SqliteBacklog(folder)
    assert [item.item_id for item in await backlog.list_items(ANN)] == ["theirs"]
    await backlog.close()


async def test_nothing_is_migrated_where_nothing_is_kept(folder: Path) -> None:
    assert BacklogMigrator(BacklogFiles(folder)).migrate(adopt=True) == []
    assert list_files(folder.parent) == []


async def test_closing_twice_does_nothing_and_the_next_call_opens_again(backlog: SqliteBacklog) -> None:
    await backlog.add(ANN, ITEM)
    await backlog.close()
    await backlog.close()
    with pytest.raises(GoalError):
        await backlog.add(ANN, ITEM)
    assert await backlog.list_transitions(ANN, datetime(2000, 1, 1, tzinfo=UTC))
