"""Notifications over the session bus, as freedesktop.org's notification specification has them."""

from collections.abc import Mapping
from html import escape

from dbus_fast import Variant

from actuators.base import Availability
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError, ask_names
from actuators.system.ports.devices import Shown, Urgency
from core.base.errors import DeviceError

_NAME = "org.freedesktop.Notifications"
_SERVER = BusObject(_NAME, "/org/freedesktop/Notifications", _NAME)
_URGENCIES: Mapping[Urgency, int] = {"low": 0, "normal": 1, "critical": 2}
_OWN_TIME = -1
"""Lets the server decide how long it shows a notification."""


class BusNotifier:
    """Shows notifications through whichever server the desktop has."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def assess(self) -> Availability:
        """Say whether a notification server runs or would be started."""
        names = ask_names(self._bus.address)
        if names is None:
            remedy = "Start Surehand within a desktop session, or set DBUS_SESSION_BUS_ADDRESS."
            return Availability("notifications", available=False, reason="no session bus answers", remedy=remedy)
        if _NAME not in names:
            remedy = "Start one, such as dunst."
            return Availability("notifications", available=False, reason="no notification server runs", remedy=remedy)
        return Availability("notifications", available=True, reason="a notification server on the session bus")

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Show a notification; what the server would take for markup is escaped."""
        try:
            abilities: list[str] = (await self._bus.call(_SERVER, "GetCapabilities"))[0]
            server: list[str] = await self._bus.call(_SERVER, "GetServerInformation")
            body = escape(message, quote=False) if "body-markup" in abilities else message
            hints = {"urgency": Variant("y", _URGENCIES[urgency])}
            number: int = (
                await self._bus.call(
                    _SERVER, "Notify", "susssasa{sv}i", "Surehand", 0, "", title, body, [], hints, _OWN_TIME
                )
            )[0]
        except BusRefusalError as error:
            raise DeviceError(
                f"No notification server accepted it: {error.message}",
                code="server_missing",
                hint="Start one, such as dunst.",
                evidence=error.evidence,
            ) from error
        return Shown(number, server[0], {"vendor": server[1], "version": server[2], "urgency": urgency})
