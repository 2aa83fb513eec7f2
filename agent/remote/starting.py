"""Starts a service for a workspace as a process of its own, which ends by itself when nobody has needed it for a while."""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from agent.remote.service_file import RunningService, find_running
from agent.settings.folder_checks import locate_folder, locate_state
from agent.store.private_files import make_private_folder
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass

IDLE_S = 600.0
"""Seconds without anything to do after which a service ends that nobody started by hand."""

LOG_FILE = Path("logs") / "service.log"
_START_S = 60.0
_ROOT = Path(__file__).parents[2]
_BEGIN = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from agent.cli.main import main; sys.exit(main())"
_LARGEST_REASON = 2000
_DETACHED = 0x00000208
"""On Windows: no console, and a group of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceWish:
    """How a service is to be started."""

    headed: bool = False
    idle_s: float = IDLE_S


def start_service(workspace: Path, wish: ServiceWish) -> RunningService:
    """Start a service and return it once it answers; where another process was quicker, its service is returned. Blocks.

    Raises:
        RefusedError: ``service_not_started``, with what it said.
    """
    log = locate_state(workspace) / LOG_FILE
    make_private_folder(log.parent)
    with os.fdopen(os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab") as errors:
        before = os.fstat(errors.fileno()).st_size
        _await_ready(_spawn(make_command(workspace, wish), workspace, errors.fileno()))
    if found := find_running(workspace) or find_running(workspace):
        return found
    raise RefusedError(
        f"The service did not start: {_read_reason(log, before) or 'it said nothing'}",
        code="service_not_started",
        hint="surehand serve shows what it does. --no-service goes without it.",
    )


def make_command(workspace: Path, wish: ServiceWish) -> Sequence[str]:
    """Return the command that starts a service, with this program's own tree first on its path."""
    options = ["--workspace", str(locate_folder(workspace)), "--idle-end", f"{wish.idle_s:g}", "--port", "0", "--json"]
    return [sys.executable, "-P", "-c", _BEGIN, "serve", *options, *(["--headed"] if wish.headed else [])]


def _spawn(command: Sequence[str], workspace: Path, errors: int) -> subprocess.Popen[bytes]:
    """Start a process that lives on when this one, or its terminal, ends."""
    return subprocess.Popen(
        command,
        cwd=workspace,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=sys.platform != "win32",
        creationflags=_DETACHED if sys.platform == "win32" else 0,
    )


def _await_ready(process: subprocess.Popen[bytes]) -> None:
    """Wait until a service says that it answers, or ends; one that says nothing for too long is ended."""
    limit = threading.Timer(_START_S, process.kill)
    limit.daemon = True
    limit.start()
    try:
        assert process.stdout
        with process.stdout as said:
            said.readline()
    finally:
        limit.cancel()


def _read_reason(log: Path, before: int) -> str:
    with log.open("rb") as file:
        file.seek(before)
        return file.read(_LARGEST_REASON).decode("utf-8", "replace").strip()
