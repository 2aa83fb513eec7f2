"""WatchedJournal: a journal that tells what was written to it."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager

from agent.telemetry.observing import Telemetry
from core.base.errors import JournalError
from core.journal.journal import Journal, JournalEntry, RunRecord


class WatchedJournal:
    """Passes everything on to another journal."""

    def __init__(self, journal: Journal, telemetry: Telemetry) -> None:
        self._journal = journal
        self._telemetry = telemetry

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Write rows in order, all or none; as ``Journal.append``."""
        try:
            await self._journal.append(entries, durable=durable)
        except JournalError as error:
            self._telemetry.note_rows(entries, error.info().code)
            raise
        self._telemetry.note_rows(entries, "")

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        """Write rows that reach the disk with the next that must be there; as ``Journal.ride``."""
        try:
            riding = await self._journal.ride(entries)
        except JournalError as error:
            self._telemetry.note_rows(entries, error.info().code)
            raise
        self._telemetry.note_rows(entries, "")
        return riding

    async def read(self, run_id: str) -> RunRecord:
        """Return the rows of a run."""
        return await self._journal.read(run_id)

    async def list_runs(self) -> tuple[str, ...]:
        """Return the ids of all runs, the latest first."""
        return await self._journal.list_runs()

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of what was found, once."""
        return self._journal.take_notes()

    def lend(self, run_id: str) -> AbstractContextManager[None]:
        """Let another process write for as long as a run waits for a person."""
        return self._journal.lend(run_id)

    async def release(self) -> None:
        """Let another process write."""
        await self._journal.release()

    async def close(self) -> None:
        """Write what waits and let go of the file."""
        await self._journal.close()
