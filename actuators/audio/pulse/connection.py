"""PulseConnection: one connection to PulseAudio or to PipeWire's stand-in for it, kept and renewed.

pulsectl is loaded when it is first needed: it takes a tenth of a second, and libpulse.

Source: pulseaudio(1), pulse-client.conf(5), "Server Strings" in PulseAudio's documentation.
"""

import asyncio
import contextlib
import ctypes
import os
import re
import socket
from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from core.base.errors import DeviceError, UnsupportedError

CONNECT_LIMIT_S = 0.3
TCP_PORT = 4713
SOCKET_NAME = "native"
_OTHER_MACHINE = re.compile(r"^\{[^}]*\}")  # an entry that holds for one machine begins with its id
_TCP = re.compile(r"^(?:tcp[46]?:)?(?P<host>\[[^\]]+\]|[^:/]+)(?::(?P<port>\d+))?$")


def find_address(variables: Mapping[str, str]) -> str:
    """Return the server's address, as ``PULSE_SERVER`` writes it: what is declared, or where one would be."""
    if declared := variables.get("PULSE_SERVER", "").strip():
        return declared
    sockets = list(_list_sockets(variables))
    found = next((path for path in sockets if path.exists()), sockets[0])
    return f"unix:{found}"


def answers(address: str, limit_s: float = CONNECT_LIMIT_S) -> bool:
    """Tell whether something accepts a connection at one of the addresses, as ``PULSE_SERVER`` writes them."""
    return any(_accepts(_OTHER_MACHINE.sub("", entry), limit_s) for entry in address.split())


def _list_sockets(variables: Mapping[str, str]) -> Iterator[Path]:
    if runtime := variables.get("PULSE_RUNTIME_PATH"):
        yield Path(runtime, SOCKET_NAME)
    if runtime := variables.get("XDG_RUNTIME_DIR"):
        yield Path(runtime, "pulse", SOCKET_NAME)
    yield Path("/run/user", str(os.getuid()), "pulse", SOCKET_NAME)
    yield Path("/run/pulse", SOCKET_NAME)  # one for the whole machine


def _accepts(entry: str, limit_s: float) -> bool:
    try:
        if path := _read_path(entry):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(limit_s)
                client.connect(path)
            return True
        if tcp := _TCP.match(entry):
            where = (tcp["host"].strip("[]"), int(tcp["port"] or TCP_PORT))
            socket.create_connection(where, limit_s).close()
            return True
    except OSError:
        return False
    return False


def _read_path(entry: str) -> str:
    path = entry.removeprefix("unix:")
    return path if path.startswith("/") else ""


_LIBPULSE = "libpulse.so.0"
_ERRORS, _CONNECTION = "pulsectl", "pulsectl_asyncio"
_REMEDIES = {"library": "Install it: surehand[audio].", "libpulse": "Debian: sudo apt install libpulse0."}


def find_missing() -> tuple[str, str]:
    """Return what is missing and what to do about it, without loading the library; both empty if nothing is."""
    for name in (_ERRORS, _CONNECTION):
        if find_spec(name) is None:
            return f"{name} is not installed.", _REMEDIES["library"]
    try:
        ctypes.CDLL(_LIBPULSE)
    except OSError:
        return f"{_LIBPULSE} is not installed.", _REMEDIES["libpulse"]
    return "", ""


@cache
def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise UnsupportedError(f"{name} is not installed.", hint=_REMEDIES["library"]) from error
    except OSError as error:  # the library is there, and the system's own part isn't
        raise UnsupportedError(f"{_LIBPULSE} is not installed.", hint=_REMEDIES["libpulse"]) from error


Result = TypeVar("Result")
Work = Callable[[Any], Coroutine[Any, Any, Result]]
CLIENT_NAME = "surehand"
ANSWER_LIMIT_S = 3.0
TRIES = 2
FACILITIES = ("sink", "source", "sink_input", "source_output", "server")
_HINT = "Start it (systemctl --user restart pipewire-pulse, or pulseaudio --start) and try again."


class GoneError(Exception):
    """What the work looked for isn't there."""


