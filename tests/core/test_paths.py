import ntpath
import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import PolicyError
from core.paths import check_roots, resolve_path

POSIX = {"workspace": "/home/ada/work", "downloads": "/home/ada/Downloads"}
WINDOWS = {"workspace": "C:\\Users\\ada\\work", "downloads": "D:\\Downloads"}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a.txt", "/home/ada/work/a.txt"),
        ("a/b c/d.txt", "/home/ada/work/a/b c/d.txt"),
        ("./a.txt", "/home/ada/work/a.txt"),
        ("a//b/", "/home/ada/work/a/b"),
        (".", "/home/ada/work"),
        (".hidden", "/home/ada/work/.hidden"),
        ("a..b", "/home/ada/work/a..b"),
        ("/etc/passwd", "/etc/passwd"),
        ("workspace:/a.txt", "/home/ada/work/a.txt"),
        ("workspace://etc/passwd", "/home/ada/work/etc/passwd"),
        ("downloads:/a.txt", "/home/ada/Downloads/a.txt"),
        ("naïve.txt", "/home/ada/work/naïve.txt"),
        ("100%.txt", "/home/ada/work/100%.txt"),
    ],
)
def test_a_path_is_resolved_from_the_workspace_or_its_anchor(text: str, path: str) -> None:
    assert resolve_path(text, POSIX, "linux") == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a.txt", "C:\\Users\\ada\\work\\a.txt"),
        ("a/b\\c.txt", "C:\\Users\\ada\\work\\a\\b\\c.txt"),
        ("downloads:/a.txt", "D:\\Downloads\\a.txt"),
        ("D:\\x.txt", "D:\\x.txt"),
        ("d:/x.txt", "d:\\x.txt"),
    ],
)
def test_a_path_is_resolved_in_the_flavour_of_the_platform(text: str, path: str) -> None:
    assert resolve_path(text, WINDOWS, "win32") == path


@pytest.mark.parametrize("platform", ["linux", "win32"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("..", "goes upwards"),
        ("../a", "goes upwards"),
        ("a/../b", "goes upwards"),
        ("a\\..\\b", "goes upwards"),
        ("workspace:/../b", "goes upwards"),
        ("/home/ada/work/../x", "goes upwards"),
        ("a/.. /b", "goes upwards"),
        ("a/...", "goes upwards"),
        ("a/ /b", "goes upwards"),
        ("a\x00b", "control character"),
        ("a\nb", "control character"),
        ("a\x85b", "control character"),
        ("a\ud800b", "control character"),
        ("~/a", "a shell would expand"),
        ("~root", "a shell would expand"),
        ("file:///etc/passwd", "a shell would expand"),
        ("%APPDATA%/a", "a shell would expand"),
        ("${HOME}/a", "a shell would expand"),
        ("$env:TEMP\\a", "a shell would expand"),
        ("nowhere:/a", "unknown anchor"),
        ("http://a/b", "unknown anchor"),
    ],
)
def test_a_path_that_plays_tricks_is_refused_never_repaired(text: str, reason: str, platform: str) -> None:
    with pytest.raises(PolicyError, match=reason) as caught:
        resolve_path(text, POSIX if platform == "linux" else WINDOWS, platform)
    assert caught.value.code == "path_refused"


def test_an_unknown_anchor_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(PolicyError) as caught:
        resolve_path("desktop:/a", POSIX, "linux")
    assert caught.value.hint == "Known: downloads:/, workspace:/."


@pytest.mark.parametrize(
    ("path", "roots", "platform", "inside"),
    [
        ("/a/b", ("/a",), "linux", True),
        ("/a", ("/a",), "linux", True),
        ("/a/b", ("/a/",), "linux", True),
        ("/ab", ("/a",), "linux", False),
        ("/A/b", ("/a",), "linux", False),
        ("/a/b", ("/c", "/a"), "linux", True),
        ("/a/b", ("/",), "linux", True),
        ("/a/b", (), "linux", False),
        ("/a", ("/a/b",), "linux", False),
        ("C:\\a\\b", ("c:\\A",), "win32", True),
        ("C:\\a\\b", ("C:/a",), "win32", True),
        ("D:\\a\\b", ("C:\\a",), "win32", False),
        ("C:\\ab", ("C:\\a",), "win32", False),
        ("\\\\server\\share\\a", ("C:\\a",), "win32", False),
        ("\\\\?\\C:\\a\\b", ("C:\\a",), "win32", False),
        ("D:a", ("C:\\a",), "win32", False),
    ],
)
def test_a_path_must_lie_in_one_of_the_roots(path: str, roots: tuple[str, ...], platform: str, inside: bool) -> None:
    if inside:
        check_roots(path, roots, platform)
        return
    with pytest.raises(PolicyError, match="outside the folders that this run may use"):
        check_roots(path, roots, platform)


pieces = st.sampled_from(
    ["a", "..", ".", ". .", "...", " ", "C:", "~", "/", "\\", "//", "workspace:/", "é", "\x00", "D:"]
)


@given(st.lists(st.one_of(pieces, st.text(max_size=3)), max_size=6).map("".join), st.sampled_from(["linux", "win32"]))
def test_a_path_that_passes_both_checks_lies_below_its_root(text: str, platform: str) -> None:
    anchors = POSIX if platform == "linux" else WINDOWS
    root = anchors["workspace"]
    try:
        path = resolve_path(text, anchors, platform)
        check_roots(path, (root,), platform)
    except PolicyError:
        return
    flavour = ntpath if platform == "win32" else posixpath
    assert flavour.isabs(path)
    assert flavour.commonpath([flavour.normcase(path), flavour.normcase(root)]) == flavour.normcase(root)
    assert flavour.normpath(path) == path
