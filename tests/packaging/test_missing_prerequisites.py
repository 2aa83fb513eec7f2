"""Nothing goes missing in silence: a package manager that is in use is waited for, and CI is red without what tests need."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.setup import system
from scripts.setup.system import SetupError, report_missing, run_aloud
from tests.prerequisites import require

REFUSAL = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
APT = """#!/bin/sh
# Fails as apt does until it was asked three times.
echo x >> "$0.calls"
[ "$(wc -l < "$0.calls")" -ge 3 ] && exit 0
echo "{refusal}" >&2
exit 100
"""


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that stands for apt, alone on the path with what it needs."""
    program = tmp_path / "apt-get"
    program.write_text(APT.format(refusal=REFUSAL), encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(system, "LOCK_RETRY_S", 0.0)
    return program


def test_a_lock_of_apt_is_waited_for_with_a_word(apt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_aloud(["apt-get", "update"])
    assert capsys.readouterr().err == "setup: another program is using apt-get; waiting for it, at most 10 minutes\n"


def test_a_lock_that_stays_ends_the_waiting_with_apts_words(
    apt: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "LOCK_LIMIT_S", -1.0)
    assert not run_aloud(["apt-get", "update"])
    assert REFUSAL in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="this system has no apt")
def test_a_real_lock_of_apts_lists_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = tmp_path / "lists"
    (lists / "partial").mkdir(parents=True)
    (tmp_path / "sources").touch()
    options = [f"Dir::State::Lists={lists}", f"Dir::Etc::SourceList={tmp_path / 'sources'}", "Dir::Etc::SourceParts=-"]
    command = ["apt-get", "update", "-q", *(part for option in options for part in ("-o", option))]
    code = "import fcntl, sys; lock = open(sys.argv[1], 'a'); fcntl.lockf(lock, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    holding = [sys.executable, "-c", code, str(lists / "lock")]
    with subprocess.Popen(holding, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin
        assert holder.stdout
        holder.stdout.readline()
        monkeypatch.setattr(system.time, "sleep", lambda _: holder.communicate())  # the first wait lets it go
        assert run_aloud(command)
        assert holder.returncode == 0


@pytest.mark.parametrize("given", ["", "1"])
def test_what_is_missing_is_told_and_skipped(
    given: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", given)
    report_missing("xclip", "On Debian: sudo apt install xclip")
    assert "tests of it are skipped: xclip. On Debian: sudo apt install xclip" in capsys.readouterr().err


def test_under_ci_what_is_missing_ends_the_set_up_with_its_name_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(SetupError, match=r"missing: xclip\. On Debian: sudo apt install xclip"):
        report_missing("xclip", "On Debian: sudo apt install xclip")


@pytest.mark.parametrize(("given", "ending"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_a_test_without_its_program_is_skipped_and_fails_under_ci(
    given: str, ending: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", given)
    require("sh")
    with pytest.raises(ending, match="no-such-program not installed"):
        require("sh", "no-such-program")
