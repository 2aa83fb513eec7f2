"""Outlines that are kept in files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from agent.cli.asking import check_folder
from core.base.errors import InputError

VERSION = 1
LARGEST_FILE = 32 * 1024 * 1024
_MARK = "surehand_outline"
_LOOKED = ("scope", "depth", "find")


def stamp_outline(outline: Mapping[str, Any]) -> dict[str, Any]:
    """Return an outline as data that can be told for one."""
    return {_MARK: VERSION, **outline}


def write_outline(outline: Mapping[str, Any]) -> bytes:
    """Return the content of a file that keeps an outline."""
    return f"{json.dumps(stamp_outline(outline), ensure_ascii=False, indent=1)}\n".encode("utf-8", "backslashreplace")


def check_place(path: Path) -> None:
    """Check that nothing else than an outline would be lost.

    Raises:
        InputError: If something else is there.
    """
    check_folder(path)
    if path.exists():
        try:
            read_outline(path)
        except InputError as error:
            hint = "Choose another name; only an outline is replaced by a later one."
            raise InputError(f"{path} already exists and is not an outline.", code="file_exists", hint=hint) from error


def read_outline(path: Path) -> Mapping[str, Any]:
    """Return an outline that was kept, or that ``--json`` wrote.

    Raises:
        InputError: If there is no such file, or it is something else.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise _fail(path, f"it is larger than {LARGEST_FILE // 1024 // 1024} MiB")
        data = json.loads(path.read_bytes())
    except OSError as error:
        hint = "Keep one first: surehand look … --output FILE."
        raise InputError(f"{path} can't be read: {error.strerror}.", code="file_unreadable", hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise _fail(path, "it is not JSON") from error
    if not isinstance(data, dict) or _MARK not in data:
        raise _fail(path, f"it lacks {_MARK}")
    if data[_MARK] != VERSION:
        raise _fail(path, f"it is of another version ({data[_MARK]}, not {VERSION})")
    if not _is_list_of_lines(data.get("lines")):
        raise _fail(path, "it lacks the list of lines")
    return cast("Mapping[str, Any]", data)


def check_same_look(before: Mapping[str, Any], wanted: Mapping[str, Any], path: Path) -> None:
    """Check that two looks are at the same part, so that what differs has changed.

    Raises:
        InputError: If they aren't.
    """
    for name in _LOOKED:
        if before.get(name) != wanted.get(name):
            told = f"--{name} {before[name]}" if before.get(name) is not None else f"no --{name}"
            raise InputError(f"{path} was kept with {told}.", hint="Look the same way again, or leave out --since.")


def _is_list_of_lines(lines: object) -> bool:
    if not isinstance(lines, list):
        return False
    return all(
        isinstance(each, dict) and isinstance(cast("Mapping[str, Any]", each).get("text"), str) for each in lines
    )


def _fail(path: Path, why: str) -> InputError:
    hint = "Name a file that surehand look --output or --json wrote."
    return InputError(f"{path} is not an outline: {why}.", code="not_an_outline", hint=hint)
