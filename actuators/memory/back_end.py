"""The back end of the memory tools, over wherever the memory is kept."""

from collections.abc import Mapping

from actuators.base import Availability
from actuators.memory.ports import Memories
from actuators.memory.remembering import RememberingTools
from actuators.memory.tools import MemoryTools
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class MemoryBackEnd:
    """Remembers in one place."""

    def __init__(self, memories: Memories) -> None:
        """Use this memory; read nothing."""
        self._memories = memories
        self._tools = RememberingTools(memories)
        self.toolsets: Mapping[type[Toolset], Toolset] = {MemoryTools: self._tools}

    def assess(self, capability: str) -> Availability:
        """Say whether anything can be kept."""
        del capability
        return self._memories.assess()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Make what was remembered under a name what it was before, unless it was changed again."""
        del context
        return await self._tools.take_back(record)

    async def close(self) -> None:
        """Let go of the memory."""
        await self._memories.close()
