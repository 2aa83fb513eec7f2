"""A journal that somebody else wrote is named, never gone on with, and never lost."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.store.journal.sqlite_journal import SqliteJournal
from agent.store.seals import KEY_FILE, Seal
from core.base.errors import JournalError
from core.journal.journal import JournalEntry
from tests.agent.store.conftest import ROOT
from tests.thoroughness import examples

RUN = [JournalEntry("r1", "", "begun", {"asked": "theirs"}), JournalEntry("r1", "a", "intent")]


@pytest.fixture
def theirs(tmp_path: Path) -> Seal:
    """The seal of somebody else, or of this person on another machine."""
    return Seal(tmp_path / "theirs")


@pytest.fixture
def mine(tmp_path: Path) -> Seal:
    """This person's seal, with which something was signed before."""
    seal = Seal(tmp_path / "mine")
    seal.sign("row", b"")
    return seal


async def write(folder: Path, seal: Seal, *earlier: JournalEntry) -> None:
    journal = SqliteJournal(folder, seal=seal)
    await journal.append([*earlier, *RUN])
    await journal.close()


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def list_asides(folder: Path) -> list[Path]:
    return sorted(folder.glob("foreign-*"))


@pytest.mark.parametrize("has_key", [True, False])
async def test_a_journal_of_another_key_is_named_and_not_read(
    folder: Path, theirs: Seal, mine: Seal, *, has_key: bool
) -> None:
    await write(folder, theirs)
    before = read_all(folder)
    journal = SqliteJournal(folder, seal=mine if has_key else Seal(mine.file.parent / "none"))
    for look in (journal.list_runs, lambda: journal.read("r1"), journal.find_faults):
        with pytest.raises(JournalError) as caught:
            await look()
        assert caught.value.code == "journal_foreign"
        assert "surehand migrate --adopt" in caught.value.hint
    await journal.close()
    assert read_all(folder).items() >= before.items()


async def test_a_journal_whose_checksums_have_no_key_is_anybodys(folder: Path) -> None:
    await write(folder, Seal())
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 1")
    journal = SqliteJournal(folder)
    with pytest.raises(JournalError) as caught:
        await journal.read("r1")
    assert caught.value.code == "journal_foreign"
    await journal.close()


async def test_the_first_rows_set_a_foreign_journal_aside_whole_and_say_so(folder: Path, theirs: Seal) -> None:
    await write(folder, theirs)
    journal = SqliteJournal(folder)
    await journal.append([JournalEntry("mine", "", "begun")])
    (note,) = journal.take_notes()
    (aside,) = list_asides(folder)
    assert "may not be yours" in note
    assert str(aside) in note
    assert journal.take_notes() == ()
    assert await journal.list_runs() == ("mine",)
    await journal.close()
    kept = SqliteJournal(aside, seal=theirs)
    record = await kept.read("r1")
    assert ([row.entry for row in record.rows], record.damage) == (RUN, ())
    await kept.close()


@pytest.mark.parametrize("left", ["journal.witness", "journal.sqlite-wal"])
async def test_what_is_left_of_a_foreign_journal_is_set_aside_too(
    folder: Path, tmp_path: Path, theirs: Seal, left: str
) -> None:
    journal = SqliteJournal(tmp_path / "whole", seal=theirs)
    await journal.append(RUN)
    await asyncio.to_thread(folder.mkdir)
    shutil.copyfile(tmp_path / "whole" / left, folder / left)
    await journal.close()
    content = read_all(folder)
    mine = SqliteJournal(folder)
    await mine.append([JournalEntry("mine", "", "begun")])
    (aside,) = list_asides(folder)
    assert read_all(aside) == content
    assert await mine.list_runs() == ("mine",)
    await mine.close()


