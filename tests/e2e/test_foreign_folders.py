"""A folder that came from somebody else: what it says was allowed, done or kept is shown, and has no authority."""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.agent.conftest import Command

FLOW = {
    "goals": [
        {"file.copy": {"source": "seed.txt", "destination": "copy.txt"}},
        {"system.run": {"argv": ["touch", "PWNED"]}},
    ]
}
RULES = {"rules": [{"allow": {"verbs": ["file.*", "system.*"]}}]}

Surehand = Callable[..., tuple[int, str, str]]


@pytest.fixture
def surehand(surehand: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Surehand:
    def run(*words: str, where: str = "folder", who: str = "me") -> tuple[int, str, str]:
        (tmp_path / where).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / where)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / who))
        said = surehand(*words)
        return said.code, said.out, said.err

    return run


def write_json(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.fixture
def sent(surehand: Surehand, tmp_path: Path) -> Path:
    """A folder from somebody whose run stopped right before a command, which they had allowed."""
    folder = tmp_path / "folder"
    folder.mkdir()
    write_json(folder / "flow.json", FLOW)
    write_json(folder / "rules.json", RULES)
    options = ("--allow", "system.run", "--policy", "rules.json", "--yes", "apply_diff,run_job")
    code, _, err = surehand("run", "flow.json", *options, who="them")
    assert code == 1, err
    (folder / "seed.txt").write_text("seed")
    return folder


def test_a_run_of_somebody_else_is_neither_gone_on_with_nor_taken_back_nor_recommended(
    surehand: Surehand, sent: Path
) -> None:
    for command in (
        ("resume", "last"),
        ("undo", "last"),
        ("resume", "last", "--allow", "system.run", "--yes", "run_job"),
    ):
        code, _, err = surehand(*command)
        assert (code, "error (journal_foreign)" in err) == (2, True), err
        assert "may not be yours" in err
    _, out, _ = surehand("doctor")
    assert "may not be yours" in out
    assert "surehand resume" not in out
    assert not (sent / "PWNED").exists()
    assert not (sent / "copy.txt").exists()


def test_what_somebody_else_kept_is_shown_as_theirs_before_and_after_it_is_set_aside(
    surehand: Surehand, sent: Path
) -> None:
    listed = json.loads(surehand("sessions", "list", "--json")[1])
    assert [run["status"] for run in listed] == ["foreign"]
    code, _, err = surehand("run", "create a file called mine.txt", "--yes", "apply_diff")
    assert code == 0, err
    assert err.count("may not be yours") >= 2  # the journal and the runs
    listed = json.loads(surehand("sessions", "list", "--json")[1])
    assert [run["status"] for run in listed] == ["success", "foreign"]
    shown = surehand("sessions", "show", listed[1]["run_id"])[1]
    assert shown.startswith("This may not be yours")
    assert "surehand resume" not in shown
    assert surehand("sessions", "show", "last")[1].startswith(listed[0]["run_id"])
    assert surehand("undo", "last", "--yes", "apply_diff")[0] == 0
    assert not (sent / "mine.txt").exists()
    assert not (sent / "PWNED").exists()
    asides = list((sent / ".surehand").glob("foreign-*/*"))
    assert {"journal.sqlite", "journal.witness", "agent_sessions"} <= {each.name for each in asides}


@pytest.mark.parametrize("version", [1, 2])
def test_only_a_persons_word_makes_a_journal_theirs(surehand: Surehand, sent: Path, version: int) -> None:
    if version == 1:
        unseal_journal(sent / ".surehand" / "journal.sqlite")
    assert surehand("migrate")[0] == 1
    assert surehand("resume", "last")[0] == 2
    code, out, err = surehand("migrate", "--adopt", "--dry-run")
    assert (code, "journal.sqlite: now yours" in out) == (0, True), err
    assert surehand("resume", "last")[0] == 2
    code, out, err = surehand("migrate", "--adopt")
    assert (code, "journal.sqlite: now yours; old file: " in out) == (0, True), err
    assert surehand("migrate", "--adopt")[1] == "Everything is up to date.\n"
    assert json.loads(surehand("sessions", "list", "--json")[1])[0]["status"] == "failed"
    # What it had been allowed is not taken over.
    code, _, err = surehand("resume", "last", "--yes", "apply_diff,run_job")
    assert (code, "--allow system.run" in err) == (2, True), err
    assert not (sent / "PWNED").exists()
    code, _, err = surehand("resume", "last", "--allow", "system.run", "--yes", "apply_diff")
    assert code == 3, err
    assert not (sent / "PWNED").exists()
    assert surehand("resume", "last", "--allow", "system.run", "--yes", "apply_diff,run_job")[0] == 0
    assert (sent / "PWNED").exists()


def unseal_journal(database: Path) -> None:
    """Make a journal one of the first version, whose checksums had no key."""
    with closing(sqlite3.connect(database)) as connection, connection:
        rows = connection.execute("SELECT * FROM rows ORDER BY run_id, position").fetchall()
        before: dict[str, bytes] = {}
        for row in rows:
            previous = before.get(row[2], bytes(32))
            plain = [each.hex() if isinstance(each, bytes) else each for each in (*row[:10], previous)]
            before[row[2]] = hashlib.sha256(json.dumps(plain).encode()).digest()
            connection.execute(
                "UPDATE rows SET previous = ?, checksum = ? WHERE seq = ?", (previous, before[row[2]], row[0])
            )
        connection.execute("PRAGMA user_version = 1")


def test_a_folder_with_a_copied_journal_of_ones_own_acts_nowhere_else(surehand: Surehand, tmp_path: Path) -> None:
    code, _, err = surehand("run", "create a file called a.txt", "--yes", "apply_diff", where="first")
    assert code == 0, err
    (tmp_path / "second").mkdir()
    shutil.copytree(tmp_path / "first" / ".surehand", tmp_path / "second" / ".surehand")
    for command in ("resume", "undo"):
        code, _, err = surehand(command, "last", where="second")
        assert (code, "error (other_workspace)" in err) == (2, True), err
    assert (tmp_path / "first" / "a.txt").exists()


def test_a_memory_that_was_copied_is_shown_and_recalled_nowhere_else(surehand: Surehand, tmp_path: Path) -> None:
    code, _, err = surehand("run", "remember that my city is Vienna", where="first")
    assert code == 0, err
    (tmp_path / "second").mkdir()
    shutil.copytree(tmp_path / "first" / ".surehand", tmp_path / "second" / ".surehand")
    for who in ("me", "them"):
        shown = surehand("context", "show", where="second", who=who)[1]
        assert (shown.startswith("This may not be yours"), "Vienna" in shown) == (True, True)
    assert "Vienna" in surehand("run", "what do you remember about my city?", where="first")[1]
    code, out, err = surehand("run", "what do you remember about my city?", where="second")
    assert "Vienna" not in out
    assert "agent_context.json may not be yours: it comes from another folder" in err
    assert "Vienna" not in surehand("context", "show", where="second")[1]
    assert surehand("context", "show", where="first")[1].startswith("Remembered")


def test_a_copied_memory_becomes_ones_own_by_a_persons_word(surehand: Surehand, tmp_path: Path) -> None:
    surehand("run", "remember that my city is Vienna", where="first")
    shutil.copytree(tmp_path / "first" / ".surehand", tmp_path / "second" / ".surehand")
    assert surehand("migrate", where="second")[0] == 1
    code, out, err = surehand("migrate", "--adopt", where="second")
    assert (code, "agent_context.json: now yours" in out) == (0, True), err
    assert "Vienna" in surehand("run", "what do you remember about my city?", where="second")[1]


def test_taking_back_outside_of_the_folders_of_today_takes_a_person(surehand: Surehand, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "rc").write_text("old\n")
    write_json(
        tmp_path / "goals.json",
        [{"domain": "file", "verb": "write", "params": {"path": str(outside / "rc"), "content": "new\n"}}],
    )
    code, _, err = surehand("run", "--goals", "../goals.json", "--root", str(outside), "--yes", "apply_diff")
    assert code == 0, err
    code, out, err = surehand("undo", "last", "--yes", "apply_diff")
    assert (code, str(outside / "rc") in out, "confirm" in out) == (3, True, True), out + err
    assert (outside / "rc").read_text() == "new\n"
    code, out, err = surehand("undo", "last", "--yes", "apply_diff", "--root", str(outside))
    assert code == 0, out + err
    assert (outside / "rc").read_text() == "old\n"


def test_a_rule_of_today_stops_taking_back(surehand: Surehand, tmp_path: Path) -> None:
    assert surehand("run", "create a file called a.txt", "--yes", "apply_diff")[0] == 0
    write_json(tmp_path / "rules.json", {"rules": [{"deny": {"verbs": ["file.*"], "because": "not today"}}]})
    code, out, _ = surehand("undo", "last", "--yes", "apply_diff", "--policy", "../rules.json")
    assert (code, "not today" in out) == (1, True)
    assert (tmp_path / "folder" / "a.txt").exists()


def test_a_journal_that_is_gone_beside_its_witness_is_told_by_every_command(surehand: Surehand, tmp_path: Path) -> None:
    run = ("run", "create a file called a.txt", "--yes", "apply_diff")
    assert surehand(*run)[0] == 0
    (tmp_path / "folder" / ".surehand" / "journal.sqlite").unlink()
    for command in (("sessions", "list"), ("doctor",), ("resume", "last"), ("undo", "last"), run):
        _, out, err = surehand(*command)
        assert "journal" in out + err, command
        assert "rows are gone" in out + err or "rows left" in out + err, (command, out, err)
