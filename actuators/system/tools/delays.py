"""Delays: acts that are put off for a while and can be called off until then."""

import asyncio

from actuators.deadlines import finish_within
from core.base.errors import ActionError


class Delays:
    """The acts of one kind that are waiting."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._waiting: set[asyncio.Event] = set()

    async def wait(self, delay_s: float) -> None:
        """Return after a delay.

        Raises:
            ActionError: ``called_off``.
        """
        if delay_s <= 0:
            return
        called_off = asyncio.Event()
        self._waiting.add(called_off)
        try:
            await finish_within(called_off.wait(), delay_s)
        except TimeoutError:
            return
        finally:
            self._waiting.discard(called_off)
        raise ActionError(f"{self._title} was cancelled.", code="called_off", hint="Order it again if you want it.")

    def call_off(self) -> int:
        """Call off all that is waiting; return how many that were."""
        count = len(self._waiting)
        for each in self._waiting:
            each.set()
        self._waiting.clear()
        return count
