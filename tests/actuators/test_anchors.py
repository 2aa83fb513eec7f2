import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from actuators.anchors import Anchor, explain_path, find_anchors, list_folders
from core.addresses.paths import resolve_path

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX paths")

NAMES = ["workspace", "home", "desktop", "documents", "downloads", "temp"]


def find(home: Path, platform: str = "linux", **environ: str) -> dict[str, Anchor]:
    """Return the anchors of somebody with this home folder, by name."""
    known: Mapping[str, str] = {"HOME": str(home), **environ}
    return {each.name: each for each in find_anchors(home / "work", environ=known, platform=platform)}


def name_folders(home: Path, text: str) -> None:
    """Write the file in which a desktop names its folders."""
    (home / ".config").mkdir()
    (home / ".config" / "user-dirs.dirs").write_bytes(text.encode("utf-8", "surrogateescape"))


# --- Linux


@posix
def test_without_a_file_the_default_names_count(tmp_path: Path) -> None:
    found = find(tmp_path)
    assert list(found) == NAMES
    assert found["workspace"] == Anchor("workspace", f"{tmp_path}/work", "session")
    assert found["home"] == Anchor("home", str(tmp_path), "HOME")
    for name, folder in (("desktop", "Desktop"), ("documents", "Documents"), ("downloads", "Downloads")):
        assert found[name] == Anchor(name, f"{tmp_path}/{folder}", "default, not named in user-dirs.dirs")


@posix
def test_the_file_names_the_folders(tmp_path: Path) -> None:
    name_folders(
        tmp_path,
        "# written by xdg-user-dirs-update\n"
        'XDG_DESKTOP_DIR="$HOME/Schreibtisch"\n'
        '  XDG_DOCUMENTS_DIR = "/data/Dokumente/"\n'
        'XDG_MUSIC_DIR="$HOME/Musik"\n',
    )
    found = find(tmp_path)
    assert found["desktop"] == Anchor("desktop", f"{tmp_path}/Schreibtisch", "user-dirs.dirs")
    assert found["documents"] == Anchor("documents", "/data/Dokumente", "user-dirs.dirs", redirected=True)
    assert found["downloads"].source == "default, not named in user-dirs.dirs"


@posix
@pytest.mark.parametrize("value", ["$HOME", "$HOME/", "$HOME//", "{home}", "{home}/"])
def test_a_disabled_folder_is_left_out_and_never_the_whole_home(tmp_path: Path, value: str) -> None:
    name_folders(tmp_path, f'XDG_DESKTOP_DIR="{value.format(home=tmp_path)}"\n')
    found = find(tmp_path)
    assert found["desktop"] == Anchor("desktop", "", "disabled in user-dirs.dirs")
    assert list(list_folders(tuple(found.values()))) == [name for name in NAMES if name != "desktop"]


@posix
@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ('XDG_DESKTOP_DIR="$HOME/a \\"b\\" \\$c \\\\d"', '{home}/a "b" $c \\d'),
        ('XDG_DESKTOP_DIR="/a"\nXDG_DESKTOP_DIR="/b"', "/b"),
        ('XDG_DESKTOP_DIR="/a"\nXDG_DESKTOP_DIR="relative"', "/a"),
        ('XDG_DESKTOP_DIR="$HOMER/a"', "{home}/Desktop"),
        ('XDG_DESKTOP_DIR="$HOME/a', "{home}/Desktop"),
        ('#XDG_DESKTOP_DIR="/a"', "{home}/Desktop"),
        ('XDG_DESKTOP_DIR="$HOME/żółć 日本"', "{home}/żółć 日本"),
        ('XDG_DESKTOP_DIR="/a\udcff"', "/a\udcff"),
        ("", "{home}/Desktop"),
    ],
)
def test_the_file_is_read_as_a_shell_would_and_nothing_in_it_is_run(tmp_path: Path, line: str, folder: str) -> None:
    name_folders(tmp_path, f"{line}\n")
    assert find(tmp_path)["desktop"].path == folder.replace("{home}", str(tmp_path))


@posix
def test_the_file_may_lie_where_the_configuration_does(tmp_path: Path) -> None:
    (tmp_path / "user-dirs.dirs").write_text('XDG_DESKTOP_DIR="/a"\n', encoding="utf-8")
    assert find(tmp_path, XDG_CONFIG_HOME=str(tmp_path))["desktop"].path == "/a"
    assert find(tmp_path, XDG_CONFIG_HOME="relative")["desktop"].path == f"{tmp_path}/Desktop"


