"""SqliteJournal: the journal of a workspace, in one SQLite file."""

import asyncio
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

from agent.store.journal_files import JournalFiles
from agent.store.journal_reading import check_standing, find_faults, list_runs, read_record
from agent.store.journal_writing import Clock, JournalWriter, PendingRow, prepare_row, tell_time
from agent.store.seals import Seal
from core.base.errors import JournalError
from core.journal.journal import JournalEntry, RunRecord

_MOST_WAITING = 256
"""Rows in memory; more are written without being told to."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


class _SharedWriter:
    """The writer of a process for one journal, its thread, and who uses it."""

    def __init__(self, files: JournalFiles, clock: Clock) -> None:
        self.writer = JournalWriter(files, clock)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self.users: set[object] = set()


_GUARD = threading.Lock()
_WRITERS: dict[tuple[int, Path, Path], _SharedWriter] = {}


class SqliteJournal:
    """Keeps rows in `journal.sqlite` of a folder, as `core.journal.journal.Journal` says.

    Journals of one process on one folder share the right to write. Reading needs no right, and makes nothing.
    """

    def __init__(
        self, folder: Path, *, wait_s: float = 10.0, clock: Clock = tell_time, seal: Seal | None = None
    ) -> None:
        """Touch nothing yet.

        Args:
            folder: Where its files lie; made with the first row, for the user's eyes only.
            wait_s: Seconds to wait for another process that writes.
            clock: The wall clock; rows are stamped with it, and runs forgotten by it after 30 days.
            seal: Tells what the person wrote on this machine; their own where absent.
        """
        self._files = JournalFiles(folder.resolve(), seal or Seal())
        self._wait_s = wait_s
        self._clock = clock
        self._shared: tuple[_SharedWriter, object] | None = None
        self._waiting: deque[tuple[int, PendingRow]] = deque()
        self._tickets = itertools.count()
        self._known: set[str] = set()
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="journal-reading")
        self._closed = False

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Write rows in order, all or none; cancelling leaves no half of them, and ends waiting for another process.

        Args:
            entries: The rows.
            durable: Whether they, and all that were handed over before, must be on the disk when this returns.

        Raises:
            JournalError: If that isn't certain, or the run's rows are damaged: no act may follow.
            SchemaError: If the journal is of another version.
        """
        if self._closed:
            raise JournalError("The journal was closed.")
        rows = [prepare_row(entry, self._clock) for entry in entries]
        if not rows:
            return
        ticket = next(self._tickets)
        # A run's first rows are written at once, since only then is it known whether the run can be gone on with.
        if not durable and len(self._waiting) < _MOST_WAITING and self._known.issuperset(row.run_id for row in rows):
            self._waiting.extend((ticket, row) for row in rows)
            return
        shared, given_up = self._join(), threading.Event()
        try:
            await asyncio.get_running_loop().run_in_executor(
                shared.thread, self._write, shared, ticket, rows, given_up.is_set
            )
        finally:
            given_up.set()
        self._known.update(row.run_id for row in rows)

    async def read(self, run_id: str) -> RunRecord:
        """Return the rows of a run that are on the disk, each of them verified; empty where it isn't known.

        Raises:
            JournalError: If the journal can't be read at all.
            SchemaError: If it is of another version.
        """
        return await self._look(read_record, self._files, run_id)

    async def list_runs(self) -> tuple[str, ...]:
        """Return the ids of all runs, the latest begun first.

        Raises:
            JournalError: If the journal can't be read at all.
            SchemaError: If it is of another version.
        """
        return await self._look(list_runs, self._files)

    async def check(self) -> tuple[str, ...]:
        """Return what the person should know before anything is done with the journal: that it is another's, or gone.

        Raises:
            JournalError: If the journal can't be read at all.
            SchemaError: If it is of another version.
        """
        return await self._look(check_standing, self._files)

    async def find_faults(self) -> tuple[str, ...]:
        """Return what is wrong with the journal as a whole and with its runs, in words; looks at every row.

        Raises:
            JournalError: If the journal can't be read at all.
            SchemaError: If it is of another version.
        """
        return await self._look(find_faults, self._files)

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of the journal that was found here, once."""
        return self._shared[0].writer.take_notes() if self._shared else ()

    async def release(self) -> None:
        """Let another process write, once all that was handed over is written.

        Raises:
            JournalError: If it can't be written; the right is let go all the same.
            SchemaError: If the journal is of another version.
        """
        shared, self._shared = self._shared, None
        if shared is None:
            return
        self._known.clear()
        await _finish(shared[0].thread, self._leave, *shared)

    async def close(self) -> None:
        """Write what waits and let go of the file; calling it again does nothing.

        Raises:
            JournalError: If it can't be written; it is closed all the same.
            SchemaError: If the journal is of another version.
        """
        if self._closed:
            return
        self._closed = True
        try:
            await self.release()
        finally:
            self._reader.shutdown(wait=False)

    async def _look(self, work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
        if self._closed:
            raise JournalError("The journal was closed.")
        return await asyncio.get_running_loop().run_in_executor(self._reader, lambda: work(*args, **kwargs))

    def _join(self) -> _SharedWriter:
        if self._shared is None:
            token = object()
            key = (os.getpid(), self._files.folder, self._files.seal.file)
            with _GUARD:
                shared = _WRITERS.setdefault(key, _SharedWriter(self._files, self._clock))
                shared.users.add(token)
            self._shared = (shared, token)
        return self._shared[0]

    def _write(
        self,
        shared: _SharedWriter,
        ticket: int,
        rows: Sequence[PendingRow],
        is_given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Write what was handed over before, then these; in the writer's thread."""
        before = [row for number, row in tuple(self._waiting) if number < ticket]
        shared.writer.append([*before, *rows], self._wait_s, is_given_up)
        for _ in before:
            self._waiting.popleft()

    def _leave(self, shared: _SharedWriter, token: object) -> None:
        """Write what waits, and let go of what nobody uses any more; in the writer's thread."""
        try:
            if self._waiting:
                self._write(shared, next(self._tickets), ())
        finally:
            self._waiting.clear()
            with _GUARD:
                shared.users.discard(token)
                is_last = not shared.users
                if is_last:
                    for key in [key for key, each in _WRITERS.items() if each is shared]:
                        del _WRITERS[key]
            if is_last:
                shared.writer.let_go()
                shared.thread.shutdown(wait=False)


async def _finish(thread: ThreadPoolExecutor, work: Callable[..., None], *args: object) -> None:
    """Do something in a thread to its end, also when nobody waits for it any more."""
    future = asyncio.get_running_loop().run_in_executor(thread, work, *args)
    try:
        await asyncio.shield(future)
    except asyncio.CancelledError:
        future.add_done_callback(_forget)
        raise


def _forget(future: asyncio.Future[None]) -> None:
    """Take note of an error that nobody is left to hear."""
    if not future.cancelled():
        future.exception()
