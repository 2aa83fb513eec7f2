"""PulseConnection: one connection to PulseAudio or to PipeWire's stand-in for it, kept and renewed."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from core.errors import DeviceError

try:
    from pulsectl import PulseDisconnected, PulseError, PulseOperationFailed
    from pulsectl_asyncio import PulseAsync
except OSError as error:  # the library is there, and the system's own part isn't
    raise ImportError("libpulse is not installed", name="libpulse") from error

Result = TypeVar("Result")
Work = Callable[[Any], Coroutine[Any, Any, Result]]
CLIENT_NAME = "surehand"
ANSWER_LIMIT_S = 3.0
TRIES = 2
FACILITIES = ("sink", "source", "sink_input", "source_output", "server")
_HINT = "Start it (systemctl --user restart pipewire-pulse, or pulseaudio --start) and try again."


class PulseConnection:
    """Does work on a connection that is made when it is needed, and again after the server was restarted.

    An operation of libpulse is never cancelled: it would call back into what Python has freed by then. Whoever is
    cancelled lets it end by itself; one that doesn't end in time is ended by closing its connection.
    """

    def __init__(self, address: str, answer_limit_s: float = ANSWER_LIMIT_S) -> None:
        """Connect to nothing yet.

        Args:
            address: Of the server.
            answer_limit_s: Seconds after which the server counts as hung.
        """
        self._address = address
        self._answer_limit_s = answer_limit_s
        self._connecting = asyncio.Lock()
        self._changed = asyncio.Event()
        self._running: set[asyncio.Task[Any]] = set()
        self._pulse: PulseAsync | None = None

    async def run(self, work: Work[Result]) -> Result:
        """Do work that consists of the server's operations only, once more if the server was restarted.

        Args:
            work: Takes the connection; finds what it acts on by itself, since numbers change with a restart.

        Raises:
            DeviceError: ``server_missing`` if nothing answers in time, ``device_failed`` if the server refuses.
            PulseIndexError: If what it looks for isn't there.
        """
        for _ in range(TRIES):
            pulse = await self._connect()
            try:
                return await self._do(pulse, work)
            except PulseDisconnected:
                self._drop(pulse)
            except PulseOperationFailed as error:
                if pulse.connected:
                    raise DeviceError(
                        "The sound server refused it.", hint="It may be busy, or belong to another program."
                    ) from error
                self._drop(pulse)
        raise self._missing("ended the connection")

    def forget_changes(self) -> None:
        """Count only what changes from now on."""
        self._changed.clear()

    async def await_change(self, timeout_s: float) -> None:
        """Return when the server has told of a change that wasn't forgotten, or the time is up."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), timeout_s)

    async def close(self) -> None:
        """End the connection; calling it again does nothing."""
        if self._pulse is not None:
            self._drop(self._pulse)
        if self._running:
            await asyncio.wait(self._running, timeout=self._answer_limit_s)

    async def _connect(self) -> PulseAsync:
        async with self._connecting:
            if self._pulse is not None:
                if self._pulse.connected:
                    return self._pulse
                self._drop(self._pulse)
            pulse = PulseAsync(CLIENT_NAME, server=self._address)
            try:
                await pulse.connect(timeout=self._answer_limit_s)
            except TimeoutError as error:
                pulse.close()
                raise self._missing(f"did not answer within {self._answer_limit_s:g} s") from error
            except PulseError as error:
                pulse.close()
                raise self._missing("can't be reached") from error
            except BaseException:
                pulse.close()
                raise
            self._pulse = pulse
            self._start(self._listen(pulse))
            await asyncio.sleep(0)  # the subscription goes out before anything is asked
            return pulse

    async def _do(self, pulse: PulseAsync, work: Work[Result]) -> Result:
        task = self._start(work(pulse))
        done, _ = await asyncio.wait({task}, timeout=self._answer_limit_s)
        if not done:
            self._drop(pulse)
            raise self._missing(f"did not answer within {self._answer_limit_s:g} s")
        return task.result()

    async def _listen(self, pulse: PulseAsync) -> None:
        with contextlib.suppress(PulseDisconnected, PulseError):
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

    def _drop(self, pulse: PulseAsync) -> None:
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
