"""Parts that are commands of the system: each is told by a list of arguments, and texts never become code."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from actuators.base import Availability
from actuators.system.ports.devices import Shown, Urgency
from actuators.system.processes.commands import SystemCommands
from core.base.errors import ActionError

_LIMIT_S = 10.0
_KEPT = 4_000


class SystemCommand:
    """A command that is called to have one thing done."""

    def __init__(self, argv: Sequence[str], variables: Mapping[str, str]) -> None:
        """Call nothing; the program comes with its first arguments."""
        self._argv = tuple(argv)
        self._variables = dict(variables)

    async def call(self, *args: str, more: Mapping[str, str] | None = None) -> str:
        """Call it and return what it says.

        Raises:
            ActionError: ``app_failed`` with what it says, if it ends with an error or not in time.
        """
        runner = SystemCommands(self._variables | dict(more or {}))
        result = await runner.run([*self._argv, *args], Path.cwd(), _LIMIT_S, _KEPT)
        if result.exit_code != 0:
            words = (result.stderr or result.stdout).strip() or f"code {result.exit_code}"
            raise ActionError(
                f"{self._argv[0]} refused: {words}",
                code="app_failed",
                hint="Try it by hand to see why.",
                evidence={"program": self._argv[0], "exit_code": result.exit_code},
            )
        return result.stdout


class _CommandPart:
    """A part that a command, called by a title, does the work of."""

    capability = ""

    def __init__(self, command: SystemCommand, title: str) -> None:
        self._command = command
        self._title = title

    def assess(self) -> Availability:
        """Say that it is there."""
        return Availability(self.capability, available=True, reason=self._title)


class CommandOpener(_CommandPart):
    """Opens by a command."""

    capability = "opener"

    async def open(self, target: str, timeout_s: float) -> dict[str, str | int | None]:
        """Hand a path or an address over."""
        del timeout_s
        await self._command.call(target)
        return {"application": None, "pid": None, "opener": self._title}


class CommandNotifier(_CommandPart):
    """Shows notifications by a command, which gets the texts as environment variables or arguments."""

    capability = "notifications"

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Show a notification; the system gives it no number, so nothing is claimed."""
        await self._command.call(title, message)
        return Shown(0, self._title, {"urgency": urgency})


class CommandLock(_CommandPart):
    """Locks the screen by a command."""

    capability = "session_lock"

    async def lock(self, timeout_s: float) -> bool | None:
        """Lock the screen; nobody says whether it is."""
        del timeout_s
        await self._command.call()
