"""A key is its file's: whoever works in another state folder by now signs and proves with the key that lies there."""

from pathlib import Path

import pytest

from agent.store.documents import CONTEXT
from agent.store.seals import Seal


def move(tmp_path: Path, name: str, patch: pytest.MonkeyPatch) -> None:
    """Have the person's state folder elsewhere, on Linux and on Windows."""
    for variable in ("XDG_STATE_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        patch.setenv(variable, str(tmp_path / name))


def test_a_seal_goes_by_the_key_of_the_folder_that_is_the_persons_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal, codes = Seal(), list[bytes]()
    for name in ("first", "second", "first"):
        move(tmp_path, name, monkeypatch)
        codes.append(seal.sign("rows", b"x"))
        assert Seal().proves(codes[-1], "rows", b"x"), "another process proves it"
    assert codes[0] == codes[2] != codes[1]


def test_a_document_is_foreign_under_another_key_and_known_again_under_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move(tmp_path, "mine", monkeypatch)
    written = CONTEXT.write(CONTEXT.stamp({}))
    assert CONTEXT.proves(written)
    move(tmp_path, "theirs", monkeypatch)
    assert not CONTEXT.proves(written)
    move(tmp_path, "mine", monkeypatch)
    assert CONTEXT.proves(written)
