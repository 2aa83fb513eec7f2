"""The manifest of a run: which program on which machine made it, and which files came of it."""

import hashlib
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, version
from itertools import islice
from pathlib import Path
from typing import Any

from core.results.tool_results import RunResult, UndoRecord

_PROGRAM = "surehand"
_CALLED = re.compile(r"^Name: *(\S+)", re.MULTILINE)
_VERSION = re.compile(r"^Version: *(\S+)", re.MULTILINE)
_NEEDED = re.compile(r"^Requires-Dist: *([A-Za-z0-9._-]+)", re.MULTILINE)
_BETWEEN = re.compile(r"[-_.]+")
_LARGEST = 256 * 1024 * 1024
_MOST_FILES = 1000
_REMOVE, _SEVERAL = "remove", "several"
"""Operations of undo records of files."""


def describe_program(rules_digest: str) -> dict[str, str]:
    """Return what a run was made with: versions, system, and digests of the rules table and of the libraries."""
    return {
        "program": f"{_PROGRAM} {_find_version(_PROGRAM) or 'unknown'}",
        "python": platform.python_version(),
        "platform": platform.platform(),
        "rules_digest": rules_digest,
        "lock_digest": digest_libraries(),
    }


@cache
def digest_libraries() -> str:
    """Return the SHA-256 of the names and versions of all libraries that are installed for the program."""
    installed = _list_installed()
    found: dict[str, str] = {}
    waiting = [_PROGRAM]
    while waiting:
        name = _fold(waiting.pop())
        if name in found or name not in installed:
            continue
        head = installed[name]
        found[name] = _read_field(_VERSION, head)
        waiting += _NEEDED.findall(head)
    return _digest("\n".join(f"{name}=={found[name]}" for name in sorted(found)))


def _list_installed() -> dict[str, str]:
    """Return the head of what is said of each library, by name.

    Only heads are read, by pattern: parsing each as the mail that it looks like takes ten times as long.
    """
    found: dict[str, str] = {}
    for each in distributions():
        head = (each.read_text("METADATA") or each.read_text("PKG-INFO") or "").partition("\n\n")[0]
        found.setdefault(_fold(_read_field(_CALLED, head)), head)  # the first on the path is the one that is imported
    return found


def _fold(name: str) -> str:
    return _BETWEEN.sub("-", name).lower()


def _read_field(field: re.Pattern[str], head: str) -> str:
    match = field.search(head)
    return match[1] if match else ""


def describe_files(paths: Iterable[str]) -> list[dict[str, Any]]:
    """Return files that were made, with size and SHA-256; null where they are gone, or would be too much to read together.

    Args:
        paths: Absolute.
    """
    found: list[dict[str, Any]] = []
    left = _LARGEST
    for path in islice(dict.fromkeys(paths), _MOST_FILES):
        found.append(_describe_file(path, left))
        left -= (found[-1]["size_bytes"] or 0) if found[-1]["sha256"] else 0
    return found


def list_made(result: RunResult) -> Iterator[str]:
    """Yield the files that a run made: what its steps say, and what going back would remove."""
    yield from result.artifacts
    for log in result.step_logs:
        yield from _list_made(log.result.undo_record)


def _list_made(record: UndoRecord | None) -> Iterator[str]:
    if record is None:
        return
    alone: list[Mapping[str, Any]] = [{"operation": record.operation, "params": record.params}]
    for each in record.params["records"] if record.operation == _SEVERAL else alone:
        for path in each["params"].get("paths", ()) if each["operation"] == _REMOVE else ():
            yield from (str(file) for file in _list_files(Path(path)))


def _list_files(path: Path) -> Iterator[Path]:
    try:
        yield from (each for each in sorted(path.rglob("*")) if each.is_file()) if path.is_dir() else [path]
    except OSError:  # what can't be listed is named as it is
        yield path


def _describe_file(path: str, most_bytes: int) -> dict[str, Any]:
    described: dict[str, Any] = {"path": path, "size_bytes": None, "sha256": None}
    try:
        size = Path(path).stat().st_size
        described["size_bytes"] = size
        if size <= most_bytes:
            with Path(path).open("rb") as file:
                described["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):  # it is gone, is a folder, or has no possible name
        return described
    return described


@cache
def _find_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
