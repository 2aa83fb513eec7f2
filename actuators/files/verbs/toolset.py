"""What all tools of the file family have in common."""

from actuators.files.jobs.jobs import JobRunner
from core.tools.ports import Toolset


class FileToolset(Toolset):
    """Tools on files and folders. Paths are absolute: the planner has resolved and judged them."""

    domain = "file"
    intent = "file_operation"
    capability = "files"

    def __init__(self, runner: JobRunner) -> None:
        """Work by these jobs."""
        self._runner = runner
