"""Is a service of a workspace running?"""

import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

from agent.remote.service_file import RunningService, read_service_file
from agent.settings.folder_checks import locate_state

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
        with _connect(service):
            return True
    except OSError:
        return False


def _connect(service: RunningService) -> socket.socket:
    if sys.platform != "win32" and service.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(_CONNECT_S)
        try:
            connection.connect(service.socket)
        except BaseException:
            connection.close()
            raise
        return connection
    place = urlsplit(service.address)
    return socket.create_connection((place.hostname or "", place.port or 0), _CONNECT_S)
