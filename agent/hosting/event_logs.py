"""EventLog: the events of one run in order, for everybody who follows it, from wherever they were cut off."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from itertools import islice
from typing import Any

from agent.service.orders import EventRecord

MOST_EVENTS = 5000


class EventLog:
    """Keeps the last events of a run and tells them to followers; used on one event loop."""

    def __init__(self, first: int = 0, most: int = MOST_EVENTS) -> None:
        """Begin without events.

        Args:
            first: Number of the first event; above 0 where a run goes on that another process began.
            most: How many are kept; the oldest beyond go.
        """
        self._records: deque[EventRecord] = deque(maxlen=most)
        self._next = first
        self._ended = False
        self._changed = asyncio.Event()

    @property
    def last(self) -> int:
        """Number of the last event; one below the first where there is none."""
        return self._next - 1

    @property
    def is_ended(self) -> bool:
        """Whether nothing comes any more."""
        return self._ended

    def append(self, record: dict[str, Any]) -> EventRecord:
        """Take an event on, give it its number and wake whoever follows; return it."""
        record["seq"] = self._next
        self._next += 1
        self._records.append(record)
        self._wake()
        return record

    def end(self) -> None:
        """Say that nothing comes any more; whoever follows is let go when all is told."""
        self._ended = True
        self._wake()

    def read(self, after: int = -1) -> tuple[EventRecord, ...]:
        """Return the events behind a number that are kept."""
        return tuple(islice(self._records, max(0, after + 1 - (self._next - len(self._records))), None))

    async def follow(self, after: int = -1) -> AsyncGenerator[EventRecord, None]:
        """Yield the events behind a number, as they come, until there are no more.

        Args:
            after: Number of the last event that is known already.
        """
        while True:
            found = self.read(after)
            for record in found:
                after = record["seq"]
                yield record
            if not found and self._ended:
                return
            if not found:
                await self._changed.wait()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
