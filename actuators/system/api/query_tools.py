"""Tools that tell what runs and what the machine knows."""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from actuators.seat.attending import AttendedToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import NAME, Limit
from core.rules.type_makers import needing
from core.tools.ports import ActionContext

QueryTarget = Literal[
    "time",
    "battery",
    "cpu",
    "memory",
    "disk",
    "network",
    "os",
    "uptime",
    "displays",
    "clipboard",
    "brightness",
]


class QueryTools(AttendedToolset):
    """Questions to the machine."""

    domain: ClassVar[str] = "system"
    intent: ClassVar[str] = "system_query"
    capability: ClassVar[str] = "processes"

    @abstractmethod
    async def list_apps(self, context: ActionContext, filter: str | None = None, limit: Limit = 1000) -> ToolOutcome:
        """List the applications that can be launched.

        Args:
            filter: Part of the name.
            limit: At most so many.

        Returns:
            Output ``apps`` (name, id, executable, running), ``count``, ``truncated`` and ``text``.
        """

    @abstractmethod
    async def list_processes(
        self, context: ActionContext, filter: str | None = None, limit: Limit = 1000
    ) -> ToolOutcome:
        """List the processes that run.

        Args:
            filter: Part of the name.
            limit: At most so many.

        Returns:
            Output ``processes`` (pid, name, user, cpu_percent, memory_bytes, started), ``count``, ``truncated``, ``text``.
        """

    @abstractmethod
    async def get(
        self,
        context: ActionContext,
        target: Annotated[
            QueryTarget,
            needing(
                NAME,
                {
                    "battery": ("battery",),
                    "displays": ("windows",),
                    "clipboard": ("clipboard",),
                    "brightness": ("brightness",),
                },
            ),
        ],
    ) -> ToolOutcome:
        """Tell something about the machine.

        Args:
            target: What to tell.

        Returns:
            Output ``text``, a sentence fit to be spoken (of the clipboard: what is in it), and the figures, with units
            in their names.
        """
