"""Which process serves a workspace, as its ``service.json`` says it, and whether that can be believed.

The folder that the file lies in may have come from somebody else. What it says is believed only where the socket that it names
is where a service of this person would put it, and is this person's.
"""

import json
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from agent.remote.socket_places import list_places
from agent.store.private_files import make_private_folder, write_whole

SERVICE_FILE = "service.json"
_LARGEST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningService:
    """A service of a workspace.

    Attributes:
        pid: Its process.
        started: When it began, in UTC (ISO 8601).
        address: Where it answers HTTP on loopback, such as ``http://127.0.0.1:8137``; empty where only the socket answers.
        socket: Path of its socket; on Windows the name of its pipe.
        token: What it takes as the word of the person at this machine.
        workspace: The folder that it serves.
        headed: Whether its browsers show windows.
    """

    pid: int
    started: str
    address: str
    socket: str
    token: str
    workspace: str
    headed: bool = False


def write_service_file(state: Path, service: RunningService) -> None:
    """Say which process serves.

    Args:
        state: The workspace's folder for what is kept.
        service: The service; it holds the workspace's lock.

    Raises:
        OSError: If it can't be written.
    """
    make_private_folder(state)
    write_whole(state / SERVICE_FILE, json.dumps(asdict(service)).encode(), durable=False)


def remove_service_file(state: Path) -> None:
    """Say that nobody serves any more; for whoever holds the workspace's lock."""
    with suppress(OSError):
        (state / SERVICE_FILE).unlink(missing_ok=True)


def read_service_file(state: Path) -> RunningService | None:
    """Return the service that the file tells of, be it alive or not; None where there is none that can be believed.

    Args:
        state: The workspace's folder for what is kept.
    """
    try:
        with (state / SERVICE_FILE).open("rb") as file:
            if not _is_own(os.fstat(file.fileno())):
                return None
            found = json.loads(file.read(_LARGEST))
    except (OSError, ValueError):
        return None
    service = _read_record(found)
    return service if service and _is_believable(state, service) else None


def _read_record(found: object) -> RunningService | None:
    kinds: Mapping[str, type] = {"pid": int, "headed": bool}
    names = [each.name for each in fields(RunningService)]
    if not isinstance(found, dict) or not all(type(found.get(name)) is kinds.get(name, str) for name in names):
        return None
    values: dict[str, Any] = {name: found[name] for name in names}
    return RunningService(**values)


def _is_believable(state: Path, service: RunningService) -> bool:
    if Path(service.socket) not in list_places(state):
        return False
    if sys.platform == "win32":
        return True  # whose pipe it is, is looked at when it is opened
    try:
        facts = Path(service.socket).lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(facts.st_mode) and _is_own(facts)


def _is_own(facts: os.stat_result) -> bool:
    return sys.platform == "win32" or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o022)
