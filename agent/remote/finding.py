"""Is a service of a workspace running?"""

import socket
import sys
from pathlib import Path

from agent.remote.service_file import RunningService, read_service_file
from agent.settings.folder_checks import locate_state

if sys.platform == "win32":
    from agent.remote.pipes import try_pipe

_CONNECT_S = 1.0


def find_running(workspace: Path) -> RunningService | None:
    """Return the service that serves a workspace now; None where nobody answers, whatever a file says.

    Args:
        workspace: Its folder.

    Raises:
        RefusedError: ``unsafe_folder`` if what is kept there isn't what Surehand makes.
    """
    service = read_service_file(locate_state(workspace))
    return service if service and answers(service) else None


def answers(service: RunningService) -> bool:
    """Tell whether somebody listens where a service should; a socket is left behind by one that was killed."""
    try:
        _connect(service)
    except OSError:
        return False
    return True


def _connect(service: RunningService) -> None:
    if sys.platform == "win32":
        try_pipe(service.socket)
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_CONNECT_S)
        connection.connect(service.socket)
