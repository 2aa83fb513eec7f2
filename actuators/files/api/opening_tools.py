"""The tool that opens files in other programs."""

from abc import abstractmethod
from typing import ClassVar

from actuators.files.api.toolset import FileToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import FilePath
from core.tools.ports import ActionContext


class FileOpeningTools(FileToolset):
    """Handing files to other programs."""

    capability: ClassVar[str] = "opener"

    @abstractmethod
    async def open(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Open a file or folder with the program that the desktop has for it.

        Args:
            path: What to open; programs and scripts are refused, since opening would run them.

        Returns:
            Output ``path``, ``application`` and ``pid`` where they are known.

        Raises:
            UnsupportedError: If nothing is registered for that type.
        """
