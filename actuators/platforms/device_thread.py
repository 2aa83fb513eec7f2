"""DeviceThread: calls of a library that blocks, made one after another on a thread that belongs to one device."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from core.base.late_dataclasses import dataclass

Result = TypeVar("Result")
END_LIMIT_S = 2.0


def do_nothing() -> None:
    """Need no preparation."""


@dataclass(slots=True)
class QueuedCall:
    """A call that waits for its turn, and who waits for its result."""

    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]

    def run(self) -> None:
        """Make the call, unless nobody waits any more, and hand its result over."""
        if not self.future.cancelled():
            self._tell(self.future.set_result, self.work())

    def __enter__(self) -> None:
        """Begin to look after the preparation and the call."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Hand an error over to who asked; the thread goes on."""
        if error is not None:
            self._tell(self.future.set_exception, error)
        return isinstance(error, Exception)

    def _tell(self, settle: Callable[[Any], None], outcome: Any) -> None:
        def settle_once() -> None:
            if not self.future.done():
                settle(outcome)

        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
            self.loop.call_soon_threadsafe(settle_once)


class DeviceThread:
    """A thread for one device: it starts with the first call, and every call has a time limit.

    A call that outlasts its limit keeps its thread; the next call gets a new one, so that a device that hangs once does
    not block what comes later. The threads are daemons: none keeps the program from ending.
    """

    def __init__(
        self, name: str, *, begin: Callable[[], None] = do_nothing, end: Callable[[], None] = do_nothing
    ) -> None:
        """Start nothing yet; ``begin`` and ``end`` are called on the thread before its first call and after its last."""
        self._name = name
        self._begin = begin
        self._end = end
        self._jobs: queue.SimpleQueue[QueuedCall | None] | None = None
        self._thread: threading.Thread | None = None

    async def run(self, work: Callable[[], Result], *, timeout_s: float | None) -> Result:
        """Make a call on the thread, within so many seconds with the wait for its turn (None for no limit); return its result.

        Raises:
            TimeoutError: When the time ran out; the call may still happen.
            Exception: Whatever the call raises.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._start().put(QueuedCall(work, loop, future))
        try:
            done, _ = await asyncio.wait({future}, timeout=timeout_s)
        except asyncio.CancelledError:
            future.cancel()
            raise
        if not done:
            future.cancel()
            self._abandon()
            raise TimeoutError(f"{self._name} did not answer within {timeout_s:g} s")
        return future.result()

    async def close(self) -> None:
        """End the thread after the calls that wait; calling it again does nothing."""
        thread = self._abandon()
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(None, thread.join, END_LIMIT_S)

    def _start(self) -> "queue.SimpleQueue[QueuedCall | None]":
        if self._jobs is None:
            self._jobs = queue.SimpleQueue()
            self._thread = threading.Thread(target=self._serve, args=(self._jobs,), name=self._name, daemon=True)
            self._thread.start()
        return self._jobs

    def _abandon(self) -> threading.Thread | None:
        thread, jobs = self._thread, self._jobs
        self._thread = self._jobs = None
        if jobs is not None:
            jobs.put(None)
        return thread

    def _serve(self, jobs: "queue.SimpleQueue[QueuedCall | None]") -> None:
        prepared = False
        while (job := jobs.get()) is not None:
            with job:
                if not prepared:
                    self._begin()
                    prepared = True
                job.run()
            del job  # what the call held must not outlive it: COM objects die on the thread that made them
        if prepared:
            self._end()
