"""Opening files by a command, seen by a command of ours that writes down what it was given."""

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the shell opens files there", allow_module_level=True)

from actuators.files.platforms.desktop_opener import FileCommandOpener
from core.base.errors import UnsupportedError

COMMANDS = [["gio", "open"], ["xdg-open"]]


def make_program(folder: Path, name: str, *lines: str) -> None:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    program.chmod(0o755)


def make_opener(folder: Path, *, display: str = ":7") -> FileCommandOpener:
    variables = {"PATH": f"{folder}:/usr/bin:/bin", "DISPLAY": display, "LOG": str(folder / "log")}
    return FileCommandOpener([["xdg-open"]], variables, needs_display=True)


@pytest.mark.parametrize("name", ["a.txt", "a b;rm -rf $HOME.txt", "-h", "żółć 日本.txt", "`id`.txt"])
def test_the_path_is_one_argument_whatever_is_in_it(tmp_path: Path, name: str):
    make_program(tmp_path / "bin", "xdg-open", 'printf "%s|" "$#" "$1" > "$LOG"')
    make_opener(tmp_path / "bin").open(f"/tmp/{name}")
    assert (tmp_path / "bin" / "log").read_text(encoding="utf-8") == f"1|/tmp/{name}|"


def test_the_program_that_is_registered_is_named(tmp_path: Path):
    make_program(tmp_path / "bin", "xdg-open", "exit 0")
    make_program(
        tmp_path / "bin", "xdg-mime", 'if [ "$2" = default ]; then echo mousepad.desktop; else echo text/plain; fi'
    )
    assert make_opener(tmp_path / "bin").open("/tmp/a.txt").application == "mousepad"


def test_a_type_without_a_program_is_told(tmp_path: Path):
    make_program(tmp_path / "bin", "xdg-open", "exit 3")
    with pytest.raises(UnsupportedError) as caught:
        make_opener(tmp_path / "bin").open("/tmp/a.txt")
    assert caught.value.evidence["code"] == 3


def test_without_a_display_nothing_is_started(tmp_path: Path):
    make_program(tmp_path / "bin", "xdg-open", 'echo started > "$LOG"')
    opener = make_opener(tmp_path / "bin", display="")
    assert opener.assess().available is False
    assert "DISPLAY" in opener.assess().remedy
    with pytest.raises(UnsupportedError):
        opener.open("/tmp/a.txt")
    assert not (tmp_path / "bin" / "log").exists()


def test_without_a_command_it_says_what_to_install(tmp_path: Path):
    opener = FileCommandOpener(COMMANDS, {"PATH": str(tmp_path), "DISPLAY": ":7"}, needs_display=True)
    assert opener.assess().available is False
    assert "xdg-utils" in opener.assess().remedy
