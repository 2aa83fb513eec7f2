"""The tools that change something of the machine, written once over the ports."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from actuators.base import Availability
from actuators.deadlines import finish_within
from actuators.seat.attending import AttendedToolset
from actuators.system.ports.devices import PowerAction
from actuators.system.ports.parts import SystemParts
from actuators.system.tools.openable import judge_target
from core.base.errors import ActionError, DeviceError, InputError, UnsupportedError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.param_types import NAME, PLACE, TEXT, Duration, PlainText
from core.rules.type_makers import either, integer, needing, number
from core.tools.ports import ActionContext


class Delays:
    """The acts of one kind that are waiting."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._waiting: set[asyncio.Event] = set()

    async def wait(self, delay_s: float) -> None:
        """Return after a delay; ActionError ``called_off``."""
        if delay_s <= 0:
            return
        called_off = asyncio.Event()
        self._waiting.add(called_off)
        try:
            await finish_within(called_off.wait(), delay_s)
        except TimeoutError:
            return
        finally:
            self._waiting.discard(called_off)
        raise ActionError(f"{self._title} was cancelled.", code="called_off", hint="Order it again if you want it.")

    def call_off(self) -> int:
        """Call off all that is waiting; return how many that were."""
        count = len(self._waiting)
        for each in self._waiting:
            each.set()
        self._waiting.clear()
        return count


_SHARE = 0.8
_LOCKING_S = 3.0
_TOLERANCE_PERCENT = 5.0


