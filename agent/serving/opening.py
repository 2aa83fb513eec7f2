"""Opens the service of a workspace: the one that runs there, or one of this process."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import find_running
from agent.service.ports import Service
from agent.settings.folder_checks import locate_state

if TYPE_CHECKING:
    from agent.hosting.local_planners import PlannerOffice
    from agent.hosting.local_service import LocalService
    from agent.planners.backlog.sqlite_backlog import SqliteBacklog
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
    """Return a service of this process; no session is opened before it is needed."""
    from agent.hosting.local_service import LocalService
    from agent.hosting.workspace_sessions import WorkspaceSessions, read_limits
    from agent.store.service_runs import ServiceRuns

    sessions = WorkspaceSessions(settings, workspace, prepare)
    shelf = ServiceRuns(locate_state(workspace))
    office = make_office(settings, workspace)
    limits = read_limits(settings.service)
    return LocalService(sessions.open, limits, shelf=shelf, office=office, close_rest=sessions.close)


def make_office(settings: "Settings", workspace: Path) -> "PlannerOffice":
    """Return what a workspace has of planners beside its sessions; nothing of it is opened before it is needed."""
    from agent.hosting.backlog_work import WorkTerms
    from agent.hosting.local_planners import PlannerOffice

    wished = settings.service.backlog
    terms = WorkTerms(
        seconds=wished.minutes * 60,
        tries=wished.tries,
        look_s=wished.look_every_s,
        in_a_row=wished.failures_in_a_row,
        rest_s=wished.rest_minutes * 60,
    )
    return PlannerOffice(
        describe=describe_planners,
        open_backlog=lambda principal: open_backlog(workspace, principal),
        terms=terms,
        principals=("", *settings.service.principals),
    )


def open_backlog(workspace: Path, principal: str = "") -> "SqliteBacklog":
    """Return a principal's backlog; secrets are kept out of it."""
    from agent.planners.backlog.sqlite_backlog import SqliteBacklog
    from agent.secrets.vaults import open_vault

    return SqliteBacklog(locate_state(workspace, principal), vault=open_vault())


def describe_planners() -> "list[dict[str, Any]]":
    """Return all planners as data, those of other packages among them."""
    from agent.planners.registry import add_others, open_shipped

    registry = open_shipped()
    add_others(registry)
    return registry.describe()
