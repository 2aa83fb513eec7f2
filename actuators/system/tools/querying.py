"""The tools that tell what runs and what the machine knows, written once over the ports."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar

from actuators.base import Availability
from actuators.seat.attending import AttendedToolset
from actuators.system.ports import facts
from actuators.system.ports.parts import SystemParts
from actuators.system.ports.programs import Process
from actuators.system.tools.matching import is_running, running_names
from core.base.errors import DeviceError, UnsupportedError
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
Figures = dict[str, Any]
Facts = TypeVar("Facts", facts.Cpu, facts.MemoryFacts, facts.NetworkFacts, facts.OperatingSystem)
_NAMED = 5


class QueryTools(AttendedToolset):
    """Questions to the machine."""

    domain = "system"
    intent = "system_query"
    capability = "processes"

    def __init__(self, parts: SystemParts) -> None:
        self._parts = parts
        self._machine = parts.machine
        self._answers: Mapping[QueryTarget, Callable[[], Awaitable[tuple[str, Figures]]]] = {
            "time": self._get_time,
            "battery": self._get_battery,
            "cpu": lambda: _tell_facts(self._machine.cpu, facts.say_cpu),
            "memory": lambda: _tell_facts(self._machine.memory, facts.say_memory),
            "disk": self._get_disk,
            "network": lambda: _tell_facts(self._machine.network, facts.say_network),
            "os": lambda: _tell_facts(self._machine.operating_system, facts.say_system),
            "uptime": self._get_uptime,
            "displays": self._get_displays,
            "clipboard": self._get_clipboard,
            "brightness": self._get_brightness,
        }

    async def list_apps(self, context: ActionContext, filter: str | None = None, limit: Limit = 1000) -> ToolOutcome:
        """List the applications that can be launched.

        Args:
            filter: Part of the name.
            limit: At most so many.

        Returns:
            Output ``apps`` (name, id, executable, running), ``count``, ``truncated`` and ``text``.
        """
        del context
        applications = await self._parts.launcher.applications()
        found = [each for each in applications if _contains(filter, each.name, each.id, *each.names)]
        running = running_names(await self._parts.processes.list())
        listed: list[Figures] = [
            {"name": each.name, "id": each.id, "executable": each.executable, "running": is_running(each, running)}
            for each in found[:limit]
        ]
        return _tell_list("apps", listed, len(found), "application")

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
        del context
        running = await self._parts.processes.list()
        found = [each for each in running if _contains(filter, each.name)]
        return _tell_list("processes", [_describe(each) for each in found[:limit]], len(found), "process")

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
        del context
        text, figures = await self._answers[target]()
        return ToolOutcome(output={"text": text} | figures)

    async def _get_time(self) -> tuple[str, Figures]:
        now = self._machine.now()
        figures = {
            "iso": now.isoformat(timespec="seconds"),
            "date": now.date().isoformat(),
            "zone": now.tzname(),
            "unix_s": now.timestamp(),
        }
        return facts.say_time(now), figures

    async def _get_battery(self) -> tuple[str, Figures]:
        battery = await self._machine.battery()
        if battery is None:
            raise DeviceError(
                "This machine has no battery.", code="device_missing", hint="Ask on a machine that has one."
            )
        return facts.say_battery(battery), asdict(battery)

    async def _get_disk(self) -> tuple[str, Figures]:
        disks = await self._machine.disks()
        first = asdict(disks[0]) if disks else {}
        return facts.say_disks(disks), {**first, "disks": [asdict(each) for each in disks]}

    async def _get_uptime(self) -> tuple[str, Figures]:
        uptime_s = await self._machine.uptime_s()
        return f"The machine has been running for {facts.say_duration(uptime_s)}.", {"uptime_s": uptime_s}

    async def _get_displays(self) -> tuple[str, Figures]:
        displays = await self._machine.displays()
        return facts.say_displays(displays), {"displays": [asdict(each) for each in displays]}

    async def _get_clipboard(self) -> tuple[str, Figures]:
        await _check(self._parts.clipboard.assess)
        text = await self._parts.clipboard.read()
        return text or "", {"empty": text is None, "characters": len(text or "")}

    async def _get_brightness(self) -> tuple[str, Figures]:
        await _check(self._parts.brightness.assess)
        level_percent = await self._parts.brightness.read()
        return f"The brightness is {level_percent:.0f} percent.", {"level_percent": level_percent}


async def _tell_facts(read: Callable[[], Awaitable[Facts]], say: Callable[[Facts], str]) -> tuple[str, Figures]:
    found = await read()
    return say(found), asdict(found)


async def _check(assess: Callable[[], Availability]) -> None:
    """Refuse what can't be told here; the question may wait for others, so it is asked on a thread."""
    found = await asyncio.to_thread(assess)
    if not found.available:
        raise UnsupportedError(found.reason, hint="Run surehand doctor to see what this machine can do.")


def _contains(wanted: str | None, *names: str) -> bool:
    return wanted is None or any(wanted.casefold() in name.casefold() for name in names)


def _describe(process: Process) -> Figures:
    started = datetime.fromtimestamp(process.started_s, UTC).isoformat(timespec="seconds")
    return {
        "pid": process.pid,
        "name": process.name,
        "user": process.user,
        "cpu_percent": process.cpu_percent,
        "memory_bytes": process.memory_bytes,
        "started": started,
    }


def _tell_list(key: str, listed: list[Figures], count: int, noun: str) -> ToolOutcome:
    names = list(dict.fromkeys(str(each["name"]) for each in listed))
    plural = noun if count == 1 else f"{noun}es" if noun.endswith("s") else f"{noun}s"
    more = " and others" if len(names) > _NAMED or count > len(listed) else ""
    said = f": {', '.join(names[:_NAMED])}{more}" if names else ""
    output = {key: listed, "count": count, "truncated": count > len(listed), "text": f"{count} {plural}{said}."}
    return ToolOutcome(output=output)
