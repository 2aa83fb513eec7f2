"""The anchors of a real shell of Windows."""

import os
import string
import sys
from pathlib import Path

import pytest

from actuators.anchors import find_anchors, list_folders
from core.addresses.paths import resolve_path

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)


def test_the_shell_names_the_folders_of_the_person(tmp_path: Path) -> None:
    found = {each.name: each for each in find_anchors(tmp_path)}
    for name in ("desktop", "documents", "downloads"):
        assert found[name].source == "Windows known folder"
        assert not found[name].redirected
        assert Path(found[name].path).parent == Path(os.environ["USERPROFILE"])
        assert Path(found[name].path).is_dir()
    assert found["home"].source == "USERPROFILE"
    assert Path(found["temp"].path).is_dir()


def test_every_drive_that_exists_is_an_anchor(tmp_path: Path) -> None:
    folders = list_folders(find_anchors(tmp_path))
    drives = {name: path for name, path in folders.items() if name.startswith("drive:")}
    assert drives["drive:C"] == "C:\\"
    assert all(path == f"{name[-1]}:\\" for name, path in drives.items())
    there = {letter for letter in string.ascii_uppercase if Path(f"{letter}:\\").exists()}
    assert there <= {name[-1] for name in drives}


def test_what_is_resolved_is_what_windows_opens(tmp_path: Path) -> None:
    folders = list_folders(find_anchors(tmp_path))
    path = resolve_path("a/żółć 日本 😀.txt", folders, sys.platform)
    Path(path).parent.mkdir()
    Path(path).write_text("x", encoding="utf-8")
    assert [each.name for each in (tmp_path / "a").iterdir()] == ["żółć 日本 😀.txt"]
    assert Path(path).absolute() == Path(path)
