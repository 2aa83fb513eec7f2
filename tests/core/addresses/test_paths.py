import ntpath
import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.path_parts import lies_inside
from core.addresses.paths import PathTerms, check_roots, resolve_path
from core.base.errors import PolicyError
from tests.cases import each_case

POSIX = {"workspace": "/home/ada/work", "downloads": "/home/ada/Downloads", "desktop": ""}
WINDOWS = {"workspace": "C:\\Users\\ada\\work", "downloads": "D:\\Downloads"}
WRITING = PathTerms(writing=True)


def refuse(text: str, anchors: dict[str, str], platform: str, base: str = "", terms: PathTerms | None = None) -> str:
    """Return the rule by which a path is refused."""
    with pytest.raises(PolicyError) as caught:
        resolve_path(text, anchors, platform, base, terms or PathTerms())
    assert caught.value.code == "path_refused"
    return caught.value.evidence["rule"]


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
        ("a\\b.txt", "/home/ada/work/a/b.txt"),
        ("Workspace:\\a.txt", "/home/ada/work/a.txt"),
        ("/", "/"),
        ("/home/ada/work", "/home/ada/work"),
        ("/home//ada/work/./a.txt", "/home/ada/work/a.txt"),
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


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("D:\\", "D:\\"),
        ("drive:e:/a", "e:\\a"),
        ("c:/users/ADA/work/a.txt", "C:\\Users\\ada\\work\\a.txt"),
        ("workspace:/", "C:\\Users\\ada\\work"),
    ],
)
def test_on_windows_a_drive_needs_no_anchor_and_an_anchor_s_folder_is_spelled_its_own_way(text: str, path: str) -> None:
    assert resolve_path(text, WINDOWS, "win32") == path


@pytest.mark.parametrize("platform", ["linux", "win32"])
@each_case(
    ("text", "reason"),
    [
        ("..", "goes upwards"),
        ("../a", "goes upwards"),
        ("a/../b", "goes upwards"),
        ("a\\..\\b", "goes upwards"),
        ("workspace:/../b", "goes upwards"),
        ("a/.. /b", "goes upwards"),
        ("a/...", "ends with a dot or a space"),
        ("a/ /b", "ends with a dot or a space"),
        ("a\x00b", "NUL"),
        ("a\nb", "control character"),
        ("a\x85b", "control character"),
        ("a\ud800b", "surrogate"),
        ("~/a", "a shell would expand"),
        ("~root", "a shell would expand"),
        ("file:///etc/passwd", "a shell would expand"),
        ("%APPDATA%/a", "a shell would expand"),
        ("${HOME}/a", "a shell would expand"),
        ("$env:TEMP\\a", "a shell would expand"),
        ("nowhere:/a", "unknown anchor"),
        ("http://a/b", "unknown anchor"),
        ("//server/share/a", "network share"),
        ("/\\server/share/a", "network share"),
        ("\\a", "relative to the root"),
        ("C:a", "one-letter prefix"),
        ("nul.txt", "name of a device"),
        ("a.txt:stream", "colon"),
    ],
)
def test_a_path_that_plays_tricks_is_refused_never_repaired(text: str, reason: str, platform: str) -> None:
    with pytest.raises(PolicyError, match=reason) as caught:
        resolve_path(text, POSIX if platform == "linux" else WINDOWS, platform)
    assert caught.value.code == "path_refused"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("/home/ada/work/../x", "P11"),
        ("/home/ada/work/a/../x", "P11"),
        ("/srv/a\\..\\b", "P11"),
        ("/srv/NUL", "P5"),
        ("/srv/a.", "P6"),
        ("/srv/a:b", "P4"),
        ("/C:/a", "P4"),
        ("/desktop:/a", "P4"),
        ("/~/a", "P12"),
        ("/home/ada/work/%TEMP%", "P12"),
        ("//srv/a", "P9"),
        ("//home/ada/work/a", "P9"),
        ("///home", "P9"),
        ("/\\a/b", "P9"),
        ("\\srv", "P10"),
        ("//./a", "P7"),
        ("//?/C:/a", "P8"),
    ],
)
def test_on_posix_all_behind_the_leading_slash_is_judged(text: str, rule: str) -> None:
    assert refuse(text, POSIX, "linux") == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [("/home/ada", "P10"), ("/", "P10"), ("C:\\Users\\ada\\work\\..\\a", "P11"), ("C:\\Users\\ada\\work\\a:b", "P4")],
)
def test_on_windows_nothing_is_relative_to_a_root(text: str, rule: str) -> None:
    assert refuse(text, WINDOWS, "win32") == rule


@pytest.mark.parametrize(
    ("workspace", "platform"),
    [
        ("/home/ada/a: b./CON", "linux"),
        ("/home/ada/a\\b", "linux"),
        ("C:\\Users\\RUNNER~1\\AppData\\Local\\Temp", "win32"),
        ("\\\\server\\home\\ada", "win32"),
    ],
)
def test_the_folder_of_an_anchor_is_not_judged_and_what_lies_in_it_is(workspace: str, platform: str) -> None:
    anchors = {"workspace": workspace}
    separator = "\\" if platform == "win32" else "/"
    assert resolve_path("a/b.txt", anchors, platform) == f"{workspace}{separator}a{separator}b.txt"
    if "\\b" not in workspace:  # there a caller's backslash is a separator
        assert resolve_path(f"{workspace}/a.txt", anchors, platform) == f"{workspace}{separator}a.txt"
        assert refuse(f"{workspace}/NUL", anchors, platform) == "P5"
    assert refuse("a:b", anchors, platform) == "P10"


