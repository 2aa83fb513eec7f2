"""Journal: what is going to be done and what came of it, written down so that it outlives the process.

    planned ─► approved ─► intent ─► done | failed | unknown ─► resolved
                             │
                the act begins only once this row is on the disk

A row of a run itself (``begun``, ``ended``) has no action. After a crash, an ``intent`` without an outcome is unknown.

Theory. An act and its row can't be one: a crash may fall between them. So the row comes first and is on the disk before the act
begins, and what was written decides afterwards:

- no ``intent``: the act never began. It is done now.
- ``intent`` and an outcome: the act ended. It is never done again.
- ``intent`` alone: nobody saw the end. The rule of the verb says what tells: it may be repeated (``repeat``), the world is compared
  with what was expected (``compare``), or a person is asked (``ask``). Nothing is guessed.

Rows are chained by checksums within a run, and each writer has an epoch: a process that lost the right to write can't, and a row that
was changed, dropped or added makes the run one that is never gone on with.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, Protocol

from core.base.late_dataclasses import dataclass, field

RowState = Literal[
    "begun", "planned", "approved", "intent", "done", "failed", "unknown", "resolved", "undone", "ended", "resumed"
]


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A row before it is written; the action is empty for the run as a whole, the body JSON-compatible and without secrets."""

    run_id: str
    action_id: str
    state: RowState
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it was read, with its checksum and chain found right.

    Attributes:
        epoch: Which writer wrote it; grows with every process that takes the journal over.
        at: When, by the wall clock in UTC (ISO 8601); for people only, since clocks jump.
    """

    entry: JournalEntry
    position: int
    epoch: int
    at: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the journal holds of one run, up to the first bad row; a run with damage, told in words, is never gone on with."""

    run_id: str
    rows: tuple[Row, ...] = ()
    damage: tuple[str, ...] = ()


class Journal(Protocol):
    """Keeps rows. One process at a time writes; whoever lost that right can't write any more."""

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Write rows in order, all or none.

        Args:
            entries: The rows; without any, what was handed over before is brought to the disk.
            durable: Whether they, and all that were handed over before, must be on the disk when this returns;
                otherwise they may wait for the next that must.

        Raises:
            JournalError: If that isn't certain: no act may follow.
        """
        ...

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        """Write rows so that they outlive the process, and return what is done once they are on the disk.

        They get there with the next rows that must be, or a moment later. Until then nobody may be told what they say.

        Raises:
            JournalError: If they can't be written.
        """
        ...

    async def read(self, run_id: str) -> RunRecord:
        """Return the rows of a run, each of them verified; empty where it isn't known.

        Raises:
            JournalError: If the journal can't be read at all.
        """
        ...

    async def list_runs(self) -> tuple[str, ...]:
        """Return the ids of all runs, the latest first.

        Raises:
            JournalError: If the journal can't be read at all.
        """
        ...

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of what was found where the rows are kept, once."""
        ...

    def lend(self, run_id: str) -> AbstractContextManager[None]:
        """Let another process write while a run waits for a person; the next ``append`` is refused if the run went on there."""
        ...

    async def release(self) -> None:
        """Let another process write, once all that was handed over is written; the next ``append`` takes the right again."""
        ...

    async def close(self) -> None:
        """Write what waits and let go of the file; calling it again does nothing."""
        ...


class NoJournal:
    """Keeps nothing: for plans, simulations, and machines that a crash leaves nothing of."""

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Drop the rows."""
        del entries, durable

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        """Append the rows at once."""
        await self.append(entries)
        arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        arrived.set_result(None)
        return arrived

    async def read(self, run_id: str) -> RunRecord:
        """Return nothing."""
        return RunRecord(run_id)

    async def list_runs(self) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def take_notes(self) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def lend(self, run_id: str) -> AbstractContextManager[None]:
        """Do nothing."""
        del run_id
        return nullcontext()

    async def release(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


NO_JOURNAL = NoJournal()
