"""Sleep, shutdown and restart on Linux: through logind, which keeps the time of what is ordered, else another way."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from actuators.base import Availability
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError, ask_names
from actuators.system.ports.devices import Power, PowerAction, ScheduledPower
from core.base.errors import ActionError, UnsupportedError

_NAME = "org.freedesktop.login1"
_MANAGER = BusObject(_NAME, "/org/freedesktop/login1", f"{_NAME}.Manager")
_TYPES: Mapping[PowerAction, str] = {"shutdown": "poweroff", "restart": "reboot"}
_ACTIONS: Mapping[str, PowerAction] = {
    "poweroff": "shutdown",
    "halt": "shutdown",
    "reboot": "restart",
    "kexec": "restart",
}
_PERMISSIONS: Mapping[PowerAction, str] = {"shutdown": "CanPowerOff", "restart": "CanReboot"}
_ALLOWED = frozenset(["yes", "challenge"])
_MICROSECONDS = 1_000_000
_NOTHING = frozenset([0, 2**64 - 1])
_UNASKED = False
"""Whether logind may ask the person for a password."""

_LEAST_DELAY_S = 1.0
"""So that an order can be read back, and the answer gets out, before the machine goes."""


class LogindPower:
    """Power through logind on the system bus."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def assess(self) -> Availability:
        """Say whether logind answers."""
        if _NAME in (ask_names(self._bus.address) or ()):
            return Availability("power", available=True, reason="logind")
        reason = "no logind on the system bus" if self._bus.address else "there is no system bus"
        remedy = "Use a system with systemd-logind or elogind; containers have neither."
        return Availability("power", available=False, reason=reason, remedy=remedy)

    async def sleep(self) -> None:
        """Order the machine to sleep."""
        await self._check("CanSuspend", "sleep")
        await self._call("Suspend", "b", _UNASKED)

    async def schedule(self, action: PowerAction, delay_s: float) -> ScheduledPower | None:
        """Order a shutdown or restart and read back what is ordered."""
        await self._check(_PERMISSIONS[action], action)
        at = datetime.now(UTC) + timedelta(seconds=max(delay_s, _LEAST_DELAY_S))
        await self._call("ScheduleShutdown", "st", _TYPES[action], round(at.timestamp() * _MICROSECONDS))
        return await self.scheduled()

    async def scheduled(self) -> ScheduledPower | None:
        """Return what logind says is ordered."""
        kind, at_us = await self._bus.get(_MANAGER, "ScheduledShutdown")
        action = _ACTIONS.get(kind)
        if action is None or at_us in _NOTHING:
            return None
        return ScheduledPower(action, datetime.fromtimestamp(at_us / _MICROSECONDS, UTC).astimezone())

    async def cancel(self) -> bool:
        """Call off what is ordered."""
        return bool((await self._call("CancelScheduledShutdown"))[0])

    async def _check(self, permission: str, act: str) -> None:
        answer = str((await self._call(permission))[0])
        if answer not in _ALLOWED:
            reasons = {"na": "the machine can't", "no": "this user has no permission to"}
            raise UnsupportedError(
                f"logind says that {reasons.get(answer, 'it refuses to')} {act}.",
                hint="Do it as administrator, or by hand.",
                evidence={"asked": permission, "answer": answer},
            )

    async def _call(self, member: str, signature: str = "", *body: object) -> list[object]:
        try:
            return await self._bus.call(_MANAGER, member, signature, *body)
        except BusRefusalError as error:
            code = "no_permission" if "Denied" in error.name or "Authorization" in error.name else "not_possible"
            raise ActionError(
                f"logind refused: {error.message}", code=code, hint="Do it as administrator.", evidence=error.evidence
            ) from error


class LinuxPower:
    """The first of two ways that is there; what is asked when neither is goes to the first, which says why it can't."""

    def __init__(self, first: Power, second: Power) -> None:
        self._first = first
        self._second = second

    def assess(self) -> Availability:
        """Say which way is there."""
        return self._choose().assess()

    async def sleep(self) -> None:
        """Order the machine to sleep."""
        await self._choose().sleep()

    async def schedule(self, action: PowerAction, delay_s: float) -> ScheduledPower | None:
        """Order a shutdown or restart."""
        return await self._choose().schedule(action, delay_s)

    async def scheduled(self) -> ScheduledPower | None:
        """Return what is ordered."""
        return await self._choose().scheduled()

    async def cancel(self) -> bool:
        """Call off what is ordered."""
        return await self._choose().cancel()

    def _choose(self) -> Power:
        second_is_better = not self._first.assess().available and self._second.assess().available
        return self._second if second_is_better else self._first