class PulseConnection:
    """Does work on a connection that is made when it is needed, and again after the server was restarted.

    An operation of libpulse is never cancelled: it would call back into what Python has freed by then. Whoever is
    cancelled lets it end by itself; one that doesn't end in time is ended by closing its connection.
    """

    def __init__(self, address: str, answer_limit_s: float = ANSWER_LIMIT_S) -> None:
        """Connect to nothing yet; the server counts as hung after so many seconds."""
        self._address = address
        self._answer_limit_s = answer_limit_s
        self._connecting = asyncio.Lock()
        self._changed = asyncio.Event()
        self._running: set[asyncio.Task[Any]] = set()
        self._pulse: Any = None
        self._loaded = False

    async def run(self, work: Work[Result]) -> Result:
        """Do work of the server's operations only, which finds what it acts on by itself, once more if the server was restarted.

        Raises:
            DeviceError: ``server_missing`` if nothing answers in time, ``device_failed`` if the server refuses.
            GoneError: If what it looks for isn't there.
            UnsupportedError: If libpulse, or the library that speaks to it, is not installed.
        """
        library = await self._load_library()
        for _ in range(TRIES):
            pulse = await self._connect()
            try:
                return await self._do(pulse, work)
            except library.PulseDisconnected:
                self._drop(pulse)
            except library.PulseIndexError as error:
                raise GoneError from error
            except library.PulseOperationFailed as error:
                if pulse.connected:
                    raise DeviceError(
                        "The sound server refused it.", hint="It may be busy, or in use by another program."
                    ) from error
                self._drop(pulse)
        raise self._missing("ended the connection")

    def forget_changes(self) -> None:
        """Count only what changes from now on."""
        self._changed.clear()

    async def await_change(self, timeout_s: float) -> None:
        """Return when the server has told of a change that wasn't forgotten, or the time is up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):  # wait_for would lose a stop that comes with a change
                await self._changed.wait()

    async def close(self) -> None:
        """End the connection; calling it again does nothing."""
        if self._pulse is not None:
            self._drop(self._pulse)
        if self._running:
            await asyncio.wait(self._running, timeout=self._answer_limit_s)

    async def _load_library(self) -> Any:
        """Load the library, the first time on a thread, since that takes a while."""
        if not self._loaded:
            await asyncio.to_thread(_load, _CONNECTION)
            self._loaded = True
        return _load(_ERRORS)

    async def _connect(self) -> Any:
        async with self._connecting:
            if self._pulse is not None:
                if self._pulse.connected:
                    return self._pulse
                self._drop(self._pulse)
            pulse = _load(_CONNECTION).PulseAsync(CLIENT_NAME, server=self._address)
            try:
                await pulse.connect(timeout=self._answer_limit_s)
            except TimeoutError as error:
                pulse.close()
                raise self._missing(f"did not answer within {self._answer_limit_s:g} s") from error
            except _load(_ERRORS).PulseError as error:
                pulse.close()
                raise self._missing("can't be reached") from error
            except BaseException:
                pulse.close()
                raise
            self._pulse = pulse
            self._start(self._listen(pulse))
            await asyncio.sleep(0)  # the subscription goes out before anything is asked
            return pulse

    async def _do(self, pulse: Any, work: Work[Result]) -> Result:
        task = self._start(work(pulse))
        done, _ = await asyncio.wait({task}, timeout=self._answer_limit_s)
        if not done:
            self._drop(pulse)
            raise self._missing(f"did not answer within {self._answer_limit_s:g} s")
        return task.result()

    async def _listen(self, pulse: Any) -> None:
        library = _load(_ERRORS)
        with contextlib.suppress(library.PulseDisconnected, library.PulseError):
            async for _ in pulse.subscribe_events(*FACILITIES):
                self._changed.set()
        self._changed.set()  # that the server is gone is a change, too

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # who waited for it has it; an abandoned one's is of no use

    def _drop(self, pulse: Any) -> None:
        if self._pulse is pulse:
            self._pulse = None
        pulse.close()

    def _missing(self, what: str) -> DeviceError:
        return DeviceError(
            f"The sound server at {self._address} {what}.",
            code="server_missing",
            hint=_HINT,
            evidence={"server": self._address},
        )
