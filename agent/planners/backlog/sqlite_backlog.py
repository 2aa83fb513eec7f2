"""SqliteBacklog: the backlog of a workspace, in ``planners.sqlite``, for several processes at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from actuators.platforms.device_thread import DeviceThread
from agent.planners.backlog.backlog_files import BacklogFiles
from agent.planners.backlog.backlog_rows import (
    add_item,
    flip_item,
    list_items,
    list_moves,
    list_runs,
    measure_coverage,
    put_checkpoint,
    put_run,
    read_checkpoint,
)
from agent.planners.backlog.database import BacklogDatabase
from agent.planners.backlog.kept_runs import bound_run
from agent.planners.backlog.sealed_rows import SealedRows
from agent.store.journal.writing import format_time, tell_time
from agent.store.seals import Seal
from core.base.scope_paths import ScopePath
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.planners.backlog_moves import check_item, copy_data, tell_move
from core.planning.planners.ports import BacklogItem, BacklogState, Clock, Transition
from core.planning.planners.results import KeptPlannerRun, PlannerResult, summarise_run

Result = TypeVar("Result")


class SqliteBacklog:
    """Keeps items, their moves, checkpoints and runs in a folder, as ``Backlog`` and ``PlannerRuns`` say.

    What was written is on the disk when a call returns. Rows that this person didn't write on this machine count for nothing.
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
            clock: Dates what is written; the machine's where absent.
            seal: Tells what the person wrote on this machine; their own where absent.
        """
        self._tell_time = clock.read_utc if clock else tell_time
        self._vault = vault
        files = BacklogFiles(folder.absolute(), seal or Seal())
        self._database = BacklogDatabase(files, clock=self._tell_time, wait_s=wait_s)
        self._thread = DeviceThread("backlog", end=self._database.close)

    async def list_items(self, scope: ScopePath, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """Return the items within a scope, the oldest first.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        return await self._read(lambda rows: list_items(rows, scope, state), [])

    async def add(self, scope: ScopePath, item: BacklogItem) -> None:
        """Add an item.

        Raises:
            GoalError: If there is one of that id, or its data is not JSON.
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        check_item(item)
        data = copy_data(item.data, f"backlog item “{item.item_id}”")
        kept = replace(item, title=self._vault.redact(item.title), data=self._vault.redact(data))
        await self._write(lambda rows: add_item(rows, scope, kept, self._read_time()))

    async def flip(self, scope: ScopePath, item_id: str, state: BacklogState, because: str) -> Transition:
        """Change an item's state.

        Raises:
            GoalError: If there is no such item, or it may not go there from where it is.
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        return await self._write(
            lambda rows: flip_item(
                rows, scope, item_id, lambda item: tell_move(item, state, because, self._read_time())
            )
        )

    async def list_transitions(self, scope: ScopePath, since: datetime | None = None) -> Sequence[Transition]:
        """Return what changed within a scope in the last 30 days, the oldest first.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        return await self._read(lambda rows: list_moves(rows, scope, _write_time(since)), [])

    async def keep_checkpoint(self, scope: ScopePath, plan_id: str, data: Mapping[str, Any]) -> None:
        """Keep where a plan stands, in place of what was kept of it before.

        Raises:
            GoalError: If the data is not JSON.
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        kept = self._vault.redact(copy_data(data, f"the checkpoint of plan “{plan_id}”"))
        await self._write(lambda rows: put_checkpoint(rows, scope, plan_id, kept, self._read_time()))

    async def read_checkpoint(self, scope: ScopePath, plan_id: str) -> Mapping[str, Any] | None:
        """Return where a plan stood; None where nothing is kept.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        return await self._read(lambda rows: read_checkpoint(rows, scope, plan_id), None)

    async def find_coverage(self, scope: ScopePath, plan_id: str) -> float:
        """Return the share of a plan's items that are done, from 0 to 1; 1 where it has none.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        return await self._read(lambda rows: measure_coverage(rows, scope, plan_id), 1.0)

    async def keep_run(self, result: PlannerResult, began_at: datetime) -> None:
        """Keep what came of a run, for 30 days; of long transcripts the beginning.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        run = bound_run(self._vault.redact(summarise_run(result, _write_time(began_at))))
        await self._write(lambda rows: put_run(rows, run))

    async def list_runs(self, scope: ScopePath, since: datetime | None = None) -> Sequence[KeptPlannerRun]:
        """Return the runs within a scope that began since, the oldest first.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        return await self._read(lambda rows: list_runs(rows, scope, _write_time(since)), [])

    async def find_faults(self) -> tuple[str, ...]:
        """Return what is wrong with the rows, in words; looks at every one.

        Raises:
            SchemaError: If the database is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        count = len(await self._read(SealedRows.list_foreign, []))
        rows = "1 row" if count == 1 else f"{count} rows"
        return (f"The backlog has {rows} that you did not write on this machine. They are not used.",) if count else ()

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of the backlog that was found here, once."""
        return self._database.take_notes()

    async def close(self) -> None:
        """Let go of the file and end the thread; calling it again does nothing."""
        await self._thread.close()

    async def _read(self, work: Callable[[SealedRows], Result], nothing: Result) -> Result:
        def read() -> Result:
            with self._database.reading() as rows:
                return nothing if rows is None else work(rows)

        return await self._thread.run(read, timeout_s=None)

    async def _write(self, work: Callable[[SealedRows], Result]) -> Result:
        def write() -> Result:
            with self._database.writing() as rows:
                return work(rows)

        return await self._thread.run(write, timeout_s=None)

    def _read_time(self) -> str:
        return format_time(self._tell_time())


def _write_time(moment: datetime | None) -> str:
    """Return a moment as rows have it; nothing, which sorts before every moment, for none."""
    return format_time(moment.astimezone(UTC)) if moment else ""
