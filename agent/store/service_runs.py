"""ServiceRuns: which runs a service took on, for whom and by which request id, and what came of them; beyond its own end.

What can't be read or kept is a ``RefusedError``: ``runs_unavailable``. Acts are guarded by the journal. This says which run a request id stands for, so that whoever asks again finds it.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from agent.store.seals import Seal
from agent.store.service_rows import RunRows
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass, field

Result = TypeVar("Result")


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
        self._rows = RunRows(folder, seal or Seal())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="service runs")
        self._writing: set[asyncio.Future[Any]] = set()

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
        """Keep that a run was taken on which nobody asks for by a request id; soon, and in order with all else."""
        self._later(lambda: self._rows.claim(_write(run), durable=False))

    async def begin_again(self, principal: str, run_id: str) -> None:
        """Keep that this process goes on with a run."""
        await self._do(lambda: self._rows.begin_again(principal, run_id))

    async def end(self, whose: tuple[str, str], short: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Keep what came of a run."""
        await self._do(lambda: self._rows.end(whose, short, record))

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
        if self._writing:
            await asyncio.wait(self._writing)
        if self._rows.is_closed:
            return
        await self._do(self._rows.close)
        self._thread.shutdown(wait=False)

    async def _do(self, work: Callable[[], Result]) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except (sqlite3.Error, OSError, ValueError, RuntimeError) as error:  # the last where it was closed meanwhile
            raise RefusedError(
                f"The list of the service's runs can't be used: {error}.",
                code="runs_unavailable",
                hint="Free disk space and check .surehand/service.sqlite. If it is damaged, move it away.",
            ) from error

    def _later(self, work: Callable[[], object]) -> None:
        task = asyncio.ensure_future(asyncio.get_running_loop().run_in_executor(self._thread, work))
        self._writing.add(task)
        task.add_done_callback(self._note_written)

    def _note_written(self, task: asyncio.Future[Any]) -> None:
        """Take note of a fault that nobody is left to hear: who asks for the run later is told that it is unknown."""
        self._writing.discard(task)
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
