"""A11yConnection: the accessibility bus, which the session bus tells the way to."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from dbus_fast import Message, Variant

from actuators.platforms.session_bus import BUS, Bus, BusObject, BusRefusalError
from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass

ACCESSIBLE = "org.a11y.atspi.Accessible"
ACTION = "org.a11y.atspi.Action"
COMPONENT = "org.a11y.atspi.Component"
EDITABLE = "org.a11y.atspi.EditableText"
SELECTION = "org.a11y.atspi.Selection"
TEXT = "org.a11y.atspi.Text"
VALUE = "org.a11y.atspi.Value"

ANSWER_S = 1.0
"""Seconds that an application has for each answer; a hung one costs this once."""

_MOST_APART = 64
ROOT = "/org/a11y/atspi/accessible/root"
_APPLICATION = "org.a11y.atspi.Application"
_REGISTRY = "org.a11y.atspi.Registry"
_BUS_NAME, _BUS_PATH, _STATUS = "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status"
# Applications list what they have only for somebody who listens to something.
_LISTENED = ("object:children-changed", "object:state-changed", "object:text-changed", "window:")
_SIGNALS = "type='signal',interface='org.a11y.atspi.Event.Object'"


@dataclass(frozen=True, slots=True)
class Ref:
    """How the accessibility bus names an element."""

    name: str
    path: str

    def seen_as(self, interface: str) -> BusObject:
        """Return it as an object of one of its interfaces."""
        return BusObject(self.name, self.path, interface)


@dataclass(frozen=True, slots=True)
class BusApplication:
    """An application on the accessibility bus."""

    root: Ref
    pid: int


class A11yConnection:
    """Both buses, connected to at first use."""

    def __init__(self, session_address: str) -> None:
        self._session = Bus(session_address)
        self._bus: Bus | None = None
        self._apart: deque[Bus] = deque()
        self._connecting = asyncio.Lock()
        self._switched_on = False

    async def call(self, target: BusObject, member: str, signature: str = "", *body: object) -> Any:
        """Call a method; return its one result, or all. An error as the answer is a BusRefusalError."""
        bus = await self._open()
        results = await bus.call(target, member, signature, *body, timeout_s=ANSWER_S)
        return results[0] if len(results) == 1 else results

    async def call_apart(self, target: BusObject, member: str, signature: str = "", *body: object) -> Any:
        """Call a method that may open a dialog, over a connection of its own; raises as ``call``.

        Many applications stay in the call until the dialog is closed, though they answer sooner. Whatever else came over
        the same connection meanwhile, its end too, would let them wait for themselves for good at the next key: so the
        bus isn't used, and the connection is kept open.
        """
        own = await self._connect_apart(target.name)
        if own is None:
            return await self.call(target, member, signature, *body)
        self._apart.append(own)
        if len(self._apart) > _MOST_APART:
            await self._apart.popleft().close()
        results = await own.call(target, member, signature, *body, timeout_s=ANSWER_S)
        return results[0] if len(results) == 1 else results

    async def get(self, target: BusObject, name: str) -> Any:
        """Return a property."""
        return await (await self._open()).get(target, name, timeout_s=ANSWER_S)

    async def put(self, target: BusObject, name: str, value: Variant) -> None:
        """Set a property."""
        asked = BusObject(target.name, target.path, "org.freedesktop.DBus.Properties")
        await self.call(asked, "Set", "ssv", target.interface, name, value)

    async def applications(self) -> tuple[BusApplication, ...]:
        """Return the applications that are on the bus now."""
        children = await self.call(BusObject(_REGISTRY, ROOT, ACCESSIBLE), "GetChildren")
        pids = await asyncio.gather(*(self._find_pid(name) for name, _ in children))
        return tuple(BusApplication(Ref(*child), pid) for child, pid in zip(children, pids, strict=True) if pid)

    @asynccontextmanager
    async def listen(self) -> AsyncGenerator[asyncio.Event]:
        """Yield an event that is set when anything about elements changes."""
        changed = asyncio.Event()

        def note(message: Message) -> None:
            if (message.interface or "").startswith("org.a11y.atspi.Event."):
                changed.set()

        async with (await self._open()).listen(_SIGNALS, note):
            yield changed

    async def close(self) -> None:
        """Let go of both buses, and switch off what was switched on; calling it again does nothing."""
        bus, self._bus = self._bus, None
        while self._apart:
            await self._apart.popleft().close()
        if self._switched_on:
            with contextlib.suppress(DeviceError):  # the session may have ended before us
                await self._switch(on=False)
        if bus is not None:
            await bus.close()
        await self._session.close()

    async def _connect_apart(self, name: str) -> Bus | None:
        """Return a connection to one application; None where it lets nobody connect to it."""
        try:
            address = await self.call(BusObject(name, ROOT, _APPLICATION), "GetApplicationBusAddress")
            if not address:
                return None
            own = Bus(address, "application")
            await own.connect(timeout_s=ANSWER_S)
        except BusRefusalError:
            return None
        except DeviceError as error:
            if error.code != "server_missing":
                raise
            return None
        return own

    async def _open(self) -> Bus:
        async with self._connecting:
            if self._bus is None:
                self._bus = await self._connect()
            return self._bus

    async def _connect(self) -> Bus:
        try:
            found = await self._session.call(BusObject(_BUS_NAME, _BUS_PATH, _BUS_NAME), "GetAddress")
        except DeviceError as error:
            raise DeviceError(
                f"No accessibility bus found: {error.message}",
                code="server_missing",
                hint="Install at-spi2-core and start Surehand within a desktop session.",
                evidence=error.evidence,
            ) from error
        await self._switch(on=True)
        bus = Bus(found[0], "accessibility bus")
        registry = BusObject(_REGISTRY, "/org/a11y/atspi/registry", _REGISTRY)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(bus.close)
            for kind in _LISTENED:
                await bus.call(registry, "RegisterEvent", "s", kind)
            stack.pop_all()
        return bus

    async def _switch(self, *, on: bool) -> None:
        """Say that somebody uses accessibility, or no longer, where we were the one who said so."""
        status = BusObject(_BUS_NAME, _BUS_PATH, _STATUS)
        if on and await self._session.get(status, "IsEnabled"):
            return
        if on or self._switched_on:
            asked = BusObject(_BUS_NAME, _BUS_PATH, "org.freedesktop.DBus.Properties")
            await self._session.call(asked, "Set", "ssv", _STATUS, "IsEnabled", Variant("b", on))
            self._switched_on = on

    async def _find_pid(self, name: str) -> int:
        try:
            return await self.call(BUS, "GetConnectionUnixProcessID", "s", name)
        except DeviceError:
            return 0  # it has left the bus meanwhile
