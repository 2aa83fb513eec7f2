"""SystemClock: the time of this machine."""

import asyncio
import time
from datetime import UTC, datetime


class SystemClock:
    """Tells the time of this machine, and waits by it."""

    def read_monotonic_s(self) -> float:
        """Return seconds that only ever grow."""
        return time.monotonic()

    def read_utc(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return datetime.now(UTC)

    async def sleep(self, delay_s: float) -> None:
        """Return after so many seconds."""
        await asyncio.sleep(delay_s)


SYSTEM_CLOCK = SystemClock()
