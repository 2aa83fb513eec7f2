"""RowBacklog: items, moves, checkpoints and runs as rows, wherever these are kept."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from agent.store.journal.writing import format_time, tell_time
from core.base.late_dataclasses import dataclass, replace
from core.base.phrases import cut_text
from core.base.scope_paths import ScopePath
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.planners.backlog_moves import (
    check_item,
    copy_data,
    name_scopes_around,
    refuse_ambiguous,
    refuse_taken,
    refuse_unknown,
    tell_beginning,
    tell_move,
)
from core.planning.planners.ports import BacklogItem, BacklogState, Clock, Transition
from core.planning.planners.results import KeptPlannerRun, PlannerResult, summarise_run
from core.planning.planners.transcripts import TranscriptEntry
from core.results.records import from_data, to_data

Result = TypeVar("Result")
Kind = TypeVar("Kind")

LONGEST_TEXT = 2000
MOST_ENTRIES = 200


@dataclass(frozen=True, slots=True)
class BacklogRow:
    """A row: its number, the order of which is that of its beginning, and its columns."""

    seq: int
    values: Mapping[str, str]

    def read(self, kind: type[Kind]) -> Kind:
        """Return what its body says."""
        return from_data(kind, json.loads(self.values["body"]))


class BacklogRows(Protocol):
    """Rows by table."""

    def select(self, table: str, *, within: str = "", since: str = "", **equal: str) -> list[BacklogRow]:
        """Return rows of a table, the oldest first.

        Args:
            within: A scope, written out, that theirs is or lies within; empty for any.
            since: The moment from which on they are told of; empty for all.
            **equal: Columns with the values that they have.
        """
        ...

    def put(self, table: str, values: Mapping[str, str], seq: int | None = None) -> None:
        """Write a row, in the place of one of the same number or the same unique columns."""
        ...


class RowBacklog(ABC):
    """``Backlog`` and ``PlannerRuns`` over rows; ``data`` that is not JSON is a GoalError."""

    def __init__(self, clock: Clock | None = None, vault: Vault = NO_VAULT) -> None:
        self._tell_time = clock.read_utc if clock else tell_time
        self._vault = vault

    @abstractmethod
    async def _read(self, work: Callable[[BacklogRows], Result], nothing: Result) -> Result:
        """Return what comes of reading the rows; ``nothing`` where there are none."""

    @abstractmethod
    async def _write(self, work: Callable[[BacklogRows], Result]) -> Result:
        """Return what comes of writing rows: all of it or nothing."""

    async def list_items(self, scope: ScopePath, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """Return the items within a scope, the oldest first."""
        stands = {"state": state} if state else {}

        def read(rows: BacklogRows) -> list[BacklogItem]:
            return [row.read(BacklogItem) for row in rows.select("items", within=str(scope), **stands)]

        return await self._read(read, [])

    async def add(self, scope: ScopePath, item: BacklogItem) -> None:
        """Add an item."""
        check_item(item)
        data = copy_data(item.data, f"backlog item “{item.item_id}”")
        kept = replace(item, scope=str(scope), title=self._vault.redact(item.title), data=self._vault.redact(data))

        def write(rows: BacklogRows) -> None:
            if rows.select("items", scope=kept.scope, item_id=item.item_id):
                raise refuse_taken(item, scope)
            added = replace(kept, changed_at=self._read_time())
            _put_item(rows, added)
            _put_move(rows, tell_beginning(added))

        await self._write(write)

    async def flip(self, scope: ScopePath, item_id: str, state: BacklogState, because: str) -> Transition:
        """Change an item's state."""

        def write(rows: BacklogRows) -> Transition:
            row = _find_item(rows, scope, item_id)
            item = row.read(BacklogItem)
            move = tell_move(item, state, because, self._read_time())
            _put_item(rows, replace(item, state=move.after, changed_at=move.at), row.seq)
            _put_move(rows, move)
            return move

        return await self._write(write)

    async def list_transitions(self, scope: ScopePath, since: datetime | None = None) -> Sequence[Transition]:
        """Return what changed within a scope in the last 30 days, the oldest first."""

        def read(rows: BacklogRows) -> list[Transition]:
            found = rows.select("transitions", within=str(scope), since=_write_time(since))
            return [row.read(Transition) for row in found]

        return await self._read(read, [])

    async def keep_checkpoint(self, scope: ScopePath, plan_id: str, data: Mapping[str, Any]) -> None:
        """Keep where a plan stands, in place of what was kept of it before."""
        body = json.dumps(self._vault.redact(copy_data(data, f"the checkpoint of plan “{plan_id}”")))
        values = {"scope": str(scope), "plan_id": plan_id, "body": body}
        await self._write(lambda rows: rows.put("checkpoints", {**values, "at": self._read_time()}))

    async def read_checkpoint(self, scope: ScopePath, plan_id: str) -> Mapping[str, Any] | None:
        """Return where a plan stood, as the nearest scope around knows; None where none does."""

        def read(rows: BacklogRows) -> Mapping[str, Any] | None:
            found = (rows.select("checkpoints", scope=each, plan_id=plan_id) for each in name_scopes_around(scope))
            return next((json.loads(kept[0].values["body"]) for kept in found if kept), None)

        return await self._read(read, None)

    async def find_coverage(self, scope: ScopePath, plan_id: str) -> float:
        """Return the share of a plan's items that are done: those within a scope, or else those of the nearest one around."""

        def read(rows: BacklogRows) -> float:
            found = rows.select("items", within=str(scope), plan_id=plan_id)
            for around in name_scopes_around(scope)[1:]:
                found = found or rows.select("items", scope=around, plan_id=plan_id)
            return sum(row.values["state"] == "done" for row in found) / len(found) if found else 1.0

        return await self._read(read, 1.0)

    async def keep_run(self, result: PlannerResult, began_at: datetime) -> None:
        """Keep what came of a run, for 30 days; of long transcripts the beginning."""
        run = _bound_run(self._vault.redact(summarise_run(result, _write_time(began_at))))
        columns = {"scope": run.scope, "planner_id": run.planner_id, "began_at": run.began_at}
        values = {**columns, "body": json.dumps(to_data(run))}
        await self._write(lambda rows: rows.put("runs", values))

    async def list_runs(self, scope: ScopePath, since: datetime | None = None) -> Sequence[KeptPlannerRun]:
        """Return the runs within a scope that began since, the oldest first."""

        def read(rows: BacklogRows) -> list[KeptPlannerRun]:
            return [
                row.read(KeptPlannerRun) for row in rows.select("runs", within=str(scope), since=_write_time(since))
            ]

        return await self._read(read, [])

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of the backlog that was found here, once."""
        return ()

    @abstractmethod
    async def close(self) -> None:
        """Let go of what it is kept in; calling it again does nothing."""

    def _read_time(self) -> str:
        return format_time(self._tell_time())


def _write_time(moment: datetime | None) -> str:
    """Return a moment as rows have it; nothing, which sorts before every moment, for none."""
    return format_time(moment.astimezone(UTC)) if moment else ""


def _find_item(rows: BacklogRows, scope: ScopePath, item_id: str) -> BacklogRow:
    for around in name_scopes_around(scope):
        if found := rows.select("items", scope=around, item_id=item_id):
            return found[0]
    within = rows.select("items", within=str(scope), item_id=item_id)
    if len(within) > 1:
        raise refuse_ambiguous(item_id, [row.values["scope"] for row in within])
    if not within:
        raise refuse_unknown(item_id, scope)
    return within[0]


def _put_item(rows: BacklogRows, item: BacklogItem, seq: int | None = None) -> None:
    columns = {"scope": item.scope, "item_id": item.item_id, "plan_id": item.plan_id, "state": item.state}
    rows.put("items", {**columns, "body": json.dumps(to_data(item))}, seq)


def _put_move(rows: BacklogRows, move: Transition) -> None:
    columns = {"scope": move.scope, "item_id": move.item_id, "at": move.at}
    rows.put("transitions", {**columns, "body": json.dumps(to_data(move))})


def _bound_run(run: KeptPlannerRun) -> KeptPlannerRun:
    """Return a run with so much of its transcript that one sees why it failed, and no more than a screenful of each thing."""
    kept, _ = _bound_entries(run.transcript, MOST_ENTRIES)
    count = _count(run.transcript)
    told = (f"Of {count} entries of the transcript the first {MOST_ENTRIES} were saved.",) * (count > MOST_ENTRIES)
    return replace(run, transcript=kept, diagnostics=(*run.diagnostics, *told))


def _count(entries: tuple[TranscriptEntry, ...]) -> int:
    return sum(1 + _count(entry.inner) for entry in entries)


def _bound_entries(entries: tuple[TranscriptEntry, ...], most: int) -> tuple[tuple[TranscriptEntry, ...], int]:
    kept: list[TranscriptEntry] = []
    for entry in entries:
        if most <= 0:
            break
        inner, most = _bound_entries(entry.inner, most - 1)
        kept.append(replace(entry, text=cut_text(entry.text, LONGEST_TEXT), inner=inner))
    return tuple(kept), most