@posix
def test_a_variable_does_not_override_the_file(tmp_path: Path) -> None:
    name_folders(tmp_path, 'XDG_DESKTOP_DIR="/a"\n')
    assert find(tmp_path, XDG_DESKTOP_DIR="/b")["desktop"].path == "/a"


@posix
def test_a_folder_that_is_a_link_counts_as_redirected(tmp_path: Path) -> None:
    (tmp_path / "Desktop").symlink_to("/data", target_is_directory=True)
    assert find(tmp_path)["desktop"].redirected


@posix
def test_a_home_of_the_root_makes_no_doubled_separators(tmp_path: Path) -> None:
    found = {each.name: each for each in find_anchors(tmp_path, environ={"HOME": "/"}, platform="linux")}
    assert found["home"].path == "/"
    assert resolve_path("documents:/a", list_folders(tuple(found.values())), "linux") == "/Documents/a"


@posix
def test_without_a_variable_the_user_database_knows_the_home() -> None:
    found = {each.name: each for each in find_anchors(Path("/w"), environ={}, platform="linux")}
    assert found["home"].source == "user database"
    assert Path(found["home"].path).is_absolute()


# --- macOS


@posix
def test_on_macos_the_names_are_fixed(tmp_path: Path) -> None:
    found = find(tmp_path, "darwin")
    assert found["desktop"] == Anchor("desktop", f"{tmp_path}/Desktop", "macOS")
    assert list(found) == NAMES


# --- temp


@posix
def test_the_temporary_folder_is_the_first_variable_that_names_one(tmp_path: Path) -> None:
    assert find(tmp_path, TMPDIR=f"{tmp_path}/", TMP="/")["temp"] == Anchor("temp", str(tmp_path), "TMPDIR")
    assert find(tmp_path, TMPDIR=f"{tmp_path}/none", TMP=str(tmp_path))["temp"].source == "TMP"
    assert find(tmp_path, TMPDIR="relative")["temp"] == Anchor("temp", tempfile.gettempdir(), "default")


def test_nothing_is_created(tmp_path: Path) -> None:
    find_anchors(tmp_path / "work", environ={"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []


# --- explaining

ANCHORS = (
    Anchor("workspace", "/home/ada/work", "session"),
    Anchor("home", "/home/ada", "HOME"),
    Anchor("desktop", "", "disabled in user-dirs.dirs"),
    Anchor("documents", "/data/docs", "user-dirs.dirs", redirected=True),
    Anchor("temp", "/home/ada/work", "TMPDIR"),
)


@pytest.mark.parametrize(
    ("path", "anchor"),
    [
        ("/home/ada/work/a.txt", "workspace"),
        ("/home/ada/work", "workspace"),
        ("/home/ada/work2/a.txt", "home"),
        ("/home/ada/a.txt", "home"),
        ("/data/docs/a/b", "documents"),
        ("/data/a", None),
        ("/", None),
    ],
)
def test_a_path_hangs_on_the_innermost_anchor(path: str, anchor: str | None) -> None:
    assert explain_path(path, ANCHORS, "linux")["anchor"] == anchor


def test_a_receipt_says_where_the_anchor_came_from_and_whether_it_was_redirected() -> None:
    assert explain_path("/data/docs/a", ANCHORS, "linux") == {
        "path": "/data/docs/a",
        "anchor": "documents",
        "folder": "/data/docs",
        "source": "user-dirs.dirs",
        "redirected": True,
    }
    assert explain_path("/srv/a", ANCHORS, "linux") == {"path": "/srv/a", "anchor": None}


def test_on_windows_the_innermost_anchor_is_found_in_any_case() -> None:
    anchors = (Anchor("home", "C:\\Users\\Ada", "USERPROFILE"), Anchor("drive:C", "C:\\", "Windows drive"))
    assert explain_path("c:\\users\\ADA\\a", anchors, "win32")["anchor"] == "home"
    assert explain_path("C:\\a", anchors, "win32")["anchor"] == "drive:C"
    assert explain_path("D:\\a", anchors, "win32")["anchor"] is None