async def test_a_key_that_is_gone_makes_what_was_kept_foreign_and_loses_nothing(
    folder: Path, tmp_path: Path, theirs: Seal
) -> None:
    await write(folder, theirs)
    theirs.file.rename(tmp_path / "key")
    journal = SqliteJournal(folder, seal=Seal(tmp_path / "theirs"))
    with pytest.raises(JournalError, match="may not be yours"):
        await journal.read("r1")
    await journal.append([JournalEntry("mine", "", "begun")])
    await journal.close()
    theirs.file.unlink()
    (tmp_path / "key").rename(theirs.file)
    again = SqliteJournal(list_asides(folder)[0], seal=Seal(tmp_path / "theirs"))
    assert (await again.read("r1")).damage == ()
    await again.close()


async def test_rows_that_were_planted_in_ones_own_journal_are_no_run_and_are_reported(
    folder: Path, theirs: Seal, mine: Seal
) -> None:
    own = SqliteJournal(folder, seal=mine)
    await own.append([JournalEntry("r0", "", "begun")])
    await own.close()
    other = folder.with_name("other")
    await write(other, theirs, JournalEntry("r0", "", "begun"))
    with closing(sqlite3.connect(folder / "journal.sqlite")) as connection, connection:
        connection.execute("ATTACH ? AS other", (str(other / "journal.sqlite"),))
        connection.execute("INSERT INTO main.rows SELECT * FROM other.rows WHERE run_id = 'r1'")
    journal = SqliteJournal(folder, seal=mine)
    assert (await journal.read("r1")).rows == ()
    assert await journal.list_runs() == ("r0",)
    assert any("rows that are damaged" in fault for fault in await journal.find_faults())
    assert (await journal.read("r0")).damage == ()
    await journal.close()


@given(body=st.dictionaries(st.text(max_size=5), st.integers(), max_size=3), offset=st.integers(0))
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_code_proves_another_kind_another_text_or_under_another_key(
    body: dict[str, int], offset: int, tmp_path: Path
) -> None:
    mine, theirs = Seal(tmp_path / "a"), Seal(tmp_path / "b")
    theirs.sign("row", b"")
    data = json.dumps(body).encode()
    code = mine.sign("row", data)
    spoilt = bytearray(code)
    spoilt[offset % len(code)] ^= 1
    assert mine.proves(code, "row", data)
    assert not any(
        (
            mine.proves(code, "line", data),
            mine.proves(code, "row", data + b" "),
            mine.proves(bytes(spoilt), "row", data),
            mine.proves(code[:1], "row", data),
            mine.proves(b"", "row", data),
            theirs.proves(code, "row", data),
            Seal(tmp_path / "none").proves(code, "row", data),
        )
    )
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are those of POSIX")
def test_only_its_owner_may_read_the_key_and_one_that_others_may_is_not_used(tmp_path: Path) -> None:
    seal = Seal(tmp_path / "state" / "surehand")
    seal.sign("row", b"")
    assert seal.file.stat().st_mode & 0o777 == 0o600
    assert seal.file.parent.stat().st_mode & 0o777 == 0o700
    for mode in (0o640, 0o606):
        seal.file.chmod(mode)
        with pytest.raises(JournalError, match="others can read or change it") as caught:
            Seal(seal.file.parent).sign("row", b"")
        assert caught.value.code == "key_unusable"


@pytest.mark.parametrize("content", [b"", b"no key", b"00" * 31])
def test_a_file_that_holds_no_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / KEY_FILE
    file.touch(0o600)
    file.write_bytes(content)
    for use in (lambda: Seal(tmp_path).sign("row", b""), lambda: Seal(tmp_path).proves(b"", "row", b"")):
        with pytest.raises(JournalError, match="holds no key"):
            use()
    assert file.read_bytes() == content


def test_processes_that_need_the_first_key_at_once_get_one_key(tmp_path: Path) -> None:
    code = "import sys, pathlib; from agent.store.seals import Seal; print(Seal(pathlib.Path(sys.argv[1])).sign('row', b'').hex())"
    command = [sys.executable, "-c", code, str(tmp_path / "state")]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    answers = {process.communicate()[0] for process in started}
    assert len(answers) == 1
    assert {process.returncode for process in started} == {0}
    assert sorted(each.name for each in (tmp_path / "state").iterdir()) in ([KEY_FILE], [KEY_FILE, "seal.lock"])
