"""Disks that are full, read-only or broken: no row is believed to be written that isn't."""

import asyncio
import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent.store.journal.files import JournalFiles
from agent.store.journal.rows import Mark
from agent.store.journal.sqlite_journal import SqliteJournal
from agent.store.journal.witness import WitnessFile
from core.base.errors import JournalError
from core.journal.journal import JournalEntry
from tests.agent.store.conftest import Child

PADDING = "x" * 3000


def mount(*arguments: str) -> bool:
    """Tell whether a file system could be mounted, or mounted anew."""
    command = shutil.which("mount")
    return (
        bool(command) and subprocess.run([str(command), *arguments], capture_output=True, check=False).returncode == 0
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 512 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    if sys.platform != "linux" or not mount("-t", "tmpfs", "-o", "size=512k", "none", str(place)):
        pytest.skip("mounting a file system takes Linux and an administrator")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


async def fill(journal: SqliteJournal, most: int = 400) -> tuple[int, JournalError]:
    """Append until that fails; return how many rows were promised, and why no more were."""
    for number in range(most):
        try:
            await journal.append([JournalEntry("r1", f"a{number}", "intent", {"padding": PADDING})])
        except JournalError as error:
            return number, error
    raise AssertionError("the disk was never full")


async def read_names(folder: Path) -> list[str]:
    journal = SqliteJournal(folder)
    record = await journal.read("r1")
    await journal.close()
    assert record.damage == ()
    return [row.entry.action_id for row in record.rows]


async def test_on_a_full_disk_nothing_is_promised_and_nothing_promised_is_lost(small_disk: Path) -> None:
    journal = SqliteJournal(small_disk / "journal")
    promised, error = await fill(journal)
    assert error.code == "journal_unavailable"
    assert promised > 20
    again, _ = await fill(journal, most=3)
    assert again == 0
    await journal.close()
    # The last row may be in the database and not in the witness: it was not promised, and nothing was done.
    assert [f"a{number}" for number in range(promised)] == (await read_names(small_disk / "journal"))[:promised]


async def test_once_there_is_room_again_writing_goes_on(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    await asyncio.to_thread(ballast.write_bytes, bytes(300_000))
    journal = SqliteJournal(small_disk / "journal")
    promised, _ = await fill(journal)
    await asyncio.to_thread(ballast.unlink)
    await journal.append([JournalEntry("r1", "later", "done")])
    await journal.close()
    names = await read_names(small_disk / "journal")
    assert names[:promised] == [f"a{number}" for number in range(promised)]
    assert names[-1] == "later"


async def test_a_read_only_file_system_is_read_and_not_written(small_disk: Path) -> None:
    folder = small_disk / "journal"
    journal = SqliteJournal(folder)
    await journal.append([JournalEntry("r1", "a0", "intent")])
    assert mount("-o", "remount,ro", str(small_disk)) or await become_idle(journal, small_disk)
    other = SqliteJournal(folder)
    assert len((await other.read("r1")).rows) == 1
    assert await other.list_runs() == ("r1",)
    with pytest.raises(JournalError) as caught:
        await other.append([JournalEntry("r1", "a1", "intent")])
    assert caught.value.code in {"journal_unavailable", "journal_busy"}
    await other.close()
    await journal.close()


async def become_idle(journal: SqliteJournal, disk: Path) -> bool:
    """A file that is open for writing keeps its file system writable: let go, leaving the log behind, and try again."""
    copies = {file: file.read_bytes() for file in (disk / "journal").iterdir()}
    await journal.close()
    for file, data in copies.items():
        if not file.name.endswith("-shm"):
            file.write_bytes(data)
    return mount("-o", "remount,ro", str(disk))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize("limit", [0, 4096, 20_000, 60_000])
async def test_files_that_may_not_grow_are_a_full_disk(
    start_child: Callable[..., Child], folder: Path, limit: int
) -> None:
    child = start_child()
    assert child.ask(run="r1", action="a0") == "ok"
    assert child.ask(limit=limit) == "ok"
    answers = [child.ask(run="r1", action=f"a{number}", body={"padding": PADDING}) for number in range(1, 40)]
    promised = 1 + sum(answer == "ok" for answer in answers)
    assert promised < 40
    assert {answer["code"] for answer in answers if answer != "ok"} == {"journal_unavailable"}
    child.end()
    names = await read_names(folder)
    kept = {"a0", *(f"a{number}" for number, answer in enumerate(answers, 1) if answer == "ok")}
    assert kept <= set(names)


async def test_a_database_that_may_not_grow_is_a_full_disk(journal: SqliteJournal, folder: Path) -> None:
    await journal.append([JournalEntry("r1", "a0", "intent")])
    shared = vars(journal)["_shared"]

    def limit() -> None:
        vars(shared.writer)["_connection"].execute("PRAGMA max_page_count = 12")

    await asyncio.get_running_loop().run_in_executor(shared.thread, limit)
    promised, error = await fill(journal)
    assert (error.code, error.evidence["name"]) == ("journal_unavailable", "SQLITE_FULL")
    await journal.append([JournalEntry("r2", "b", "intent")])  # the connection was opened anew, and has no limit
    assert len(await read_names(folder)) == promised + 1


async def test_a_row_without_its_witness_is_not_promised(journal: SqliteJournal, folder: Path) -> None:
    await journal.append([JournalEntry("r1", "a0", "intent")])
    await asyncio.to_thread((folder / "journal.witness").rename, folder / "kept")
    await asyncio.to_thread((folder / "journal.witness").mkdir)
    with pytest.raises(JournalError) as caught:
        await journal.append([JournalEntry("r1", "a0", "done")])
    assert caught.value.code == "journal_unavailable"
    await asyncio.to_thread((folder / "journal.witness").rmdir)
    await asyncio.to_thread((folder / "kept").rename, folder / "journal.witness")
    await journal.append([JournalEntry("r1", "a1", "intent")])
    assert (await read_names(folder))[-1] == "a1"


async def test_a_folder_that_is_a_file_is_an_error_of_the_journal(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("mine", encoding="utf-8")
    journal = SqliteJournal(tmp_path / "journal")
    with pytest.raises(JournalError) as caught:
        await journal.append([JournalEntry("r1", "a", "intent")])
    assert caught.value.code == "journal_unavailable"
    await journal.close()
    assert (tmp_path / "journal").read_text(encoding="utf-8") == "mine"


def test_a_line_that_was_cut_off_doesnt_spoil_the_next(tmp_path: Path) -> None:
    files = JournalFiles(tmp_path)
    file, witness = files.witness, WitnessFile(files)
    witness.append([Mark("r1", 0, 1), Mark("r2", 0, 2)])
    os.truncate(file, witness.measure() - 5)
    witness.append([Mark("r1", 1, 3)])
    lines = file.read_bytes().splitlines()
    assert [line.startswith(b'["r') for line in lines] == [True, True, True]


@pytest.mark.skipif(sys.platform == "win32" or not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_witness_on_a_full_disk_says_so(tmp_path: Path) -> None:
    (tmp_path / "journal.witness").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space") as caught:
        WitnessFile(JournalFiles(tmp_path)).append([Mark("r1", 0, 1)])
    assert caught.value.errno == errno.ENOSPC
