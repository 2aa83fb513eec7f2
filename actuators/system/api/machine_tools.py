"""Tools that change something of the machine itself."""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from actuators.seat.attending import AttendedToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import NAME, PLACE, TEXT, Duration, PlainText
from core.rules.type_makers import either, integer, needing, number
from core.tools.ports import ActionContext


class MachineTools(AttendedToolset):
    """Settings, notifications and power."""

    domain: ClassVar[str] = "system"
    intent: ClassVar[str] = "system_control"
    capability: ClassVar[str] = "machine"

    @abstractmethod
    async def open(self, context: ActionContext, target: Annotated[str, PLACE]) -> ToolOutcome:
        """Open an address or a file with the program that the desktop has for it.

        Args:
            target: An http or https address, or a path; programs and scripts are refused.

        Returns:
            Output ``target``, ``application`` and ``pid`` where they are known.
        """

    @abstractmethod
    async def set(
        self,
        context: ActionContext,
        target: Annotated[
            Literal["clipboard", "brightness"],
            needing(NAME, {"clipboard": ("clipboard",), "brightness": ("brightness",)}),
        ],
        value: Annotated[str | int, either(integer(0, 100), TEXT)],
    ) -> ToolOutcome:
        """Set something of the machine.

        Args:
            target: What to set.
            value: Text for the clipboard; 0 to 100 for the brightness.

        Returns:
            Output ``value`` as read back and ``before``.
        """

    @abstractmethod
    async def notify(
        self,
        context: ActionContext,
        title: str,
        message: PlainText = "",
        urgency: Literal["low", "normal", "critical"] = "normal",
    ) -> ToolOutcome:
        """Show a notification.

        Args:
            title: Its first line.
            message: The rest, as plain text.
            urgency: How much it matters.

        Returns:
            Output ``id`` and ``server``.
        """

    @abstractmethod
    async def lock(self, context: ActionContext, delay: Duration = 0.0, abort: bool = False) -> ToolOutcome:
        """Lock the screen.

        Args:
            delay: Seconds until then; the act lasts that long, and doesn't happen when it is stopped.
            abort: Call off what was ordered before instead.

        Returns:
            Output ``locked`` as read back where the system says so.
        """

    @abstractmethod
    async def sleep(self, context: ActionContext, delay: Duration = 0.0, abort: bool = False) -> ToolOutcome:
        """Let the machine sleep.

        Args:
            delay: As for ``lock``.
            abort: As for ``lock``.

        Returns:
            Output ``ordered``.
        """

    @abstractmethod
    async def shutdown(
        self, context: ActionContext, delay: Annotated[float, number(0, 604800)] = 0.0, abort: bool = False
    ) -> ToolOutcome:
        """Switch the machine off.

        Args:
            delay: Seconds until then; the system keeps the time, and ``abort`` calls it off.
            abort: Call off a shutdown or restart that was ordered before.

        Returns:
            Output ``ordered`` and ``at``, or ``aborted``.
        """

    @abstractmethod
    async def restart(
        self, context: ActionContext, delay: Annotated[float, number(0, 604800)] = 0.0, abort: bool = False
    ) -> ToolOutcome:
        """Start the machine anew.

        Args:
            delay: As for ``shutdown``.
            abort: As for ``shutdown``.

        Returns:
            As for ``shutdown``.
        """