def test_a_backslash_in_the_name_of_an_anchor_s_folder_makes_no_other_folder_it() -> None:
    anchors = {"workspace": "/srv/a\\b"}
    assert resolve_path("/srv/a/b/c", anchors, "linux") == "/srv/a/b/c"


@pytest.mark.parametrize(
    ("text", "base", "path"),
    [
        ("a.txt", "/home/ada/work/Reports", "/home/ada/work/Reports/a.txt"),
        (".", "/home/ada/work/Reports", "/home/ada/work/Reports"),
        ("2026/a.txt", "downloads:/", "/home/ada/Downloads/2026/a.txt"),
        ("a.txt", "Reports", "/home/ada/work/Reports/a.txt"),
        ("workspace:/Reports/a", "/home/ada/work/Reports", "/home/ada/work/Reports/a"),
        ("/home/ada/work/Reports/a", "/home/ada/work/Reports", "/home/ada/work/Reports/a"),
    ],
)
def test_a_relative_path_hangs_below_the_base(text: str, base: str, path: str) -> None:
    assert resolve_path(text, POSIX, "linux", base) == path


@pytest.mark.parametrize(
    "text",
    [
        "/etc/passwd",
        "workspace:/a",
        "downloads:/a",
        "/home/ada/work",
        "/home/ada/work/Reports2/a",
        "workspace:/reports/a",
    ],
)
def test_a_path_with_its_own_start_must_lie_in_the_base(text: str) -> None:
    assert refuse(text, POSIX, "linux", "/home/ada/work/Reports") == "P15"


@pytest.mark.parametrize("text", ["D:/a", "d:\\a", "a", "drive:D:/a"])
def test_a_drive_can_be_the_base_on_windows(text: str) -> None:
    assert resolve_path(text, WINDOWS, "win32", "drive:D:/").lower() == "d:\\a"


def test_a_path_on_another_drive_does_not_lie_in_the_base() -> None:
    assert refuse("C:/a", WINDOWS, "win32", "drive:D:/") == "P15"
    assert refuse("workspace:/a", WINDOWS, "win32", "drive:D:/") == "P15"


@pytest.mark.parametrize("text", ["drive:D:/a", "D:/a", "D:\\a"])
def test_on_posix_a_drive_is_refused_unless_a_folder_stands_for_it(text: str) -> None:
    with pytest.raises(PolicyError, match="starts with the drive D:, which this machine doesn't have"):
        resolve_path(text, POSIX, "linux")
    assert resolve_path(text, {**POSIX, "drive:D": "/mnt/d"}, "linux") == "/mnt/d/a"


def test_on_posix_a_drive_as_base_is_refused_unless_a_folder_stands_for_it() -> None:
    assert refuse("a", POSIX, "linux", "drive:D:/") == "anchor"
    assert resolve_path("a", {**POSIX, "drive:D": "/mnt/d"}, "linux", "drive:D:/") == "/mnt/d/a"


def test_a_folder_of_autostarts_is_seen_in_the_whole_path() -> None:
    base = "/home/ada/.config/autostart"
    assert refuse("a.desktop", POSIX, "linux", base, WRITING) == "P17"
    assert resolve_path("a.desktop", POSIX, "linux", base) == f"{base}/a.desktop"


def test_on_windows_the_whole_path_is_measured() -> None:
    name = "n" * 241
    assert len(resolve_path(name, WINDOWS, "win32")) == 259
    assert refuse(f"{name}n", WINDOWS, "win32") == "P14"
    assert resolve_path(f"{name}n", WINDOWS, "win32", terms=PathTerms(long_paths=True)).endswith("nn")


def test_an_unknown_anchor_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(PolicyError) as caught:
        resolve_path("desktop:/a", POSIX, "linux")
    assert caught.value.hint == "Known: downloads:/, workspace:/."
    assert caught.value.evidence == {"rule": "anchor", "path": "desktop:/a", "component": "desktop:/"}


def test_without_a_workspace_a_relative_path_means_nothing() -> None:
    assert refuse("a", {}, "linux") == "anchor"


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
        ("C:a", ("C:\\a",), "win32", False),
        ("C:\\ÄB\\c", ("C:\\äb",), "win32", True),
        ("C:\\Strasse\\a", ("C:\\Straße",), "win32", False),
        ("C:\\\u212aa", ("C:\\ka",), "win32", False),
        ("\\\\SERVER\\share\\a", ("\\\\server\\Share",), "win32", True),
        ("\\server\\share\\a", ("\\\\server\\share",), "win32", False),
        ("a/b", ("/a",), "linux", False),
        ("/a\\b", ("/a",), "linux", False),
    ],
)
def test_a_path_must_lie_in_one_of_the_roots(path: str, roots: tuple[str, ...], platform: str, inside: bool) -> None:
    if inside:
        check_roots(path, roots, platform)
        return
    with pytest.raises(PolicyError, match="outside the folders that this run may use") as caught:
        check_roots(path, roots, platform)
    assert caught.value.evidence == {"rule": "P15", "path": path, "roots": list(roots)}


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


@given(
    st.lists(st.sampled_from(["a", "A", "a2", "ä", "ß", "ss"]), max_size=3),
    st.lists(st.sampled_from(["a", "b"]), max_size=2),
    st.sampled_from([("linux", "/"), ("win32", "C:\\")]),
)
def test_a_path_lies_in_each_folder_above_it_and_in_no_other(
    above: list[str], below: list[str], host: tuple[str, str]
) -> None:
    platform, root = host
    separator = root[-1]
    folder, path = root + separator.join(above), root + separator.join([*above, *below])
    assert lies_inside(path, folder, platform)
    assert lies_inside(folder, path, platform) == (not below)
    assert not lies_inside(f"{folder}2", folder, platform) or not above
