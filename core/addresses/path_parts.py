"""Paths taken apart and compared as a platform does: by their names alone, whatever is on the disk."""

import ntpath
import posixpath
import unicodedata
from collections.abc import Iterable
from types import ModuleType

STATE_FOLDER = ".surehand"
"""Name of the folder with the settings of a workspace and what is kept of its runs; no goal may write into it."""


def lies_inside(path: str, folder: str, platform: str) -> bool:
    """P15: tell whether an absolute path is a folder or lies in it, part by part: ``Desktop2`` is not in ``Desktop``."""
    above = split_path(folder, platform)
    return split_path(path, platform)[: len(above)] == above


def split_path(path: str, platform: str) -> list[str]:
    """Return the tree of folders that a path is in and its names, as the platform compares them."""
    normal = str(choose_flavour(platform).normpath(path))
    return [find_head(normal, platform), *fold_parts(cut_tail(find_tail(normal, platform), platform), platform)]


def find_head(path: str, platform: str) -> str:
    """Return what tells trees of folders apart: the drive or share, and whether the path starts at its root."""
    if platform != "win32":
        return "/" if path.startswith("/") else ""
    drive, tail = ntpath.splitdrive(path.replace("/", "\\"))
    rooted = tail.startswith("\\") or drive.startswith("\\\\")  # a share has no current folder
    return _fold_case(drive) + ("\\" if rooted else "")


def find_tail(path: str, platform: str) -> str:
    """Return a path without its drive or share."""
    return str(choose_flavour(platform).splitdrive(path)[1])


def cut_tail(tail: str, platform: str) -> list[str]:
    """Return the names in a path; on POSIX a folder that exists may have a backslash in its name."""
    slashed = tail.replace("\\", "/") if platform == "win32" else tail
    return [part for part in slashed.split("/") if part not in {"", "."}]


def fold_parts(parts: Iterable[str], platform: str) -> list[str]:
    """Return names as the platform compares them."""
    return [_fold_case(part) for part in parts] if platform == "win32" else list(parts)


def _fold_case(text: str) -> str:
    """Return a text in lower case, where that can be taken back: ``ß`` is not ``ss``, and the Kelvin sign no k."""
    if text.isascii():
        return text.lower()
    return "".join(low if (low := char.lower()).upper() == char else char for char in text)


def choose_flavour(platform: str) -> ModuleType:
    """Return the module that knows how the platform writes paths."""
    return ntpath if platform == "win32" else posixpath


def names_state_folder(name: str) -> bool:
    """Tell whether some file system may take a name for that of the folder with settings: its case and its spelling don't count."""
    return unicodedata.normalize("NFKC", name).casefold() == STATE_FOLDER
