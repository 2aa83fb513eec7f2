"""SqliteBacklog: the backlog of a workspace, in ``planners.sqlite``, for several processes at once."""

from collections.abc import Callable
from pathlib import Path

from actuators.platforms.device_thread import DeviceThread
from agent.planners.backlog.backlog_rows import BacklogRows, Result, RowBacklog
from agent.planners.backlog.database import BacklogDatabase, BacklogFiles
from agent.planners.backlog.sealed_rows import SealedRows
from agent.store.seals import Seal
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.planners.ports import Clock


class SqliteBacklog(RowBacklog):
    """Keeps items, their moves, checkpoints and runs in a folder.

    What was written is on the disk when a call returns. Rows that this person didn't write on this machine count for nothing.
    Every call may raise a SchemaError where the database is of another version, or damaged, and an ActionError,
    ``backlog_busy`` or ``backlog_unavailable``.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock: Clock | None = None,
        vault: Vault = NO_VAULT,
        wait_s: float = 10.0,
        seal: Seal | None = None,
    ) -> None:
        """Touch nothing yet.

        Args:
            folder: Where its files lie; made with the first row, for the user's eyes only.
            seal: Tells what the person wrote on this machine; their own where absent.
        """
        super().__init__(clock, vault)
        files = BacklogFiles(folder.absolute(), seal or Seal())
        self._database = BacklogDatabase(files, clock=self._tell_time, wait_s=wait_s)
        self._thread = DeviceThread("backlog", end=self._database.close)

    async def find_faults(self) -> tuple[str, ...]:
        """Return what is wrong with the rows, in words; looks at every one."""
        count = len(await self._read_sealed(SealedRows.list_foreign, []))
        rows = "1 row" if count == 1 else f"{count} rows"
        return (f"The backlog has {rows} that you did not write on this machine. They are not used.",) if count else ()

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of the backlog that was found here, once."""
        return self._database.take_notes()

    async def close(self) -> None:
        """Let go of the file and end the thread; calling it again does nothing."""
        await self._thread.close()

    async def _read(self, work: Callable[[BacklogRows], Result], nothing: Result) -> Result:
        return await self._read_sealed(work, nothing)

    async def _read_sealed(self, work: Callable[[SealedRows], Result], nothing: Result) -> Result:
        def read() -> Result:
            with self._database.reading() as rows:
                return nothing if rows is None else work(rows)

        return await self._thread.run(read, timeout_s=None)

    async def _write(self, work: Callable[[BacklogRows], Result]) -> Result:
        def write() -> Result:
            with self._database.writing() as rows:
                return work(rows)

        return await self._thread.run(write, timeout_s=None)
