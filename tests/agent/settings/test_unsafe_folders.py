"""A folder of Surehand with links, second names or parts that others may change: refused alike by every command."""

import os
import socket
import sys
from pathlib import Path

import pytest

from agent.settings.folder_checks import check_folder, list_states, locate_state
from core.base.errors import RefusedError
from tests.agent.conftest import Command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX")

RUN = ("run", "create a file called a.txt", "--yes", "apply_diff")
COMMANDS = (
    RUN,
    ("run", "--dry-run", "create a file called a.txt"),
    ("plan", "create a file called a.txt"),
    ("resume", "last"),
    ("undo", "last"),
    ("sessions", "list"),
    ("sessions", "show", "last"),
    ("context", "show"),
    ("health",),
    ("health", "alerts"),
    ("context", "reset", "--yes"),
    ("migrate",),
    ("migrate", "--adopt"),
    ("doctor",),
)
PARTS = (
    "journal.sqlite",
    "journal.sqlite-wal",
    "journal.sqlite-shm",
    "journal.witness",
    "journal.lock",
    "agent_context.json",
    "settings.toml",
    "agent_sessions",
    "agent_sessions/r0123456789abcdef.json",
    "agent_sessions/format.json",
    "logs",
    "logs/surehand.jsonl",
    "artifacts",
    "traces",
    "undo",
    "foreign-20260101T000000",
    "foreign-20260101T000000/agent_sessions",
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_refuses_a_folder_that_is_a_link(
    surehand: Command, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "else").mkdir()
    (tmp_path / ".surehand").symlink_to(tmp_path / "else")
    said = surehand(*command)
    assert (said.code, "unsafe_folder" in said.err) == (2, True), said
    assert "it is a link" in said.err
    assert list((tmp_path / "else").iterdir()) == []
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_that_is_a_link_is_refused_also_one_that_leads_nowhere(tmp_path: Path, part: str) -> None:
    path = tmp_path / ".surehand" / part
    path.parent.mkdir(parents=True, mode=0o700)
    for target in (tmp_path, tmp_path / "nothing"):
        path.symlink_to(target)
        with pytest.raises(RefusedError, match="it is a link") as caught:
            check_folder(tmp_path / ".surehand")
        assert caught.value.evidence["path"] == str(path)
        path.unlink()


def test_where_an_earlier_version_listened_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".surehand").mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path)  # a socket's path has to be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(".surehand/service.sock")
        check_folder(tmp_path / ".surehand")
        Path(".surehand/service.sock").rename(".surehand/other.sock")
        with pytest.raises(RefusedError, match="neither a file nor a folder"):
            check_folder(tmp_path / ".surehand")


@pytest.mark.parametrize("part", [part for part in PARTS if "." in Path(part).name and not part.endswith(".lock")])
def test_a_file_with_a_second_name_is_refused(tmp_path: Path, part: str) -> None:
    path = tmp_path / ".surehand" / part
    path.parent.mkdir(parents=True, mode=0o700)
    (tmp_path / "bashrc").write_text("mine")
    path.hardlink_to(tmp_path / "bashrc")
    with pytest.raises(RefusedError, match="2 names"):
        check_folder(tmp_path / ".surehand")


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o720])
@pytest.mark.parametrize("part", ["", "logs"])
def test_what_others_may_change_is_refused_with_what_to_do(
    surehand: Command, tmp_path: Path, part: str, mode: int
) -> None:
    path = tmp_path / ".surehand" / part
    path.mkdir(parents=True)
    path.chmod(mode)
    said = surehand(*RUN)
    assert (said.code, "others can change it" in said.err) == (2, True), said
    assert "chmod -R go-w" in said.err
    path.chmod(0o755)
    assert surehand(*RUN).code == 0


def test_what_lies_where_nobody_else_can_come_may_have_any_mode(surehand: Command, tmp_path: Path) -> None:
    folder = tmp_path / ".surehand"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").touch()
    (folder / "settings.toml").chmod(0o664)
    assert surehand(*RUN).code == 0


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can give files away")
def test_what_belongs_to_another_user_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / ".surehand"
    (folder / "logs").mkdir(parents=True, mode=0o700)
    os.chown(folder / "logs", 65534, 65534)
    with pytest.raises(RefusedError, match="belongs to another user"):
        check_folder(folder)


def test_what_is_neither_a_file_nor_a_folder_is_refused_and_not_waited_for(surehand: Command, tmp_path: Path) -> None:
    folder = tmp_path / ".surehand" / "agent_sessions"
    folder.mkdir(parents=True, mode=0o700)
    os.mkfifo(folder / "r0123456789abcdef.json", 0o600)
    assert "neither a file nor a folder" in surehand("sessions", "list").err


def test_what_surehand_makes_itself_is_fine(surehand: Command, tmp_path: Path) -> None:
    check_folder(tmp_path / ".surehand")
    for _ in range(2):
        surehand(*RUN)
        check_folder(tmp_path / ".surehand")


NAMES = ("ada", "Ada", "ADA", "%41da", "ada/..", "..", ".", "con.x", "a" * 300, "a" * 301, "å")


def test_each_principal_has_a_folder_of_their_own_whatever_their_name_is(tmp_path: Path) -> None:
    folders = [locate_state(tmp_path, name) for name in NAMES]
    assert len({str(each).casefold() for each in folders}) == len(NAMES)
    assert {each.parent for each in folders} == {tmp_path / ".surehand" / "principals"}
    assert locate_state(tmp_path) == tmp_path / ".surehand"


@pytest.mark.parametrize("part", ["principals", "principals/ada", "principals/ada/agent_sessions/format.json"])
def test_a_link_in_the_folder_of_a_principal_is_refused(tmp_path: Path, part: str) -> None:
    path = tmp_path / ".surehand" / part
    path.parent.mkdir(parents=True, mode=0o700)
    path.symlink_to(tmp_path / "nowhere")
    for look in (lambda: locate_state(tmp_path, "ada"), lambda: list_states(tmp_path)):
        with pytest.raises(RefusedError) as refused:
            look()
        assert refused.value.code == "unsafe_folder"
