"""Shutdown and restart by the system's own command, where nothing better answers. It counts in minutes."""

import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from actuators.base import Availability
from actuators.system.ports.devices import PowerAction, ScheduledPower
from actuators.system.processes.commands import SystemCommands
from core.base.errors import ActionError, UnsupportedError
from core.base.late_dataclasses import dataclass

_LIMIT_S = 8.0
_KEPT = 2_000
_SECONDS_A_MINUTE = 60


@dataclass(frozen=True, slots=True)
class PowerCommands:
    """How a system is told, by command.

    Attributes:
        seconds: Whether the delay is in seconds, after the options; in minutes with a plus before it otherwise.
        sleep: A whole command that sends the machine to sleep; empty where there is none.
        none_ordered: The code with which it says that there is nothing to call off; None where any failure says so.
    """

    program: str
    options: Mapping[PowerAction, Sequence[str]]
    cancel: Sequence[str]
    seconds: bool = False
    sleep: Sequence[str] = ()
    none_ordered: int | None = None


UNIX_COMMANDS = PowerCommands("shutdown", {"shutdown": ("-h",), "restart": ("-r",)}, ("-c",))
MACOS_COMMANDS = PowerCommands("shutdown", {"shutdown": ("-h",), "restart": ("-r",)}, (), sleep=("pmset", "sleepnow"))
WINDOWS_COMMANDS = PowerCommands(
    "shutdown.exe",
    {"shutdown": ("/s", "/t"), "restart": ("/r", "/t")},
    ("/a",),
    seconds=True,
    none_ordered=1116,  # ERROR_NO_SHUTDOWN_IN_PROGRESS; it also fails where one may not be called off
)


class ShutdownCommand:
    """Power by command; what is ordered can't be read back."""

    def __init__(self, variables: Mapping[str, str], commands: PowerCommands) -> None:
        self._variables = variables
        self._runner = SystemCommands(variables)
        self._commands = commands

    def assess(self) -> Availability:
        """Say whether the command is there, and belongs to what runs."""
        path = shutil.which(self._commands.program, path=self._variables.get("PATH"))
        if path is None:
            return Availability("power", available=False, reason=f"there is no {self._commands.program} command")
        if Path(path).resolve().name == "systemctl":
            reason = "the shutdown command needs systemd, which does not answer here"
            return Availability("power", available=False, reason=reason, remedy="Containers can't control the power.")
        return Availability("power", available=True, reason=f"{path}; it can't report what is scheduled")

    async def sleep(self) -> None:
        """Order the machine to sleep."""
        if not self._commands.sleep:
            raise UnsupportedError("No command here puts the machine to sleep.", hint="Do it by hand.")
        await self._run(*self._commands.sleep)

    async def schedule(self, action: PowerAction, delay_s: float) -> ScheduledPower | None:
        """Order a shutdown or restart; minutes are rounded up."""
        minutes = math.ceil(delay_s / _SECONDS_A_MINUTE)
        when = f"{math.ceil(delay_s)}" if self._commands.seconds else f"+{minutes}"
        await self._run(self._commands.program, *self._commands.options[action], when)

    async def scheduled(self) -> ScheduledPower | None:
        """Return None: it can't be asked."""
        return None

    async def cancel(self) -> bool:
        """Call off what is ordered; the command fails where nothing is, or by ``not_possible``, as far as it tells."""
        if not self._commands.cancel:
            raise UnsupportedError("No command here cancels a shutdown.", hint="End the process named shutdown.")
        try:
            await self._run(self._commands.program, *self._commands.cancel)
        except ActionError as error:
            if error.code != "not_possible" or self._commands.none_ordered not in {None, error.evidence["exit_code"]}:
                raise
            return False
        return True

    async def _run(self, *argv: str) -> None:
        result = await self._runner.run(argv, Path.cwd(), _LIMIT_S, _KEPT)
        if result.exit_code != 0:
            words = (result.stderr or result.stdout).strip()
            raise ActionError(
                f"{argv[0]} refused: {words or f'code {result.exit_code}'}",
                code="not_possible",
                hint="Do it as administrator.",
                evidence={"argv": list(argv), "exit_code": result.exit_code},
            )
