"""The folders that people call by name: where they are on this machine, who says so, and whether they were redirected.

Windows: the known folders of the shell, by platformdirs, which asks with KF_FLAG_DONT_VERIFY, so that a folder that a
server or OneDrive holds is named even while it can't be reached. Linux: ``user-dirs.dirs``, read here, because
platformdirs neither tells who named a folder nor that one is disabled, and lets variables override the file. macOS: the
names that the system fixes. A named folder that is the home folder itself is left out: taken by its word, whatever is
done to the desktop would be done to everything.
"""

import ctypes
import os
import string
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any

import platformdirs

from core.addresses.path_parts import lies_inside
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

_NAMED = {"desktop": "Desktop", "documents": "Documents", "downloads": "Downloads"}
_XDG_KEYS = {"desktop": "XDG_DESKTOP_DIR", "documents": "XDG_DOCUMENTS_DIR", "downloads": "XDG_DOWNLOAD_DIR"}
_XDG_LINE = compile_late(r'[ \t]*(XDG_[A-Z]+_DIR)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"')
_ESCAPED = compile_late(r"\\(.)")
_KNOWN_FOLDERS = {
    "desktop": platformdirs.user_desktop_dir,
    "documents": platformdirs.user_documents_dir,
    "downloads": platformdirs.user_downloads_dir,
}
_TEMP_VARIABLES = ("TMPDIR", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Anchor:
    """One folder that paths may start from.

    Attributes:
        name: ``desktop``, ``drive:D`` and so on.
        path: Absolute; empty if this machine has none, and then ``source`` says why.
        source: Who says where it is, such as ``user-dirs.dirs``.
        redirected: Whether it lies elsewhere than directly in the home folder, or is a link; only for the folders that
            people can move.
    """

    name: str
    path: str
    source: str
    redirected: bool = False


def find_anchors(
    workspace: Path, *, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> tuple[Anchor, ...]:
    """Find all anchors of this machine; nothing is created.

    Those that it doesn't have are there as well, with an empty path. On Windows the shell is asked for them.
    """
    home = _find_home(environ, platform)
    return (
        Anchor("workspace", str(workspace), "session"),
        home,
        *_find_named(home, environ, platform),
        _find_temp(environ, platform),
        *_find_drives(platform),
    )


def list_folders(anchors: Sequence[Anchor]) -> dict[str, str]:
    """Return the folders by anchor name, as planning takes them; those without a folder are left out."""
    return {each.name: each.path for each in anchors if each.path}


def explain_path(path: str, anchors: Sequence[Anchor], platform: str = sys.platform) -> Mapping[str, Any]:
    """Say of an absolute path which anchor it hangs on: the innermost, of two with the same folder the first."""
    around = [each for each in anchors if each.path and lies_inside(path, each.path, platform)]
    if not around:
        return {"path": path, "anchor": None}
    inner = max(around, key=lambda each: len(each.path.rstrip("/\\")))
    return {
        "path": path,
        "anchor": inner.name,
        "folder": inner.path,
        "source": inner.source,
        "redirected": inner.redirected,
    }


def _find_home(environ: Mapping[str, str], platform: str) -> Anchor:
    variable = "USERPROFILE" if platform == "win32" else "HOME"
    home = environ.get(variable, "")
    if _is_absolute(home, platform):
        return Anchor("home", _trim(home), variable)
    try:
        return Anchor("home", str(Path.home()), "user database")
    except RuntimeError:
        return Anchor("home", "", f"{variable} is not set, and the user has no home folder")


def _find_named(home: Anchor, environ: Mapping[str, str], platform: str) -> Iterator[Anchor]:
    if not home.path:
        return (Anchor(name, "", "there is no home folder") for name in _NAMED)
    if platform == "win32":
        return _find_known_folders(home.path)
    if platform == "darwin":
        return (_describe(name, str(Path(home.path, folder)), "macOS", home.path) for name, folder in _NAMED.items())
    return _find_user_dirs(home.path, environ)


def _find_user_dirs(home: str, environ: Mapping[str, str]) -> Iterator[Anchor]:
    config = environ.get("XDG_CONFIG_HOME", "")
    folder = Path(config) if config.startswith("/") else Path(home, ".config")
    named = _read_user_dirs(folder / "user-dirs.dirs", home)
    for name, key in _XDG_KEYS.items():
        path = named.get(key)
        if path is None:
            yield _describe(name, str(Path(home, _NAMED[name])), "default, not named in user-dirs.dirs", home)
        elif Path(path) == Path(home):
            yield Anchor(name, "", "disabled in user-dirs.dirs")  # this is how the file says so
        else:
            yield _describe(name, _trim(path), "user-dirs.dirs", home)


def _read_user_dirs(file: Path, home: str) -> dict[str, str]:
    """Return the folders that the file names, by key; the last good line of a key counts, as for a shell."""
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except OSError:
        return {}
    found: dict[str, str] = {}
    for line in lines:
        if entry := _XDG_LINE.match(line):
            key, value = entry.groups()
            if value == "$HOME" or value.startswith("$HOME/"):
                found[key] = home.rstrip("/") + _ESCAPED.sub(r"\1", value.removeprefix("$HOME"))
            elif value.startswith("/"):
                found[key] = _ESCAPED.sub(r"\1", value)
    return found


def _describe(name: str, path: str, source: str, home: str) -> Anchor:
    """Return an anchor that says whether somebody moved it; one that is the whole home folder is left out."""
    if Path(path) == Path(home):
        return Anchor(name, "", f"the same as the home folder ({source})")
    apart = Path(path).parent != Path(home)
    return Anchor(name, path, source, redirected=apart or Path(path).is_symlink())


def _find_temp(environ: Mapping[str, str], platform: str) -> Anchor:
    for variable in _TEMP_VARIABLES:
        path = environ.get(variable, "")
        if _is_absolute(path, platform) and Path(path).is_dir():
            return Anchor("temp", _trim(path), variable)
    return Anchor("temp", tempfile.gettempdir(), "default")


def _is_absolute(path: str, platform: str) -> bool:
    return PureWindowsPath(path).is_absolute() if platform == "win32" else path.startswith("/")


def _trim(path: str) -> str:
    """Return a folder without separators at its end; a root stays what it is."""
    trimmed = path.rstrip("/" if path.startswith("/") else "/\\")
    return path if not trimmed or trimmed.endswith(":") else trimmed


def _find_known_folders(home: str) -> Iterator[Anchor]:
    """Ask the shell, which knows of OneDrive and of what an administrator redirected."""
    for name, ask in _KNOWN_FOLDERS.items():
        try:
            path = ask()
        except (OSError, ValueError) as error:
            yield Anchor(name, "", f"Windows has no such folder: {error}")
        else:
            yield _describe(name, path, "Windows known folder", home)


def _find_drives(platform: str) -> Iterator[Anchor]:
    if sys.platform != "win32" or platform != "win32":
        return
    present = ctypes.WinDLL("kernel32").GetLogicalDrives()
    for index, letter in enumerate(string.ascii_uppercase):
        if present >> index & 1:
            yield Anchor(f"drive:{letter}", f"{letter}:\\", "Windows drive")
