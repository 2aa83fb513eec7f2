"""Which services of this person run, where, and with which token: a record each in the person's own folder for what runs.

It lies outside of every workspace, so that no goal reads a token, and what came with a folder names no service.
"""

import json
import os
import socket
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from agent.remote.socket_places import RECORD_SUFFIX, list_places, list_records
from agent.settings.folder_checks import locate_state
from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass

if sys.platform == "win32":
    from agent.remote.pipes import try_pipe

_CONNECT_S = 1.0
_LARGEST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningService:
    """A service of a workspace.

    Attributes:
        started: When it began, in UTC (ISO 8601).
        address: Where it answers HTTP on loopback, such as ``http://127.0.0.1:8137``; empty where only the socket answers.
        socket: Path of its socket; on Windows the name of its pipe.
    """

    pid: int
    started: str
    address: str
    socket: str
    token: str
    workspace: str
    headed: bool = False


def write_service_file(state: Path, service: RunningService) -> None:
    """Say which process serves a workspace."""
    record = list_records(state)[0]
    if sys.platform != "win32":
        record = Path(service.socket).with_suffix(RECORD_SUFFIX)  # beside its socket
    make_private_folder(record.parent)
    write_whole(record, json.dumps(asdict(service)).encode(), durable=False)


def remove_service_file(state: Path) -> None:
    """Say that nobody serves any more; for whoever holds the workspace's lock."""
    for each in list_records(state):
        with suppress(OSError):
            each.unlink(missing_ok=True)


def is_listening(service: RunningService) -> bool:
    """Tell whether somebody listens where a service should; a socket is left behind by one that was killed."""
    try:
        if sys.platform == "win32":
            try_pipe(service.socket)
            return True
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_CONNECT_S)
            connection.connect(service.socket)
    except OSError:
        return False
    return True


def read_service_file(state: Path) -> RunningService | None:
    """Return the service of a workspace that a record tells of, be it alive or not; None where there is none that can be believed."""
    found = (service for each in list_records(state) if (service := _read(each)))
    return next((each for each in found if Path(each.socket) in list_places(state) and _is_believable(each)), None)


def _read(record: Path) -> RunningService | None:
    try:
        with record.open("rb") as file:
            if not _is_own(os.fstat(file.fileno())):
                return None
            return _read_record(json.loads(file.read(_LARGEST)))
    except (OSError, ValueError):
        return None


def _read_record(found: object) -> RunningService | None:
    kinds: Mapping[str, type] = {"pid": int, "headed": bool}
    names = [each.name for each in fields(RunningService)]
    if not isinstance(found, dict) or not all(type(found.get(name)) is kinds.get(name, str) for name in names):
        return None
    values: dict[str, Any] = {name: found[name] for name in names}
    return RunningService(**values)


def _is_believable(service: RunningService) -> bool:
    if sys.platform == "win32":
        return True  # whose pipe it is, is looked at when it is opened
    try:
        facts = Path(service.socket).lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(facts.st_mode) and _is_own(facts)


def _is_own(facts: os.stat_result) -> bool:
    return sys.platform == "win32" or (
        facts.st_uid == os.geteuid() and facts.st_nlink == 1 and not facts.st_mode & 0o022
    )


def find_running(workspace: Path) -> RunningService | None:
    """Return the service that serves a workspace now; None where nobody answers, whatever a record says.

    Raises:
        RefusedError: ``unsafe_folder`` if what is kept there isn't what Surehand makes.
    """
    service = read_service_file(locate_state(workspace))
    return service if service and is_listening(service) else None


def require_running(workspace: Path) -> RunningService:
    """Return the service that serves a workspace now.

    Raises:
        RefusedError: ``service_missing`` if there is none, or ``unsafe_folder``.
    """
    if service := find_running(workspace):
        return service
    raise RefusedError("No service runs for this folder.", code="service_missing", hint="Start one: surehand serve.")
