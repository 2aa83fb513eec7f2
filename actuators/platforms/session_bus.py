"""Connections to a message bus (D-Bus), with a limit of time for everything that is asked of others.

Any family may use it. It is imported only by back ends of systems that have such a bus.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusFastError
from dbus_fast.unpack import unpack_variants

from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass

CALL_S = 3.0
"""Seconds that another program has for its answer, where the caller doesn't say."""

_BUS = "org.freedesktop.DBus"
_BUS_PATH = "/org/freedesktop/DBus"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_SYSTEM_SOCKETS = ("/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket")


@dataclass(frozen=True, slots=True)
class BusObject:
    """An object of a program on the bus, seen through one of its interfaces."""

    name: str
    path: str
    interface: str


BUS = BusObject(_BUS, _BUS_PATH, _BUS)


class BusRefusalError(DeviceError):
    """The other program answered with an error."""

    code = "device_failed"

    def __init__(self, name: str, text: str, called: str) -> None:
        super().__init__(f"{called} was refused: {text or name}.", evidence={"bus_error": name, "called": called})
        self.name = name


class Bus:
    """One connection, made when it is first needed, and made anew when the bus went away or the event loop is another."""

    def __init__(self, address: str, title: str = "session bus") -> None:
        """Remember the address as ``DBUS_SESSION_BUS_ADDRESS`` has it, empty where there is none; connect to nothing."""
        self.address = address
        self.title = title
        self._bus: MessageBus | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connecting = asyncio.Lock()

    async def call(
        self, target: BusObject, member: str, signature: str = "", *body: object, timeout_s: float = CALL_S
    ) -> list[Any]:
        """Call a method and return what it answers, variants unpacked; an answer that is an error is a BusRefusalError.

        Raises:
            DeviceError: ``server_missing`` if there is no bus, ``not_settled`` if no answer comes in time.
        """
        called = f"{target.interface}.{member} of {target.name}"
        bus = await self._connect(timeout_s)
        message = Message(
            destination=target.name,
            path=target.path,
            interface=target.interface,
            member=member,
            signature=signature,
            body=list(body),
        )
        try:
            # wait_for would lose a stop that comes together with the answer; answers often come several at once.
            async with asyncio.timeout(timeout_s):
                reply: Message | None = await bus.call(message)
        except TimeoutError:
            raise DeviceError(
                f"{target.name} doesn't answer ({member}, {timeout_s:g} s).",
                code="not_settled",
                hint="Check whether that program hangs.",
                evidence={"called": called, "timeout_s": timeout_s},
            ) from None
        except (OSError, EOFError, DBusFastError) as error:
            raise self._missing(str(error)) from error
        if not reply:  # the connection was closed on this side meanwhile
            raise self._missing("the connection was closed")
        if reply.message_type is MessageType.ERROR:
            raise BusRefusalError(reply.error_name or "", str(reply.body[0]) if reply.body else "", called)
        return unpack_variants(reply.body)

    async def get(self, target: BusObject, name: str, *, timeout_s: float = CALL_S) -> Any:
        """Return the value of a property."""
        asked = BusObject(target.name, target.path, _PROPERTIES)
        return (await self.call(asked, "Get", "ss", target.interface, name, timeout_s=timeout_s))[0]

    async def get_all(self, target: BusObject, *, timeout_s: float = CALL_S) -> Mapping[str, Any]:
        """Return all properties of the interface."""
        asked = BusObject(target.name, target.path, _PROPERTIES)
        return (await self.call(asked, "GetAll", "s", target.interface, timeout_s=timeout_s))[0]

    async def list_names(self, *, timeout_s: float = CALL_S) -> tuple[str, ...]:
        """Return the well-known names that programs have now."""
        names: list[str] = (await self.call(BUS, "ListNames", timeout_s=timeout_s))[0]
        return tuple(sorted(name for name in names if not name.startswith(":")))

    @asynccontextmanager
    async def listen(self, rule: str, heard: Callable[[Message], object]) -> AsyncGenerator[None]:
        """Hear the signals of a rule such as ``type='signal',interface='…'``, and of other listeners, until the block is left."""

        def pass_on(message: Message) -> None:
            if message.message_type is MessageType.SIGNAL:
                heard(message)

        bus = await self._connect(CALL_S)
        bus.add_message_handler(pass_on)
        try:
            await self.call(BUS, "AddMatch", "s", rule)
            yield
        finally:
            bus.remove_message_handler(pass_on)
            if bus.connected and bus is self._bus:
                await self.call(BUS, "RemoveMatch", "s", rule)

    async def connect(self, *, timeout_s: float = CALL_S) -> None:
        """Connect now, so that a failure (``server_missing``) can be told from that of a call."""
        await self._connect(timeout_s)

    async def close(self) -> None:
        """Let go of the bus; calling it again does nothing."""
        bus, self._bus = self._bus, None
        if bus and bus.connected and self._loop is asyncio.get_running_loop():
            bus.disconnect()
            await bus.wait_for_disconnect()

    async def _connect(self, timeout_s: float) -> MessageBus:
        if self._loop is not asyncio.get_running_loop():
            self._bus, self._loop, self._connecting = None, asyncio.get_running_loop(), asyncio.Lock()
        async with self._connecting:
            if self._bus is None or not self._bus.connected:
                self._bus = await self._open(timeout_s)
            return self._bus

    async def _open(self, timeout_s: float) -> MessageBus:
        if not self.address:
            raise self._missing("no address is known")
        try:
            async with asyncio.timeout(timeout_s):
                return await MessageBus(bus_address=self.address).connect()
        except TimeoutError:
            raise self._missing("it accepts no connection") from None
        except (OSError, EOFError, DBusFastError, ValueError) as error:
            raise self._missing(str(error) or type(error).__name__) from error

    def _missing(self, why: str) -> DeviceError:
        return DeviceError(
            f"The {self.title} doesn't answer: {why}.",
            code="server_missing",
            hint="Start Surehand within a desktop session, or set DBUS_SESSION_BUS_ADDRESS.",
            evidence={"address": self.address},
        )


def find_session_bus(variables: Mapping[str, str]) -> str:
    """Return the address of the session bus, empty where there is none."""
    if address := variables.get("DBUS_SESSION_BUS_ADDRESS"):
        return address
    runtime = variables.get("XDG_RUNTIME_DIR")
    return f"unix:path={runtime}/bus" if runtime and Path(runtime, "bus").exists() else ""


def find_system_bus(variables: Mapping[str, str]) -> str:
    """Return the address of the system bus, empty where there is none."""
    if address := variables.get("DBUS_SYSTEM_BUS_ADDRESS"):
        return address
    return next((f"unix:path={each}" for each in _SYSTEM_SOCKETS if Path(each).exists()), "")


def ask_names(address: str, timeout_s: float = 0.5) -> frozenset[str] | None:
    """Return the names that programs have on a bus or could be started for; None if it doesn't answer in time.

    For assessments, which don't wait: the question runs in a thread of its own, and takes a few milliseconds.
    """
    if not address:
        return None

    async def ask() -> frozenset[str]:
        bus = Bus(address)
        try:
            running = await bus.call(BUS, "ListNames", timeout_s=timeout_s)
            startable = await bus.call(BUS, "ListActivatableNames", timeout_s=timeout_s)
        finally:
            await bus.close()
        return frozenset(running[0]) | frozenset(startable[0])

    with ThreadPoolExecutor(1, thread_name_prefix="bus-names") as thread:
        try:
            return thread.submit(asyncio.run, ask()).result()
        except DeviceError:
            return None
