"""The manifest of a run: which program on which machine made it, and which files came of it."""

import hashlib
import json
import platform
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from agent.rule_tables import describe_rules

_PROGRAM = "surehand"
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LARGEST = 256 * 1024 * 1024


def describe_program() -> dict[str, str]:
    """Return what a run was made with: versions, system, and digests of the rules table and of the libraries."""
    return {
        "program": f"{_PROGRAM} {_find_version(_PROGRAM) or 'unknown'}",
        "python": platform.python_version(),
        "platform": platform.platform(),
        "rules_digest": digest_rules(),
        "lock_digest": digest_libraries(),
    }


@cache
def digest_rules() -> str:
    """Return the SHA-256 of the rules table, in hexadecimal."""
    return _digest(json.dumps(describe_rules(), sort_keys=True, default=str))


@cache
def digest_libraries() -> str:
    """Return the SHA-256 of the names and versions of all libraries that are installed for the program."""
    found: dict[str, str] = {}
    waiting = [_PROGRAM]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found or (installed := _find_version(name)) is None:
            continue
        found[name] = installed
        waiting += [match[0] for each in requires(name) or () if (match := _NAME.match(each))]
    return _digest("\n".join(f"{name}=={found[name]}" for name in sorted(found)))


def describe_files(paths: Iterable[str]) -> list[dict[str, Any]]:
    """Return files that were made, with size and SHA-256; null where they are gone or too large to read.

    Args:
        paths: Absolute.
    """
    return [_describe_file(path) for path in dict.fromkeys(paths)]


def _describe_file(path: str) -> dict[str, Any]:
    described: dict[str, Any] = {"path": path, "size_bytes": None, "sha256": None}
    try:
        size = Path(path).stat().st_size
        described["size_bytes"] = size
        if size <= _LARGEST:
            with Path(path).open("rb") as file:
                described["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):  # it is gone, is a folder, or has no possible name
        return described
    return described


def _find_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
