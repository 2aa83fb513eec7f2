"""ServiceRuns: which runs a service took on, for whom and by which request id, and what came of them; beyond its own end.

What can't be read or kept is a ``RefusedError``: ``runs_unavailable``. Acts are guarded by the journal. This says which run a request id stands for, so that whoever asks again finds it.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agent.store.seals import Seal
from agent.store.service_rows import RunRows, write_end
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass, field

Result = TypeVar("Result")

_MOST_HERE = 64 * 1024
"""Bytes of a record that is written without a thread."""
_A_MOMENT_S = 0.03
"""A run that only reads has ended by then, as a rule, and is written once."""
_HERE_IN_A_ROW = 64
"""Writes without the thread before one with it, which also moves to its place what was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRun:
    """A run that a service took on.

    Attributes:
        request_id: What the principal calls it; may be empty.
        began_at: When it was taken on, in UTC.
        record: What came of it; None as long as nothing did.
    """

    run_id: str
    principal: str
    session: str
    request_id: str = ""
    order_digest: str = ""
    began_at: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict[str, Any])
    generation: int = 0
    record: Mapping[str, Any] | None = None
    is_alive: bool = False


class ServiceRuns:
    """Keeps runs in ``service.sqlite`` of a folder; nothing is made before the first one."""

    def __init__(self, folder: Path | None = None, seal: Seal | None = None) -> None:
        """Touch nothing yet.

        Args:
            folder: Where the file lies; made for the person's eyes only. Where absent, runs are known as long as the process lives.
            seal: Tells what the person wrote on this machine; their own where absent. What it doesn't prove counts for nothing.
        """
        own = seal or Seal()
        self._rows = RunRows(folder, own)
        self._here = RunRows(folder, own, waits=False) if folder else None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="service runs")
        self._asked: set[asyncio.Future[Any]] = set()
        self._row = 0
        self._noted: list[dict[str, Any]] = []

    async def claim(self, run: ServedRun) -> ServedRun | None:
        """Keep that a run was taken on; on the disk when this returns.

        Returns:
            The run that its request id stands for already, in place of it; None where this one is kept.

        Raises:
            RefusedError: ``runs_unavailable`` if that isn't certain.
        """
        found = await self._do(lambda: self._rows.claim(_write(run), durable=True))
        return _read(found) if found else None

    def note(self, run: ServedRun) -> None:
        """Keep that a run was taken on which nobody asks for by a request id; within a moment, and in order with all else.

        By then it waits for a step, as a rule, and nobody for this.
        """
        if not self._noted:
            asyncio.get_running_loop().call_later(_A_MOMENT_S, self._write_noted)
        self._noted.append(_write(run))

    def _write_noted(self) -> asyncio.Future[Any] | None:
        """Write the runs that were noted; return what to wait for where one has ended, and the thread writes it."""
        noted, self._noted, ending = self._noted, [], None
        for row in noted:
            work = partial(RunRows.claim, run=row, durable=False)
            if not self._write_here(work):
                asked = self._ask(partial(work, self._rows))
                asked.add_done_callback(_note_fault)
                ending = asked if "ended" in row else ending
        return ending

    async def begin_again(self, principal: str, run_id: str) -> None:
        """Keep that this process goes on with a run."""
        await self._do(lambda: self._rows.begin_again(principal, run_id))

    async def end(self, whose: tuple[str, str], short: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Keep what came of a run; together with its start, where that is not written yet."""
        ended = write_end(short, record)
        is_small = len(ended.record) <= _MOST_HERE
        noted = next((row for row in self._noted if (row["principal"], row["run_id"]) == whose), None)
        if noted and is_small:
            noted["ended"] = ended
        with _refusing():
            if ending := self._write_noted():
                await ending
        if noted and is_small:
            return
        if not (is_small and self._write_here(lambda rows: rows.end(whose, ended))):
            await self._do(lambda: self._rows.end(whose, ended))

    async def find(self, principal: str, run_id: str) -> ServedRun | None:
        """Return a principal's run, whole."""
        found = await self._do(lambda: self._rows.find(principal, run_id))
        return _read(found) if found else None

    async def list_of(
        self, principal: str, *, session: str = "", words: str = "", most: int = 50
    ) -> Sequence[ServedRun]:
        """Return a principal's runs, the latest first; their records are what lists tell."""
        found = await self._do(lambda: self._rows.list_of((principal, session), words.casefold().split(), most))
        return [_read(each) for each in found]

    async def close(self) -> None:
        """Write what waits and let go of the file; calling it again does nothing."""
        self._write_noted()
        if self._asked:
            await asyncio.wait(self._asked)
        if self._rows.is_closed:
            return
        if self._here:
            self._here.close()
        await self._do(self._rows.close)
        self._thread.shutdown(wait=False)

    def _write_here(self, work: Callable[[RunRows], object]) -> bool:
        """Write what needn't be on the disk, without a thread, where nothing has to be waited for; return whether it was.

        Handing it to a thread and hearing of it take several times as long as it does. What is already handed over comes first.
        """
        here, self._row = self._here, self._row + 1
        if here is None or not here.is_open or self._asked or self._row % _HERE_IN_A_ROW == 0:
            return False
        try:
            work(here)
        except (
            sqlite3.Error,
            OSError,
            ValueError,
        ):  # somebody else writes; what is wrong beside that, the thread meets and tells
            return False
        return True

    async def _do(self, work: Callable[[], Result]) -> Result:
        self._write_noted()
        with _refusing():
            return await self._ask(work)

    def _ask(self, work: Callable[[], Result]) -> asyncio.Future[Result]:
        """Let the thread do something, in order with all else."""
        asked = asyncio.get_running_loop().run_in_executor(self._thread, self._work, work)
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)
        return asked

    def _work(self, work: Callable[[], Result]) -> Result:
        result = work()
        if self._here and self._rows.is_open:
            with suppress(sqlite3.Error, OSError, ValueError):
                self._here.open()
        return result


@contextmanager
def _refusing() -> Generator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, ValueError, RuntimeError) as error:  # the last where it was closed meanwhile
        raise RefusedError(
            f"The list of the service's runs can't be used: {error}.",
            code="runs_unavailable",
            hint="Free disk space and check .surehand/service.sqlite. If it is damaged, move it away.",
        ) from error


def _note_fault(task: asyncio.Future[Any]) -> None:
    """Take note of a fault that nobody is left to hear: who asks for the run later is told that it is unknown."""
    if not task.cancelled():
        task.exception()


def _write(run: ServedRun) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "principal": run.principal,
        "session": run.session,
        "request_id": run.request_id,
        "order_digest": run.order_digest,
        "began_at": run.began_at,
        "asked": run.asked,
    }


def _read(row: Mapping[str, Any]) -> ServedRun:
    return ServedRun(**row)
