"""What all tools of the file family have in common."""

from typing import ClassVar

from core.tools.ports import Toolset


class FileToolset(Toolset):
    """Tools on files and folders. Paths are absolute: the planner has resolved and judged them."""

    domain: ClassVar[str] = "file"
    intent: ClassVar[str] = "file_operation"
    capability: ClassVar[str] = "files"
