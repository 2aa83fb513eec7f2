"""Activity: when somebody last asked a service anything, so that one which nobody needs can end by itself."""

import asyncio
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send


class Activity:
    """Stands before an app and takes note of what comes and goes."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count.

        Args:
            clock: Seconds that only go forward.
        """
        self._app = app
        self._clock = clock
        self._open = 0
        self._last = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on; it is activity until it is over."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1
            self._last = self._clock()

    async def wait_idle(self, idle_s: float, is_busy: Callable[[], bool]) -> None:
        """Return when nobody has asked anything for some time, nobody waits for an answer, and nothing goes on."""
        left = idle_s
        while left > 0:
            await asyncio.sleep(left)
            left = idle_s - self._measure(is_busy)

    def _measure(self, is_busy: Callable[[], bool]) -> float:
        """Return for how long nothing has happened."""
        if self._open or is_busy():
            self._last = self._clock()
        return self._clock() - self._last
