"""Which service a command goes through: the one that runs for the folder, one that it starts, or none."""

from pathlib import Path
from typing import TYPE_CHECKING

from agent.cli.options import NoService, RunSession
from core.base.errors import InputError, RefusedError
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from agent.remote.service_file import RunningService

MAIN = "main"
"""The session of commands that name none: what one of them leaves open, the next one acts on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceChoice:
    """What a person says of services.

    Attributes:
        session: Name of the session; empty for the usual one, and only where a service runs.
        alone: Whether to use none.
    """

    session: RunSession = ""
    alone: NoService = False
    headed: bool = False

    def may_find(self, workspace: Path) -> bool:
        """Tell whether there may be a service to go through, by nothing but a look at a name."""
        from agent.remote.socket_places import list_records
        from agent.settings.folder_checks import locate_folder
        from core.addresses.path_parts import STATE_FOLDER

        state = locate_folder(workspace) / STATE_FOLDER
        return bool(self.session) or (not self.alone and any(each.exists() for each in list_records(state)))

    def find_running(self, workspace: Path) -> "RunningService | None":
        """Return the service that runs for a folder, where one may be used."""
        return self.find(workspace) if self.may_find(workspace) else None

    def find(self, workspace: Path, own: str = "", *, may_start: bool = True) -> "RunningService | None":
        """Return the service to go through; None for none. One is started where a session is named and nobody serves it.

        Args:
            own: An option that was given which only a process of its own can obey; empty for none.
            may_start: Whether one may be started; what only plans needs none, and finds no page in a new one.
        """
        from agent.remote.service_file import find_running
        from agent.service.callers import check_session_name

        if self.session:
            check_session_name(self.session)
        if self.session and (own or self.alone):
            text = f"Choose one of --session and {own or '--no-service'}."
            raise InputError(text, code="bad_usage", hint=f"{own} is for runs without a service." if own else "")
        if own or self.alone or not workspace.is_dir():
            return None
        running = find_running(workspace)
        if running is None and self.session and may_start:
            from agent.remote.starting import ServiceWish, start_service

            running = start_service(workspace, ServiceWish(headed=self.headed))
        if running and self.headed and not running.headed:
            raise RefusedError(
                "The service of this folder shows no windows.",
                code="service_headless",
                hint="End it with surehand service stop and try again, or go without it: --no-service.",
            )
        return running
