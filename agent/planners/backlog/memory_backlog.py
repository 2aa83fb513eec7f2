"""MemoryBacklog: a backlog that ends with its process, for tests and simulated machines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agent.planners.backlog.kept_runs import bound_run
from agent.store.journal.writing import format_time, tell_time
from core.base.scope_paths import ScopePath
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

_Key = tuple[str, str]


class MemoryBacklog:
    """Does what ``SqliteBacklog`` does, for one process."""

    def __init__(self, clock: Clock | None = None) -> None:
        """Begin empty.

        Args:
            clock: Dates what is written; the machine's where absent.
        """
        self._tell_time = clock.read_utc if clock else tell_time
        self._items: dict[_Key, BacklogItem] = {}
        self._transitions: list[Transition] = []
        self._checkpoints: dict[_Key, Mapping[str, Any]] = {}
        self._runs: list[KeptPlannerRun] = []

    async def list_items(self, scope: ScopePath, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """Return the items within a scope, the oldest first."""
        found = (item for item in self._items.values() if _is_within(item.scope, scope))
        return [item for item in found if state in {None, item.state}]

    async def add(self, scope: ScopePath, item: BacklogItem) -> None:
        """Add an item.

        Raises:
            GoalError: If there is one of that id, or its data is not JSON.
        """
        check_item(item)
        key = (str(scope), item.item_id)
        data = copy_data(item.data, f"backlog item “{item.item_id}”")
        if key in self._items:
            raise refuse_taken(item, scope)
        kept = replace(item, scope=str(scope), changed_at=format_time(self._tell_time()), data=data)
        self._items[key] = kept
        self._transitions.append(tell_beginning(kept))

    async def flip(self, scope: ScopePath, item_id: str, state: BacklogState, because: str) -> Transition:
        """Change an item's state.

        Raises:
            GoalError: If there is no such item, or it may not go there from where it is.
        """
        key = self._find_key(scope, item_id)
        move = tell_move(self._items[key], state, because, format_time(self._tell_time()))
        self._items[key] = replace(self._items[key], state=state, changed_at=move.at)
        self._transitions.append(move)
        return move

    async def list_transitions(self, scope: ScopePath, since: datetime | None = None) -> Sequence[Transition]:
        """Return what changed within a scope, the oldest first."""
        begin = _write_time(since)
        return [move for move in self._transitions if move.at >= begin and _is_within(move.scope, scope)]

    async def keep_checkpoint(self, scope: ScopePath, plan_id: str, data: Mapping[str, Any]) -> None:
        """Keep where a plan stands, in place of what was kept of it before.

        Raises:
            GoalError: If the data is not JSON.
        """
        self._checkpoints[str(scope), plan_id] = copy_data(data, f"the checkpoint of plan “{plan_id}”")

    async def read_checkpoint(self, scope: ScopePath, plan_id: str) -> Mapping[str, Any] | None:
        """Return where a plan stood; None where nothing is kept."""
        found = (self._checkpoints.get((around, plan_id)) for around in name_scopes_around(scope))
        return next((data for data in found if data is not None), None)

    async def find_coverage(self, scope: ScopePath, plan_id: str) -> float:
        """Return the share of a plan's items that are done, from 0 to 1; 1 where it has none."""
        of_plan = [item for item in self._items.values() if item.plan_id == plan_id]
        found = [item for item in of_plan if _is_within(item.scope, scope)]
        for around in name_scopes_around(scope):
            found = found or [item for item in of_plan if item.scope == around]
        return sum(item.state == "done" for item in found) / len(found) if found else 1.0

    async def keep_run(self, result: PlannerResult, began_at: datetime) -> None:
        """Keep what came of a run."""
        self._runs.append(bound_run(summarise_run(result, _write_time(began_at))))

    async def list_runs(self, scope: ScopePath, since: datetime | None = None) -> Sequence[KeptPlannerRun]:
        """Return the runs within a scope that began since, the oldest first."""
        begin = _write_time(since)
        return [run for run in self._runs if run.began_at >= begin and _is_within(run.scope, scope)]

    async def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _find_key(self, scope: ScopePath, item_id: str) -> _Key:
        around = [(each, item_id) for each in name_scopes_around(scope) if (each, item_id) in self._items]
        if around:
            return around[0]
        within = [key for key in self._items if key[1] == item_id and _is_within(key[0], scope)]
        if len(within) > 1:
            raise refuse_ambiguous(item_id, [key[0] for key in within])
        if not within:
            raise refuse_unknown(item_id, scope)
        return within[0]


def _is_within(written: str, scope: ScopePath) -> bool:
    return written == str(scope) or written.startswith(f"{scope}/")


def _write_time(moment: datetime | None) -> str:
    return format_time(moment.astimezone(UTC)) if moment else ""
