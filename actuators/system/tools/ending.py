"""The tools that end programs, written once over the processes that run."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from actuators.seat.attending import AttendedToolset
from actuators.system.ports.programs import AppWindow, Launcher, Process, Processes
from actuators.system.tools.launching import count_down
from actuators.system.tools.matching import find_pid, find_processes, with_descendants
from core.base.errors import ActionError, DeviceError, InputError, PolicyError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import quote_text
from core.results.tool_results import ToolOutcome
from core.rules.param_types import PID, NameText
from core.tools.ports import ActionContext
from core.tools.previews import Preview

_SAME_START_S = 0.05


@dataclass(frozen=True, slots=True)
class EndOrder:
    """The processes that are to be ended."""

    meant: tuple[Process, ...]
    family: tuple[Process, ...]
    windows: tuple[AppWindow, ...] = field(default=())

    def show(self, wanted: str) -> Preview:
        """Return it as a person is shown it, each process by what tells it from every other."""
        others = len(self.family) - len(self.meant)
        more = f", with {_count(others)} that {'it' if len(self.meant) == 1 else 'they'} started" if others else ""
        lines = [f"{_count(len(self.meant))} of {quote_text(wanted)}{more}:"]
        lines += [self._tell(each) for each in self.family]
        return Preview(
            {
                "kind": "end_processes",
                "count": len(self.family),
                "processes": [
                    {
                        "pid": each.pid,
                        "name": each.name,
                        "executable": each.executable,
                        "started_s": each.started_s,
                        "meant": each in self.meant,
                        "windows": self._list_titles(each),
                    }
                    for each in self.family
                ],
                "items": [{"told": line} for line in lines],
            }
        )

    def keep(self, shown: Mapping[str, Any]) -> "EndOrder":
        """Return what is left of what was shown, else ``process_missing``; what has come since is let alone."""
        known = {each["pid"]: each for each in shown["processes"]}

        def was_shown(process: Process) -> bool:
            told: Mapping[str, Any] | None = known.get(process.pid)
            if told is None or abs(told["started_s"] - process.started_s) >= _SAME_START_S:
                return False
            return told["executable"] == process.executable

        meant = tuple(each for each in self.meant if was_shown(each))
        if not meant:
            told = ", ".join(f"{each['name']} ({each['pid']})" for each in known.values() if each["meant"])
            raise DeviceError(
                f"The shown processes have ended: {told}. Nothing else was ended.",
                code="process_missing",
                hint="List the processes and ask again.",
                evidence={"shown": list(known.values())},
            )
        return EndOrder(meant, tuple(each for each in self.family if was_shown(each)), self.windows)

    def _tell(self, process: Process) -> str:
        since = datetime.fromtimestamp(process.started_s).astimezone().isoformat(" ", "seconds")
        titles = [quote_text(title) for title in self._list_titles(process)]
        shows = f", {_name_windows(len(titles))} {', '.join(titles)}" if titles else ""
        program = process.executable or "program unknown"
        started = "" if process in self.meant else ", started by it"
        return f"{quote_text(process.name)}, process {process.pid}, {program}, since {since}{shows}{started}"

    def _list_titles(self, process: Process) -> list[str]:
        return [each.title for each in self.windows if each.pid == process.pid]


def select_shown(order: EndOrder, preview: Preview | None) -> EndOrder:
    """Return what of an order was shown, ``process_missing`` if nothing of it is left; all of it where nothing was."""
    return order.keep(preview.operation) if preview and "processes" in preview.operation else order


def list_others(found: Sequence[Process], acted: Sequence[Process]) -> list[Process]:
    """Return the processes that were found and not acted on: they came after the others were shown."""
    known = {each.pid for each in acted}
    return [each for each in found if each.pid not in known]


def _count(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _name_windows(number: int) -> str:
    return "with the window" if number == 1 else f"with {number} windows"


_SHARE = 0.8
_FOLLOWING_S = 1.0
_ASKING = "It may be asking whether to save. Answer it, or end it by force."
_DEAF = "It may ignore the request or need time. Check later, or end it by force."


class ApplicationTools(AttendedToolset):
    """Ending programs."""

    domain = "system"
    intent = "application_control"
    capability = "processes"

    def __init__(self, processes: Processes, launcher: Launcher) -> None:
        self._processes = processes
        self._launcher = launcher

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say which processes would be ended; once they were shown it stays with those, as long as any of them is left."""
        app, pid = args.get("app"), args.get("pid")
        order = await self._find(app, pid, whole=verb == "kill")
        if context.preview is not None and "processes" in context.preview.operation:
            order.keep(context.preview.operation)
            return context.preview
        windows = await self._processes.windows_of(order.family)
        return replace(order, windows=tuple(windows)).show(app or f"process {pid}")

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
        remaining_s = count_down(context.timeout_s * _SHARE)
        found = await self._find(app, pid)
        meant = select_shown(found, context.preview).meant
        with_windows = await self._processes.close_windows(meant)
        kind = [each for each in meant if each.pid in with_windows]
        left = await self._processes.wait_until_gone(kind, remaining_s())
        if not left:
            gone = {each.pid for each in kind}
            rest = await self._processes.wait_until_gone([each for each in meant if each.pid not in gone], 0.0)
            await self._processes.terminate(rest)
            left = await self._processes.wait_until_gone(rest, remaining_s())
        if left:
            raise await self._explain(meant, left)
        followers = await self._processes.wait_until_gone(found.family, _FOLLOWING_S)
        output = {"closed": name_processes(meant), "remaining": name_processes(followers)}
        evidence = output | {"by_window": list(with_windows)}
        return ToolOutcome(output=output, effect="confirmed", evidence=evidence, undo="Start it again.")

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
        found = await self._find(app, pid)
        family = select_shown(found, context.preview).family
        await self._processes.end_by_force(family)
        left = await self._processes.wait_until_gone(family, context.timeout_s * _SHARE)
        if left:
            raise ActionError(
                f"{_join(left)} is still running; the system keeps it alive.",
                code="still_running",
                hint="It may be waiting for a device. Restarting the machine ends it.",
                evidence={"remaining": name_processes(left)},
            )
        left_alone = await self._processes.wait_until_gone(list_others(found.family, family), 0.0)
        output = {"killed": name_processes(family), "remaining": name_processes(left_alone)}
        undo = "Unsaved work is lost; start it again."
        return ToolOutcome(output=output, effect="confirmed", evidence=output, undo=undo)

    async def _find(self, app: str | None, pid: int | None, *, whole: bool = True) -> EndOrder:
        """Return the processes that are meant, and these with all that they started, or alone."""
        running = await self._processes.list()
        if pid is not None:
            meant: Sequence[Process] = (find_pid(running, pid),)
        elif app is not None:
            meant = find_processes(running, app, await self._launcher.applications())
        else:
            raise InputError("Name an application or a process.", hint="Give app or pid.")
        family = with_descendants(running, meant)
        protected = await asyncio.to_thread(self._processes.protected)
        for each in family:
            if each.pid in protected:
                raise PolicyError(
                    f"{each.name} ({each.pid}) must not be ended: {protected[each.pid]}.",
                    code="process_protected",
                    hint="Name another process by its pid.",
                    evidence={"pid": each.pid, "reason": protected[each.pid], "meant": name_processes(meant)},
                )
        return EndOrder(tuple(meant), family if whole else tuple(meant))

    async def _explain(self, meant: Sequence[Process], left: Sequence[Process]) -> ActionError:
        windows = await self._processes.windows_of(left)
        titles = [each.title for each in windows]
        asking = f" It shows {', '.join(f'“{title}”' for title in titles)}." if titles else ""
        gone = [each for each in meant if each not in left]
        return ActionError(
            f"{_join(left)} was asked to end but is still running.{asking}",
            code="still_running",
            hint=_ASKING if titles else _DEAF,
            evidence={"remaining": name_processes(left), "closed": name_processes(gone), "windows": titles},
        )


def name_processes(processes: Sequence[Process]) -> list[dict[str, str | int]]:
    """Return processes as tools tell of them."""
    return [{"name": each.name, "pid": each.pid} for each in processes]


def _join(processes: Sequence[Process]) -> str:
    return ", ".join(f"{each.name} ({each.pid})" for each in processes)
