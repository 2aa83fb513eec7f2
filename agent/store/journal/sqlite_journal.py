"""SqliteJournal: the journal of a workspace, in one SQLite file."""

import asyncio
import itertools
import os
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from agent.store.journal.files import JournalFiles
from agent.store.journal.reading import check_standing, find_faults, list_runs, read_record
from agent.store.journal.rows import Mark
from agent.store.journal.writing import Clock, JournalWriter, PendingRow, RowWriting, prepare_row, tell_time
from agent.store.seals import Seal
from core.base.errors import JournalError, SurehandError
from core.journal.journal import JournalEntry, RunRecord
from core.journal.resume import OpenWork

_MOST_WAITING = 256
"""Rows in memory; more are written without being told to."""

_RIDE_S = 0.02
"""Seconds after which riders no longer wait for others: a person notices no such delay, and a step that acts follows sooner."""

_PATIENCE_S = 1.0
"""Seconds that a question is open before others may write: most that are answered by a rule or at once need not wait for them afterwards."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


class _SharedWriter:
    """The writer of a process for one journal, its thread, the journals that are open, and those whose runs go on."""

    def __init__(self, files: JournalFiles, clock: Clock) -> None:
        self.writer = JournalWriter(files, clock)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self.journals: set[object] = set()
        self.users: set[object] = set()


_GUARD = threading.Lock()
_WRITERS: dict[tuple[int, Path, Path], _SharedWriter] = {}


class _Riders:
    """Who waits until rows are on the disk that were written without a sync."""

    def __init__(self, sync: Callable[[], Awaitable[object]]) -> None:
        """Nobody waits yet.

        Args:
            sync: Brings all that was written to the disk, and tells it by `arrive`.
        """
        self._sync = sync
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._syncing: asyncio.Future[object] | None = None

    def __bool__(self) -> bool:
        """Tell whether anybody waits."""
        return bool(self._waiting)

    def take_up(self, ticket: int, doubts: int) -> asyncio.Future[None]:
        """Return what is done once the rows of a ticket are on the disk.

        Args:
            doubts: How often the writer had lost track of what is on the disk when it wrote them.
        """
        loop = asyncio.get_running_loop()
        rider: asyncio.Future[None] = loop.create_future()
        rider.add_done_callback(_forget)
        self._waiting.append((ticket, doubts, rider))
        if self._timer is None:
            self._timer = loop.call_later(_RIDE_S, self._give_up_waiting)
        return rider

    def arrive(self, ticket: int, doubts: int) -> None:
        """Tell all that were handed over before a ticket that they are on the disk, unless the writer lost track since."""
        for then, rider in self._take(ticket):
            if then == doubts:
                rider.set_result(None)
            else:
                rider.set_exception(JournalError("Whether this row reached the disk is unknown: a later write failed."))

    def fail(self, ticket: int, error: SurehandError) -> None:
        """Tell all that were handed over before a ticket why it isn't certain that they are on the disk."""
        for _, rider in self._take(ticket):
            rider.set_exception(error)

    def _take(self, ticket: int) -> list[tuple[int, asyncio.Future[None]]]:
        taken = [(doubts, rider) for number, doubts, rider in self._waiting if number < ticket]
        self._waiting = [each for each in self._waiting if each[0] >= ticket]
        if not self._waiting and self._timer:
            self._timer.cancel()
            self._timer = None
        return [
            (doubts, rider) for doubts, rider in taken if not rider.done()
        ]  # some may be waited for by nobody any more

    def _give_up_waiting(self) -> None:
        self._timer = None
        if self._waiting:
            self._syncing = asyncio.ensure_future(self._sync())
            self._syncing.add_done_callback(_forget)


