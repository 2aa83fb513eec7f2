"""The back end of the project tools, over whatever the session works on."""

from collections.abc import Mapping

from actuators.base import Availability
from actuators.project.sources import ProjectSources
from actuators.project.summarizing import SummarizingTools
from actuators.project.tools import ProjectTools
from actuators.undoing import refuse_record
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class ProjectBackEnd:
    """Sums up one session's project."""

    def __init__(self, sources: ProjectSources) -> None:
        """Ask these sources; nothing is read yet."""
        self._sources = sources
        self.toolsets: Mapping[type[Toolset], Toolset] = {ProjectTools: SummarizingTools(sources)}

    def assess(self, capability: str) -> Availability:
        """Say that it is there: it takes nothing of the machine."""
        return Availability(capability, available=True, reason="It is summed up from what is there.")

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Refuse: a summary changes nothing."""
        del context
        raise refuse_record(record, "a summary changes nothing")

    async def close(self) -> None:
        """Let go of the memory."""
        await self._sources.close()
