"""Cookies and storage of a browser, in files."""

import json
from pathlib import Path
from typing import Any, cast

from actuators.browser.ports.sessions import FileFacts
from actuators.browser.saved.files import write_private_file
from core.base.errors import ActionError

MOST_BYTES = 64 * 1024 * 1024


def write_state(path: Path, state: Any) -> FileFacts:
    """Write a state to a new file that only its owner may read; return what was read back."""
    return write_private_file(path, json.dumps(state, ensure_ascii=False, indent=1).encode())


def read_state(path: Path) -> dict[str, Any]:
    """Read a state from a file.

    Raises:
        ActionError: If there is no such file (``file_missing``), or it isn't a saved session (``not_a_session``).
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise make_state_error(path, f"it is larger than {MOST_BYTES // 1024 // 1024} MiB")
        state = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ActionError(
            f"File {path} does not exist.", code="file_missing", hint="Save a session there first."
        ) from None
    except OSError as error:
        raise ActionError(f"{path} can't be read: {error.strerror}.", code="file_unreadable") from error
    except (ValueError, RecursionError) as error:
        raise make_state_error(path, "it is not JSON") from error
    if not _is_state(state):
        raise make_state_error(path, "it lacks the lists of cookies and origins")
    return cast("dict[str, Any]", state)


def _is_state(state: Any) -> bool:
    return isinstance(state, dict) and all(isinstance(state.get(name), list) for name in ("cookies", "origins"))


def make_state_error(path: Path, reason: str) -> ActionError:
    """Return the error of a file that is no saved session."""
    return ActionError(
        f"{path} is not a saved session: {reason}.",
        code="not_a_session",
        hint="Use a file written by browser.save_session.",
        evidence={"path": str(path)},
    )
