"""Tokens of those who may use the service."""

from pathlib import Path

import pytest

from tests.agent.conftest import Command


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder, with settings that let a house in."""
    folder = tmp_path_factory.mktemp("config") / "surehand"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text('[service.principals.home]\nscopes = ["read", "run"]\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent))
    return folder


def test_a_token_is_made_once_and_kept_for_the_persons_eyes(surehand: Command, own: Path) -> None:
    first, again = surehand("service", "token", "home"), surehand("service", "token", "home")
    assert first.code == again.code == 0
    assert first.out == again.out
    assert len(first.out.strip()) == 64
    assert "starts again" in first.err
    assert again.err == ""
    assert (own / "tokens" / "home").stat().st_mode & 0o777 == 0o600


def test_a_new_token_takes_the_place_of_the_old_one(surehand: Command, own: Path) -> None:
    first = surehand("service", "token", "home")
    assert surehand("service", "token", "home", "--new").out != first.out


@pytest.mark.parametrize("name", ["nobody", "../home", ""])
def test_who_is_not_in_the_settings_gets_no_token(surehand: Command, own: Path, name: str) -> None:
    said = surehand("service", "token", name)
    assert (said.code, said.out) == (2, "")
    assert "unknown_principal" in said.err
    assert not (own / "tokens").exists()
