"""What ends a service: a signal, the end of its input, or that nobody needs it any more."""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Generator
from types import FrameType


class Ending:
    """Waits until a service shall end; a second signal ends the process at once."""

    def __init__(self) -> None:
        """Wait for nothing yet; on the loop that the service runs on."""
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._tasks: list[asyncio.Future[None]] = []

    @contextlib.contextmanager
    def listen(self) -> Generator[None]:
        """Take signals for an order to end."""
        numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]
        previous = {number: signal.signal(number, self._take) for number in numbers}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def end_with_input(self) -> None:
        """End when nobody can write to this process's input any more: whoever started it is gone."""
        threading.Thread(target=self._await_input, daemon=True, name="input").start()

    def end_after(self, waiting: Awaitable[None]) -> None:
        """End when something is over."""
        task = asyncio.ensure_future(waiting)
        task.add_done_callback(lambda _: self._ended.set())
        self._tasks.append(task)

    async def wait(self) -> None:
        """Return when the service shall end."""
        await self._ended.wait()
        for task in self._tasks:
            task.cancel()

    def _take(self, number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        self._loop.call_soon_threadsafe(self._ended.set)

    def _await_input(self) -> None:
        with contextlib.suppress(OSError):
            while os.read(sys.stdin.fileno(), 4096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(self._ended.set)


@contextlib.contextmanager
def limit_end(seconds: float) -> Generator[None]:
    """Leave the process, whatever still hangs, when its end takes too long; browsers and drivers end with it."""
    limit = threading.Timer(seconds, lambda: os._exit(1))
    limit.daemon = True
    limit.start()
    try:
        yield
    finally:
        limit.cancel()
