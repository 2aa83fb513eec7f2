"""Is a service of a workspace running?"""

from pathlib import Path

from agent.remote.service_file import RunningService, is_listening, read_service_file
from agent.settings.folder_checks import locate_state
from core.base.errors import RefusedError


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
