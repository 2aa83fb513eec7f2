"""EndOrder: the processes that are to be ended, as they were found; what a person is shown, and what is held to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from actuators.system.ports.programs import AppWindow, Process
from core.base.errors import DeviceError
from core.base.phrases import quote_text
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
                "processes": [self._describe(each) for each in self.family],
                "items": [{"told": line} for line in lines],
            }
        )

    def keep(self, shown: Mapping[str, Any]) -> "EndOrder":
        """Return what is left of the processes that were shown; what has come since is let alone.

        Raises:
            DeviceError: ``process_missing`` if none is.
        """
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

    def _describe(self, process: Process) -> dict[str, Any]:
        return {
            "pid": process.pid,
            "name": process.name,
            "executable": process.executable,
            "started_s": process.started_s,
            "meant": process in self.meant,
            "windows": self._list_titles(process),
        }

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
    """Return what of an order was shown; all of it where nothing was.

    Raises:
        DeviceError: ``process_missing`` if something was, and nothing of it is left.
    """
    return order.keep(preview.operation) if preview and "processes" in preview.operation else order


def list_others(found: Sequence[Process], acted: Sequence[Process]) -> list[Process]:
    """Return the processes that were found and not acted on: they came after the others were shown."""
    known = {each.pid for each in acted}
    return [each for each in found if each.pid not in known]


def _count(number: int) -> str:
    return "1 process" if number == 1 else f"{number} processes"


def _name_windows(number: int) -> str:
    return "with the window" if number == 1 else f"with {number} windows"
