"""Opens the service of a workspace: the one that runs there, or one of this process."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agent.remote.finding import find_running
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.service.ports import Service
from agent.settings.folder_checks import locate_state

if TYPE_CHECKING:
    from agent.hosting.local_service import LocalService
    from agent.sessions.session import AgentSession
    from agent.settings.settings import Settings


async def open_service(settings: "Settings", workspace: Path, *, use_running: bool = True) -> Service:
    """Return the service of a workspace; whoever asked for it closes it.

    Args:
        settings: What a person may set; counts for a service of this process only.

    Raises:
        RefusedError: ``unsafe_folder`` if what is kept there isn't what Surehand makes.
    """
    running = open_running(workspace) if use_running else None
    return running or make_local_service(settings, workspace)


def open_running(workspace: Path) -> Service | None:
    """Return the service that runs for a workspace; None where none does.

    Raises:
        RefusedError: ``unsafe_folder`` if what is kept there isn't what Surehand makes.
    """
    running = find_running(workspace)
    return RemoteService(ServiceClient(running)) if running else None


def make_local_service(
    settings: "Settings",
    workspace: Path,
    prepare: "Callable[[AgentSession, str], None]" = lambda _session, _whose: None,
) -> "LocalService":
    """Return a service of this process; no session is opened before it is needed.

    Args:
        settings: What a person may set.
    """
    from agent.hosting.local_service import LocalService
    from agent.hosting.workspace_sessions import WorkspaceSessions, read_limits
    from agent.store.service_runs import ServiceRuns

    sessions = WorkspaceSessions(settings, workspace, prepare)
    shelf = ServiceRuns(locate_state(workspace))
    return LocalService(sessions.open, read_limits(settings.service), shelf=shelf, close_rest=sessions.close)