class SqliteJournal:
    """Keeps rows in `journal.sqlite` of a folder, as `core.journal.journal.Journal` says.

    Journals of one process on one folder share the right to write. Reading needs no right, and makes nothing; it is a ``JournalError`` if the
    journal can't be read at all, and a ``SchemaError`` if it is of another version.
    """

    def __init__(
        self, folder: Path, *, wait_s: float = 10.0, clock: Clock = tell_time, seal: Seal | None = None
    ) -> None:
        """Touch nothing yet.

        Args:
            folder: Where its files lie; made with the first row, for the user's eyes only.
            clock: The wall clock; rows are stamped with it, and runs forgotten by it after 30 days.
            seal: Tells what the person wrote on this machine; their own where absent.
        """
        self._files = JournalFiles(folder.resolve(), seal or Seal())
        self._wait_s = wait_s
        self._clock = clock
        self._shared: _SharedWriter | None = None
        self._waiting: deque[tuple[int, PendingRow]] = deque()
        self._tickets = itertools.count()
        self._known: set[str] = set()
        self._riders = _Riders(lambda: self.append([]))
        self._work = OpenWork()
        self._left: dict[str, Mark] = {}
        self._lending: asyncio.Future[None] | None = None
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="journal-reading")
        self._closed = False

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Write rows in order, all or none; cancelling leaves no half of them, and ends waiting for another process.

        Args:
            durable: Whether they, and all that were handed over before, must be on the disk when this returns.

        Raises:
            JournalError: If that isn't certain, or the run's rows are damaged: no act may follow.
            SchemaError: If the journal is of another version.
        """
        rows = self._prepare(entries)
        if not rows and not (durable and self._shared):
            return
        ticket = next(self._tickets)
        # A run's first rows are written at once, since only then is it known whether the run can be gone on with.
        if not durable and len(self._waiting) < _MOST_WAITING and self._known.issuperset(row.run_id for row in rows):
            self._waiting.extend((ticket, row) for row in rows)
            return
        try:
            doubts = await self._put(ticket, rows, synced=durable)
        except SurehandError as error:
            self._riders.fail(ticket, error)
            raise
        if durable:
            self._riders.arrive(ticket, doubts)

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        """Write rows, and all that were handed over before, so that they outlive the process.

        Returns:
            What is done once they are on the disk: with the next rows that must be, or 20 ms later.

        Raises:
            JournalError: If they can't be written, or the run's rows are damaged.
            SchemaError: If the journal is of another version.
        """
        rows, ticket = self._prepare(entries), next(self._tickets)
        return self._riders.take_up(ticket, await self._put(ticket, rows, synced=False))

    async def read(self, run_id: str) -> RunRecord:
        """Return the rows of a run that are on the disk, each of them verified; empty where it isn't known."""
        return await self._look(read_record, self._files, run_id)

    async def list_runs(self) -> tuple[str, ...]:
        """Return the ids of all runs, the latest begun first."""
        return await self._look(list_runs, self._files)

    async def check(self) -> tuple[str, ...]:
        """Return what the person should know before anything is done with the journal: that it is another's, or gone."""
        return await self._look(check_standing, self._files)

    async def find_faults(self) -> tuple[str, ...]:
        """Return what is wrong with the journal as a whole and with its runs, in words; looks at every row."""
        return await self._look(find_faults, self._files)

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of the journal that was found here, once."""
        return self._shared.writer.take_notes() if self._shared else ()

    @contextmanager
    def lend(self, run_id: str) -> Generator[None]:
        """Let other processes write while a run waits for a person, as long as nothing else goes on here.

        The next `append` takes the right again, and is refused (`journal_lost`) if another process went on with the run.
        """
        question, questions = object(), self._work.questions

        def note() -> None:
            questions[question] = run_id
            self._lend_if_idle()

        timer = asyncio.get_running_loop().call_later(_PATIENCE_S, note)
        try:
            yield
        finally:
            timer.cancel()
            questions.pop(question, None)

    def _lend_if_idle(self) -> None:
        if self._shared and self._work.only_asks and (self._lending is None or self._lending.done()):
            self._lending = asyncio.ensure_future(self._lend())

    async def _lend(self) -> None:
        with suppress(SurehandError):  # the next row meets the same, and tells it
            await self.append([])
            asking = set(self._work.questions.values())
            if self._shared and self._work.only_asks and len(self._shared.writer.find_ends(asking)) == len(asking):
                await self.release()

    async def release(self) -> None:
        """Let another process write, once all that was handed over is written so that it outlives this one.

        Raises:
            JournalError: If it can't be written; the right is let go all the same.
            SchemaError: If the journal is of another version.
        """
        self._work.forget_ended()
        self._known.clear()
        if self._shared and self in self._shared.users:
            await self._end_use(self._shared, is_last=False)

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
            if self._shared:
                await self._end_use(self._shared, is_last=True)
        finally:
            if self._lending:
                await asyncio.wait({self._lending})
            self._reader.shutdown(wait=False)

    async def _end_use(self, shared: _SharedWriter, *, is_last: bool) -> None:
        """Write what waits and let go of the right; what somebody waits for, or is closed, is on the disk then."""
        ticket, asking = next(self._tickets), tuple(self._work.questions.values())
        how = RowWriting(self._wait_s, synced=is_last or bool(self._riders))
        try:
            doubts = await _finish(shared.thread, lambda: self._leave(shared, asking, how, is_last=is_last))
        except SurehandError as error:
            self._riders.fail(ticket, error)
            raise
        if how.synced:
            self._riders.arrive(ticket, doubts)

    def _prepare(self, entries: Sequence[JournalEntry]) -> list[PendingRow]:
        if self._closed:
            raise JournalError("The journal was closed.")
        rows = [prepare_row(entry, self._clock) for entry in entries]
        self._work.note(entries)
        self._lend_if_idle()  # its turn comes after these rows are handed over
        return rows

    async def _put(self, ticket: int, rows: Sequence[PendingRow], *, synced: bool = True) -> int:
        """Write rows in the writer's thread; return how often it has lost track of what is on the disk."""
        shared, given_up = self._join(), threading.Event()
        how = RowWriting(self._wait_s, given_up.is_set, synced, self._left)
        try:
            doubts = await asyncio.get_running_loop().run_in_executor(
                shared.thread, self._write, shared, ticket, rows, how
            )
        finally:
            given_up.set()
        self._known.update(row.run_id for row in rows)
        return doubts

    async def _look(self, work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
        if self._closed:
            raise JournalError("The journal was closed.")
        return await asyncio.get_running_loop().run_in_executor(self._reader, lambda: work(*args, **kwargs))

    def _join(self) -> _SharedWriter:
        with _GUARD:
            if self._shared is None:
                key = (os.getpid(), self._files.folder, self._files.seal.file)
                self._shared = _WRITERS.setdefault(key, _SharedWriter(self._files, self._clock))
                self._shared.journals.add(self)
            self._shared.users.add(self)
            return self._shared

    def _write(self, shared: _SharedWriter, ticket: int, rows: Sequence[PendingRow], how: RowWriting) -> int:
        """Write what was handed over before, then these; in the writer's thread. Return how often it has lost track."""
        before = [row for number, row in tuple(self._waiting) if number < ticket]
        shared.writer.append([*before, *rows], how)
        for row in rows:
            self._left.pop(row.run_id, None)
        for _ in before:
            self._waiting.popleft()
        return shared.writer.doubts

    def _leave(self, shared: _SharedWriter, asking: Sequence[str], how: RowWriting, *, is_last: bool) -> int:
        """Write what waits, and let go of what nobody uses any more; in the writer's thread. Return as `_write` does."""
        try:
            is_used = self in shared.users  # else it was let go before, with all that waited
            return self._write(shared, next(self._tickets), (), how) if is_used else shared.writer.doubts
        finally:
            ends = shared.writer.find_ends(asking)  # where that isn't certain any more, nothing goes on
            self._left |= {run_id: ends.get(run_id, Mark(run_id, -2)) for run_id in asking}
            self._waiting.clear()
            with _GUARD:
                shared.users.discard(self)
                shared.journals.difference_update({self} if is_last else ())
                is_unused, is_idle = not shared.journals, not shared.users
                for key in [key for key, each in _WRITERS.items() if each is shared and is_unused]:
                    del _WRITERS[key]
            if is_unused:
                shared.writer.let_go()
                shared.thread.shutdown(wait=False)
            elif is_idle:
                shared.writer.rest()


async def _finish(thread: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
    """Do something in a thread to its end, also when nobody waits for it any more."""
    future = asyncio.get_running_loop().run_in_executor(thread, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        future.add_done_callback(_forget)
        raise


def _forget(future: asyncio.Future[Any]) -> None:
    """Take note of an error that nobody is left to hear."""
    if not future.cancelled():
        future.exception()
