"""Locking, sleep, shutdown and restart on Linux: through logind, which keeps the time of what is ordered, else another way."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from dbus_fast import Message

from actuators.base import Availability
from actuators.deadlines import finish_within
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError, ask_names
from actuators.system.ports.devices import Power, PowerAction, ScheduledPower
from core.base.errors import ActionError, UnsupportedError

_SCREEN_SAVERS: Mapping[str, BusObject] = {
    name: BusObject(name, path, name)
    for name, path in (
        ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
        ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
        ("org.mate.ScreenSaver", "/org/mate/ScreenSaver"),
        ("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"),
    )
}
_LOGIND = "org.freedesktop.login1"
_SESSION = BusObject(_LOGIND, "/org/freedesktop/login1/session/auto", f"{_LOGIND}.Session")
_STEP_S = 0.2


class LinuxScreenLock:
    """Tells whoever locks screens here to do it, and asks whether it is done."""

    def __init__(self, session_bus: Bus, system_bus: Bus) -> None:
        self._session_bus = session_bus
        self._system_bus = system_bus

    def assess(self) -> Availability:
        """Say who would lock the screen."""
        saver = _find_saver(ask_names(self._session_bus.address) or frozenset())
        if saver:
            return Availability("session_lock", available=True, reason=saver)
        if _LOGIND in (ask_names(self._system_bus.address) or ()):
            return Availability("session_lock", available=True, reason="logind; it reports if no screen locker follows")
        remedy = "Start a screen saver that speaks org.freedesktop.ScreenSaver, or use a system with logind."
        return Availability(
            "session_lock", available=False, reason="neither a screen saver nor logind answers", remedy=remedy
        )

    async def lock(self, timeout_s: float) -> bool | None:
        """Lock the screen; return whether it is locked, None where nobody says so."""
        names = await self._session_bus.list_names() if self._session_bus.address else ()
        try:
            if saver := _find_saver(frozenset(names)):
                return await self._lock_by_saver(_SCREEN_SAVERS[saver], timeout_s)
            return await self._lock_by_logind(timeout_s)
        except BusRefusalError as error:
            raise ActionError(
                f"The screen could not be locked: {error.message}",
                code="not_possible",
                hint="Try to lock it by hand to see why.",
                evidence=error.evidence,
            ) from error

    async def _lock_by_saver(self, saver: BusObject, timeout_s: float) -> bool | None:
        async def is_locked() -> bool:
            return bool((await self._session_bus.call(saver, "GetActive"))[0])

        return await _settle(
            self._session_bus, saver, lambda: self._session_bus.call(saver, "Lock"), is_locked, timeout_s
        )

    async def _lock_by_logind(self, timeout_s: float) -> bool | None:
        """Lock through logind, which passes it on to lockers and knows only what they tell; a no is therefore none."""

        async def is_locked() -> bool:
            return bool(await self._system_bus.get(_SESSION, "LockedHint"))

        locked = await _settle(
            self._system_bus, _SESSION, lambda: self._system_bus.call(_SESSION, "Lock"), is_locked, timeout_s
        )
        return locked or None


async def _settle(
    bus: Bus,
    target: BusObject,
    act: Callable[[], Awaitable[object]],
    is_locked: Callable[[], Awaitable[bool]],
    timeout_s: float,
) -> bool:
    """Give the order, and ask at each signal of the one that carries it out until it is done or the time is up."""
    changed = asyncio.Event()

    def notice(message: Message) -> None:
        if message.path == target.path:
            changed.set()

    loop = asyncio.get_running_loop()
    end_s = loop.time() + timeout_s
    async with bus.listen(f"type='signal',sender='{target.name}'", notice):
        await act()
        while not await is_locked():
            left_s = end_s - loop.time()
            if left_s <= 0:
                return False
            try:
                await finish_within(changed.wait(), min(_STEP_S, left_s))
            except TimeoutError:
                continue
            changed.clear()
    return True


def _find_saver(names: frozenset[str]) -> str:
    return next((name for name in _SCREEN_SAVERS if name in names), "")


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
