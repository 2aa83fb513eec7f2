"""Puts finished files where they belong: whole or not at all, and never over another one."""

import hashlib
import json
import os
import re
import secrets
import shutil
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from actuators.browser.ports.sessions import FileFacts
from core.base.errors import ActionError
from core.results.tool_results import UndoRecord

_MOST_NAME_BYTES = 255

_DEVICE = re.compile(r"(CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³]|CONIN\$|CONOUT\$)\s*(\.|$)", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def judge_suggested_name(name: str) -> str:
    """Return a suggested file name if it is safe on every system; ActionError shows it with what is unsafe escaped."""
    reason = _find_fault(name)
    if not reason:
        return name
    shown = escape_name(name)
    raise ActionError(
        f'The suggested file name "{shown}" {reason}.',
        code="unsafe_file_name",
        hint="Give a path with a file name of your own instead of a folder.",
        evidence={"suggested_name": shown},
    )


def escape_name(name: str) -> str:
    """Return a name with all that isn't plainly visible written as escapes, and a long one cut."""
    shown = "".join(
        char
        if char == " " or (char.isprintable() and unicodedata.category(char) not in _INVISIBLE)
        else ascii(char)[1:-1]
        for char in name
    )
    return shown if len(shown) <= 120 else shown[:119] + "…"


def _find_fault(name: str) -> str:
    if not name.strip(" ."):
        return "is empty"
    if any(unicodedata.category(char) in _INVISIBLE for char in name):
        return "has invisible characters"
    faults = (
        (_FORBIDDEN.search(name), "has characters that file names can't have everywhere"),
        (name.startswith("."), "would be hidden"),
        (name != name.strip(" ") or name.endswith("."), "begins or ends with a space or dot"),
        (_DEVICE.match(name), "is the name of a device on Windows"),
        (len(name.encode("utf-8", "replace")) > _MOST_NAME_BYTES, f"is longer than {_MOST_NAME_BYTES} bytes"),
    )
    return next((reason for found, reason in faults if found), "")


_MOST_BYTES = 64 << 20  # the tools of files tell larger ones by more than their content


def check_new_file(path: Path) -> None:
    """Refuse a path at which a file can't be made: ``file_exists``, or ``no_folder`` for it."""
    if os.path.lexists(path):
        raise _make_exists_error(path)
    if not path.parent.is_dir():
        raise ActionError(
            f"The folder {path.parent} does not exist, so {path.name} can't be saved there.",
            code="no_folder",
            hint="Create the folder first, or choose another path.",
        )


def publish_file(source: Path, path: Path) -> FileFacts:
    """Move a finished file to its place in one step, and read it back; ``file_exists``, or ``not_written``."""
    check_new_file(path)
    # On another file system a link is impossible, so the bytes go into the right folder first, under a random name.
    near = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        _bring_near(source, near)
        _name_exclusively(near, path)
    except FileExistsError:
        raise _make_exists_error(path) from None
    except OSError as error:
        raise _make_write_error(path, error) from error
    finally:
        near.unlink(missing_ok=True)
    source.unlink(missing_ok=True)
    return read_facts(path)


def write_private_file(path: Path, content: bytes) -> FileFacts:
    """Make a file that only its owner may read, whole or not at all; otherwise as ``publish_file``."""
    check_new_file(path)
    near = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(near, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        near.unlink(missing_ok=True)
        raise _make_write_error(path, error) from error
    return publish_file(near, path)


def read_facts(path: Path) -> FileFacts:
    """Read a file's size and hash back from the disk."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileFacts(file.tell(), digest)


def record_new_file(path: Path, facts: FileFacts) -> UndoRecord | None:
    """Return how a file that was made goes again: by the tools of files, if nobody has changed it."""
    if facts.size > _MOST_BYTES:
        return None
    return UndoRecord("file", "remove", {"paths": [str(path)]}, {"states": {str(path): facts.sha256}})


def _bring_near(source: Path, near: Path) -> None:
    with suppress(OSError):
        os.link(source, near)
        return
    with source.open("rb") as read, near.open("xb") as write:
        shutil.copyfileobj(read, write)
        write.flush()
        os.fsync(write.fileno())


def _name_exclusively(near: Path, path: Path) -> None:
    try:
        os.link(near, path)
    except FileExistsError:
        raise
    except OSError:
        # No links here: an empty file takes the name, if nobody has it, and is then replaced by the whole one.
        with path.open("xb"):
            near.replace(path)


def _make_exists_error(path: Path) -> ActionError:
    return ActionError(
        f"{path} already exists and was not changed.",
        code="file_exists",
        hint="Choose another path, or move the file first.",
        evidence={"path": str(path)},
    )


def _make_write_error(path: Path, error: OSError) -> ActionError:
    return ActionError(
        f"{path} could not be written: {error.strerror}.",
        code="not_written",
        hint="Check the folder's free space and permissions.",
    )


_MOST_STATE_BYTES = 64 * 1024 * 1024


def write_state(path: Path, state: Any) -> FileFacts:
    """Write a state to a new file that only its owner may read; return what was read back."""
    return write_private_file(path, json.dumps(state, ensure_ascii=False, indent=1).encode())


def read_state(path: Path) -> dict[str, Any]:
    """Read a state from a file; ``file_missing``, or ``not_a_session`` for another kind of file."""
    try:
        if path.stat().st_size > _MOST_STATE_BYTES:
            raise make_state_error(path, f"it is larger than {_MOST_STATE_BYTES // 1024 // 1024} MiB")
        state = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ActionError(
            f"File {path} does not exist.", code="file_missing", hint="Save a session there first."
        ) from None
    except OSError as error:
        raise ActionError(f"{path} can't be read: {error.strerror}.", code="file_unreadable") from error
    except (ValueError, RecursionError) as error:
        raise make_state_error(path, "it is not JSON") from error
    lists = [state.get(name) for name in ("cookies", "origins")] if isinstance(state, dict) else [None]
    if not all(isinstance(each, list) for each in lists):
        raise make_state_error(path, "it lacks the lists of cookies and origins")
    return cast("dict[str, Any]", state)


def make_state_error(path: Path, reason: str) -> ActionError:
    """Return the error of a file that is no saved session."""
    return ActionError(
        f"{path} is not a saved session: {reason}.",
        code="not_a_session",
        hint="Use a file written by browser.save_session.",
        evidence={"path": str(path)},
    )