class MachineTools(AttendedToolset):
    """Settings, notifications and power."""

    domain = "system"
    intent = "system_control"
    capability = "machine"

    def __init__(self, parts: SystemParts, workspace: Path) -> None:
        self._parts = parts
        self._workspace = workspace
        self._delayed = {"lock": Delays("Locking the screen"), "sleep": Delays("Sending the machine to sleep")}

    async def open(self, context: ActionContext, target: Annotated[str, PLACE]) -> ToolOutcome:
        """Open an address or a file with the program that the desktop has for it.

        Args:
            target: An http or https address, or a path; programs and scripts are refused.

        Returns:
            Output ``target``, ``application`` and ``pid`` where they are known.
        """
        await _check(self._parts.opener.assess)
        judged = await asyncio.to_thread(judge_target, target, context.policy, self._workspace)
        evidence = await self._parts.opener.open(judged, context.timeout_s * _SHARE)
        output = {"target": judged, "application": evidence.get("application"), "pid": evidence.get("pid")}
        return ToolOutcome(output=output, effect="unverified", evidence=evidence, undo="Close the window it opened.")

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
        del context
        return await (self._set_clipboard(str(value)) if target == "clipboard" else self._set_brightness(value))

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
        del context
        await _check(self._parts.notifier.assess)
        shown = await self._parts.notifier.notify(title, message, urgency)
        output = {"id": shown.id, "server": shown.server}
        effect: Literal["confirmed", "unverified"] = "confirmed" if shown.id else "unverified"
        return ToolOutcome(output=output, effect=effect, evidence=output | shown.evidence)

    async def lock(self, context: ActionContext, delay: Duration = 0.0, abort: bool = False) -> ToolOutcome:
        """Lock the screen.

        Args:
            delay: Seconds until then; the act lasts that long, and doesn't happen when it is stopped.
            abort: Call off what was ordered before instead.

        Returns:
            Output ``locked`` as read back where the system says so.
        """
        if abort:
            return _tell_called_off(self._delayed["lock"])
        await _check(self._parts.screen_lock.assess)
        await self._delayed["lock"].wait(delay)
        locked = await self._parts.screen_lock.lock(min(_LOCKING_S, context.timeout_s * _SHARE))
        if locked is False:
            raise DeviceError(
                "The screen was told to lock, but it reports that it is not locked.",
                code="not_settled",
                hint="Check that a screen locker is running.",
                evidence={"locked": False},
            )
        return ToolOutcome(
            output={"locked": locked},
            effect="confirmed" if locked else "unverified",
            evidence={"locked": locked},
            undo="Unlock it with the password.",
        )

    async def sleep(self, context: ActionContext, delay: Duration = 0.0, abort: bool = False) -> ToolOutcome:
        """Let the machine sleep.

        Args:
            delay: As for ``lock``.
            abort: As for ``lock``.

        Returns:
            Output ``ordered``.
        """
        del context
        if abort:
            return _tell_called_off(self._delayed["sleep"])
        await _check(self._parts.power.assess)
        await self._delayed["sleep"].wait(delay)
        await self._parts.power.sleep()
        return ToolOutcome(output={"ordered": True}, effect="unverified", evidence={"accepted": True}, undo="Wake it.")

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
        del context
        return await (self._cancel() if abort else self._schedule("shutdown", delay))

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
        del context
        return await (self._cancel() if abort else self._schedule("restart", delay))

    async def read_setting(self, target: Literal["clipboard", "brightness"]) -> str | int | None:
        """Return what something of the machine is set to."""
        if target == "clipboard":
            return await self._parts.clipboard.read()
        return round(await self._parts.brightness.read())

    async def read_schedule(self) -> dict[str, str | None]:
        """Return which shutdown or restart is ordered, and for when."""
        found = await self._parts.power.scheduled()
        at = found.at.isoformat(timespec="seconds") if found else None
        return {"scheduled": found.action if found else None, "at": at}

    async def _schedule(self, action: PowerAction, delay_s: float) -> ToolOutcome:
        await _check(self._parts.power.assess)
        scheduled = await self._parts.power.schedule(action, delay_s)
        if scheduled is not None and scheduled.action != action:
            raise DeviceError(
                f"A {action} was ordered, but the system reports a {scheduled.action}.",
                code="not_settled",
                hint="Cancel it, and check who else orders one.",
                evidence={"scheduled": scheduled.action, "at": scheduled.at.isoformat()},
            )
        at = scheduled.at.isoformat(timespec="seconds") if scheduled else None
        undo = UndoRecord("system", action, {"abort": True}, {"scheduled": action, "at": at}) if scheduled else None
        return ToolOutcome(
            output={"ordered": True, "at": at},
            effect="confirmed" if scheduled else "unverified",
            evidence={"scheduled": action if scheduled else None, "at": at},
            undo="Cancel it before then." if undo else "",
            undo_record=undo,
        )

    async def _cancel(self) -> ToolOutcome:
        await _check(self._parts.power.assess)
        was_ordered = await self._parts.power.cancel()
        left = await self._parts.power.scheduled()
        if left is not None:
            raise DeviceError(
                f"A {left.action} is still ordered for {left.at.isoformat(timespec='seconds')}.",
                code="not_settled",
                hint="Try again, or cancel it as administrator.",
                evidence={"scheduled": left.action},
            )
        evidence = {"scheduled": None, "was_ordered": was_ordered}
        return ToolOutcome(output={"ordered": False, "aborted": was_ordered}, effect="confirmed", evidence=evidence)

    async def _set_clipboard(self, text: str) -> ToolOutcome:
        clipboard = self._parts.clipboard
        await _check(clipboard.assess)
        before = await clipboard.read()
        await clipboard.write(text)
        after = await clipboard.read()
        if after is None or after != text:
            raise DeviceError(
                "The clipboard holds other text than was set.",
                code="not_settled",
                hint="Check whether a clipboard manager changes it.",
                evidence={"characters": len(after or ""), "wanted_characters": len(text)},
            )
        return _tell_set("clipboard", after, before, {"characters": len(after), "equal": True})

    async def _set_brightness(self, value: str | int) -> ToolOutcome:
        wanted = _read_percent(value)
        brightness = self._parts.brightness
        await _check(brightness.assess)
        before = round(await brightness.read())
        await brightness.write(wanted)
        after = round(await brightness.read())
        if abs(after - wanted) > _TOLERANCE_PERCENT:
            raise DeviceError(
                f"The brightness was set to {wanted} percent, but it is {after}.",
                code="not_settled",
                hint="Check whether another program sets it, or whether the screen has a minimum.",
                evidence={"level_percent": after, "before_percent": before},
            )
        return _tell_set("brightness", after, before, {"level_percent": after})


def _tell_set(target: str, value: str | int, before: str | int | None, evidence: dict[str, Any]) -> ToolOutcome:
    undo = None
    if before is not None:
        undo = UndoRecord("system", "set", {"target": target, "value": before}, {"value": value})
    return ToolOutcome(
        output={"value": value, "before": before},
        effect="confirmed",
        evidence=evidence,
        undo=f"Set the {target} back to its earlier value." if undo else "There was no text before.",
        undo_record=undo,
    )


def _tell_called_off(delays: Delays) -> ToolOutcome:
    count = delays.call_off()
    output = {"ordered": False, "aborted": count > 0}
    return ToolOutcome(output=output, effect="confirmed", evidence={"called_off": count})


def _read_percent(value: str | int) -> int:
    text = str(value).strip().removesuffix("%").strip()
    if not (text.isascii() and text.isdigit() and int(text) <= 100):
        raise InputError(
            f"“{value}” is not a brightness. Use a whole number from 0 to 100.",
            code="bad_value",
            hint="Give the percentage as a number.",
        )
    return int(text)


async def _check(assess: Callable[[], Availability]) -> None:
    """Refuse what can't be done here; the question may wait for others, so it is asked on a thread."""
    found = await asyncio.to_thread(assess)
    if not found.available:
        raise UnsupportedError(found.reason, hint=found.remedy, evidence={"capability": found.capability})
