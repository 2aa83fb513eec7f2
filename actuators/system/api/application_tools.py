"""Tools that start and end programs."""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from actuators.seat.attending import AttendedToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import ARGV, PATH, PID, WORDS, NameText, TimeLimit
from core.rules.type_makers import beside
from core.tools.ports import ActionContext


class LaunchTools(AttendedToolset):
    """Starting programs; never through a shell."""

    domain: ClassVar[str] = "system"
    intent: ClassVar[str] = "application_launch"
    capability: ClassVar[str] = "launcher"

    @abstractmethod
    async def launch(
        self,
        context: ActionContext,
        app: NameText,
        args: Annotated[tuple[str, ...], WORDS] = (),
        cwd: Annotated[str, beside(PATH)] | None = None,
        wait: Literal["started", "window", "exit"] = "started",
        timeout: TimeLimit = 30.0,
    ) -> ToolOutcome:
        """Start an application.

        Args:
            app: A name that the desktop knows, or an executable by name or path.
            args: Its arguments, one a piece.
            cwd: Folder that it starts in; the workspace where absent.
            wait: Until its process lives, until it has a window, or until it has ended.
            timeout: Seconds to wait at most.

        Returns:
            Output ``app``, ``pid``, ``executable``, ``window`` (id) where it waited for one, ``exit_code`` likewise.

        Raises:
            DeviceError: If there is no such application (lists the nearest), or two are called so.
            ActionError: If it ends at once with an error; with its last words.
        """

    @abstractmethod
    async def run(
        self,
        context: ActionContext,
        argv: Annotated[tuple[str, ...], ARGV],
        cwd: Annotated[str, beside(PATH)] | None = None,
        timeout: TimeLimit = 60.0,
    ) -> ToolOutcome:
        """Run a command to its end and collect what it says. Off unless policy names it.

        Args:
            argv: The program and its arguments; no shell reads them.
            cwd: Folder that it runs in; the workspace where absent.
            timeout: Seconds; then it is ended with all that it started.

        Returns:
            Output ``exit_code``, ``stdout``, ``stderr`` (each cut beyond 1,000,000 characters), ``truncated``, ``text``.

        Raises:
            ActionError: If it ends with another code than 0; with its output.
        """


class ApplicationTools(AttendedToolset):
    """Ending programs."""

    domain: ClassVar[str] = "system"
    intent: ClassVar[str] = "application_control"
    capability: ClassVar[str] = "processes"

    @abstractmethod
    async def close(
        self, context: ActionContext, app: NameText | None = None, pid: Annotated[int, PID] | None = None
    ) -> ToolOutcome:
        """Ask an application to end, as its window's close button would, and wait until it has.

        Args:
            app: Its name; several processes of one application are closed together.
            pid: Its process instead.

        Returns:
            Output ``closed`` (name, pid) and ``remaining``.

        Raises:
            DeviceError: If nothing of that name runs; lists the nearest.
            ActionError: If it doesn't end (it may be asking whether to save).
        """

    @abstractmethod
    async def kill(
        self, context: ActionContext, app: NameText | None = None, pid: Annotated[int, PID] | None = None
    ) -> ToolOutcome:
        """End an application by force, with what it started.

        Args:
            app: Its name.
            pid: Its process instead.

        Returns:
            Output ``killed`` (name, pid), and ``remaining``: what has come since it was shown, and was let alone.

        Raises:
            DeviceError: As for ``close``; Surehand itself and what it lives in are refused.
        """
