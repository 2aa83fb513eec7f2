"""Where people talk."""

from typing import TYPE_CHECKING

from agent.cli.asking import check_workspace, choose_settings
from agent.cli.options import HERE, Headed, Language, NoService, Workspace
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from agent.service.ports import Service
    from agent.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class TalkPlace:
    """Where people talk. A service that runs has its own language, so that none is gone through where one is given."""

    workspace: Workspace = HERE
    headed: Headed = False
    alone: NoService = False
    language: Language = ""

    def load_settings(self) -> "Settings":
        """Return the settings of the folder, but for what is said here."""
        check_workspace(self.workspace)
        return choose_settings(self.workspace, headed=self.headed, language=self.language)

    async def open_service(self, settings: "Settings") -> "Service":
        """Return the service that is talked to."""
        from agent.serving.opening import open_service

        return await open_service(settings, self.workspace, use_running=not (self.alone or self.language))
