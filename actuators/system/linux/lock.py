"""Locking the screen on Linux: through the desktop's own screen saver, else through logind."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from dbus_fast import Message

from actuators.base import Availability
from actuators.deadlines import finish_within
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError, ask_names
from core.base.errors import ActionError

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
