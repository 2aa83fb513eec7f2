"""The tools that start programs, written once over a launcher."""

import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from actuators.seat.attending import AttendedToolset
from actuators.system.ports.parts import SystemParts
from actuators.system.ports.programs import Application, Process, Started
from actuators.system.tools.launch_orders import LaunchOrders
from core.base.errors import ActionError, DeadlineError, DeviceError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.param_types import ARGV, PATH, WORDS, NameText, TimeLimit
from core.rules.type_makers import beside
from core.tools.ports import ActionContext
from core.tools.previews import Preview

OUTPUT_LIMIT = 1_000_000
_CLOSE = "Close it."
_SHARE = 0.9
_SHOWN = 2_000


class LaunchTools(AttendedToolset):
    """Starting programs; never through a shell."""

    domain = "system"
    intent = "application_launch"
    capability = "launcher"

    def __init__(self, parts: SystemParts, workspace: Path) -> None:
        self._launcher = parts.launcher
        self._commands = parts.commands
        self._processes = parts.processes
        self._orders = LaunchOrders(parts, workspace)

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say which program would be started, out of which files."""
        cwd = args.get("cwd")
        if verb == "run":
            return (await self._orders.find_command(args["argv"], cwd)).show()
        return (await self._orders.find(context.policy, args["app"], args.get("args", ()), cwd)).show()

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
        remaining_s = count_down(min(timeout, context.timeout_s * _SHARE))
        order = await self._orders.find(context.policy, app, args, cwd)
        application = order.application
        known = [each.id for each in await self._launcher.windows()] if wait == "window" else []
        order.check(context)
        started = await self._launcher.start(application, args, order.folder)
        _check_alive(application, started)
        output: dict[str, Any] = {"app": application.name, "pid": started.pid, "executable": application.executable}
        output |= {"window": None, "exit_code": None}
        if wait == "window":
            return await self._wait_for_window(application, started, known, remaining_s(), output)
        if wait == "exit":
            return await self._wait_for_exit(application, started, remaining_s(), output)
        return await self._tell_started(started, output)

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
        limit_s = min(timeout, context.timeout_s * _SHARE)
        order = await self._orders.find_command(argv, cwd)
        order.check(context)
        result = await self._commands.run(order.argv, order.folder, limit_s, OUTPUT_LIMIT)
        said = {"stdout": result.stdout[-_SHOWN:], "stderr": result.stderr[-_SHOWN:], "argv": list(argv)}
        if result.exit_code is None:
            raise DeadlineError(
                f"{argv[0]} did not end after {limit_s:g} s; it was ended with every program it started.",
                hint="Give it more time.",
                evidence=said | {"timeout_s": limit_s},
            )
        if result.exit_code != 0:
            words = (result.stderr or result.stdout).strip()[-_SHOWN:]
            raise ActionError(
                f"{argv[0]} {say_end(result.exit_code)}{': ' + words if words else ', without output'}.",
                code="command_failed",
                hint="Read its output.",
                evidence=said | {"exit_code": result.exit_code},
            )
        output = {
            "exit_code": result.exit_code,
            "stdout": result.stdout,
            "stderr": result.stderr,
            "truncated": result.truncated,
            "text": result.stdout.strip(),
        }
        return ToolOutcome(output=output, effect="confirmed", evidence={"exit_code": 0, "argv": list(argv)})

    async def _wait_for_window(
        self, application: Application, started: Started, known: list[str], limit_s: float, output: dict[str, Any]
    ) -> ToolOutcome:
        window = await self._launcher.wait_for_window(started, known, limit_s)
        if window is None:
            raise await self._explain_no_window(application, started, limit_s)
        evidence = {"window": window.id, "title": window.title, "pid": window.pid}
        output |= {"window": window.id, "pid": window.pid or started.pid}
        if window.id in known:
            reason = "it handed over to a running instance, which already had this window"
            return ToolOutcome(output=output, effect="unverified", evidence=evidence | {"reason": reason})
        undo = await self._make_undo(window.pid or started.pid)
        return ToolOutcome(
            output=output, effect="confirmed", evidence=evidence, undo=_CLOSE if undo else "", undo_record=undo
        )

    async def _explain_no_window(self, application: Application, started: Started, limit_s: float) -> DeviceError:
        now = await self._launcher.wait_for_exit(started, 0.0)
        _check_alive(application, now)
        state = f"is running (process {started.pid})" if now.exit_code is None else "ended without an error"
        return DeviceError(
            f"{application.name} {state}, but showed no window within {limit_s:.1f} s.",
            code="window_missing",
            hint="Wait longer, or check whether it works without a window.",
            evidence={"pid": started.pid, "exit_code": now.exit_code},
        )

    async def _tell_started(self, started: Started, output: dict[str, Any]) -> ToolOutcome:
        if started.exit_code == 0:
            reason = "it ended at once without an error, as programs do that hand over to a running instance"
            evidence = {"exit_code": 0, "reason": reason}
            return ToolOutcome(output=output | {"exit_code": 0}, effect="unverified", evidence=evidence)
        undo = await self._make_undo(started.pid)
        evidence = {"pid": started.pid, "alive": True}
        words = _CLOSE if undo else ""
        return ToolOutcome(output=output, effect="confirmed", evidence=evidence, undo=words, undo_record=undo)

    async def _make_undo(self, pid: int) -> UndoRecord | None:
        """Return how a process is closed again: that very one; None if it has ended already."""
        found = next((each for each in await self._processes.list() if each.pid == pid), None)
        return UndoRecord("system", "close", {"pid": pid}, name_for_good(found)) if found else None

    async def _wait_for_exit(
        self, application: Application, started: Started, limit_s: float, output: dict[str, Any]
    ) -> ToolOutcome:
        ended = await self._launcher.wait_for_exit(started, limit_s)
        _check_alive(application, ended)
        if ended.exit_code is None:
            raise DeviceError(
                f"{application.name} is still running (process {started.pid}) after {limit_s:.1f} s.",
                code="not_settled",
                hint="Give it more time, or close it.",
                evidence={"pid": started.pid, "timeout_s": limit_s},
            )
        evidence = {"exit_code": ended.exit_code, "words": ended.words}
        return ToolOutcome(output=output | {"exit_code": ended.exit_code}, effect="confirmed", evidence=evidence)


def say_end(exit_code: int) -> str:
    """Say how a program has ended: with a code, or by a signal of the system's."""
    if exit_code >= 0:
        return f"ended with code {exit_code}"
    try:
        return f"was ended by the signal {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"was ended by the signal {-exit_code}"


def name_for_good(process: Process) -> dict[str, Any]:
    """Return what tells a process from every other, later ones of the same number too."""
    return {"pid": process.pid, "executable": process.executable, "started_s": round(process.started_s, 2)}


def count_down(limit_s: float) -> Callable[[], float]:
    """Return a function that tells how many seconds of a limit are left; never less than 0."""
    end_s = time.monotonic() + limit_s
    return lambda: max(end_s - time.monotonic(), 0.0)


def _check_alive(application: Application, started: Started) -> None:
    if started.exit_code:  # 0 is a program that handed over to another, or had nothing to do
        words = started.words.strip()
        raise ActionError(
            f"{application.name} {say_end(started.exit_code)}{': ' + words if words else ', without output'}.",
            code="app_failed",
            hint="Start it in a terminal to see more.",
            evidence={"exit_code": started.exit_code, "words": words, "executable": application.executable},
        )
