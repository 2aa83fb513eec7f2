"""Channels on this machine: notifications of the desktop, and the log."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal

from agent.planners.health.channels.notices import Notice
from core.base.phrases import cut_text
from core.planning.planners.alerts import Severity

Urgency = Literal["low", "normal", "critical"]
ShowNotification = Callable[[str, str, Urgency], Awaitable[object]]
"""Shows a notification: title, text and how much it matters."""

WriteLine = Callable[[str, Severity, Mapping[str, str]], Awaitable[object]]
"""Writes a line of the log: event, severity and facts; it is on the disk when that returns."""

_URGENCIES: Mapping[Severity, Urgency] = {"info": "low", "warning": "normal", "critical": "critical"}
_LONGEST = 500


class DesktopChannel:
    """Shows each notice as a notification."""

    def __init__(self, show: ShowNotification) -> None:
        """Show nothing yet."""
        self._show = show

    async def send(self, notice: Notice) -> None:
        """Show a notice.

        Raises:
            SurehandError: If no notification server takes it.
        """
        urgency = "low" if notice.moment == "ended" else _URGENCIES[notice.alert.severity]
        await self._show(f"Surehand: {notice.title}", cut_text(notice.text, _LONGEST), urgency)


class LogChannel:
    """Writes each notice as a line of the log."""

    def __init__(self, write: WriteLine) -> None:
        """Write nothing yet.

        Args:
            write: Writes a line.
        """
        self._write = write

    async def send(self, notice: Notice) -> None:
        """Write a notice.

        Raises:
            SurehandError: If the disk doesn't take it.
        """
        facts = {"alert": notice.alert.alert_id, "subject": notice.alert.subject, "episode": notice.episode_id}
        await self._write(f"alert.{notice.moment}", notice.alert.severity, {**facts, "message": notice.text})
