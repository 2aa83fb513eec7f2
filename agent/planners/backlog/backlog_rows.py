"""What is asked of the rows of a backlog: items, moves, checkpoints and runs, found by scope."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from agent.planners.backlog.sealed_rows import SealedRow, SealedRows
from core.base.scope_paths import ScopePath
from core.planning.planners.backlog_moves import (
    name_scopes_around,
    refuse_ambiguous,
    refuse_taken,
    refuse_unknown,
    tell_beginning,
)
from core.planning.planners.ports import BacklogItem, BacklogState, Transition
from core.planning.planners.results import KeptPlannerRun
from core.results.records import to_data

_WITHIN = "(scope = ? OR (scope > ? AND scope < ?))"
"""Scopes that are one or lie within it: a slash stands between names, and a zero is what follows a slash."""

_OF_ITEM = "scope = ? AND item_id = ?"
_OF_PLAN = "scope = ? AND plan_id = ?"


def list_items(rows: SealedRows, scope: ScopePath, state: BacklogState | None) -> list[BacklogItem]:
    """Return the items within a scope, the oldest first; those of one state if one is named."""
    narrowed = (f"{_WITHIN} AND state = ?", (*_bound(scope), state)) if state else (_WITHIN, _bound(scope))
    return [_read_item(row) for row in rows.select("items", *narrowed)]


def add_item(rows: SealedRows, scope: ScopePath, item: BacklogItem, at: str) -> None:
    """Add an item, and say that it is new.

    Raises:
        GoalError: If there is one of that id.
    """
    if rows.select("items", _OF_ITEM, (str(scope), item.item_id)):
        raise refuse_taken(item, scope)
    item = replace(item, scope=str(scope), changed_at=at)
    _put_item(rows, item)
    _put_move(rows, tell_beginning(item))


def flip_item(
    rows: SealedRows, scope: ScopePath, item_id: str, tell: Callable[[BacklogItem], Transition]
) -> Transition:
    """Move an item, and say so.

    Raises:
        GoalError: If there is no such item, or it may not go there.
    """
    row, item = _find_item(rows, scope, item_id)
    move = tell(item)
    _put_item(rows, replace(item, state=move.after, changed_at=move.at), row.seq)
    _put_move(rows, move)
    return move


def list_moves(rows: SealedRows, scope: ScopePath, since: str) -> list[Transition]:
    """Return the moves within a scope from a moment on, the oldest first."""
    found = rows.select("transitions", f"{_WITHIN} AND at >= ?", (*_bound(scope), since))
    return [_transitions().validate_json(row.values["body"]) for row in found]


def put_checkpoint(rows: SealedRows, scope: ScopePath, plan_id: str, data: Mapping[str, Any], at: str) -> None:
    """Keep where a plan stands, in place of what was kept of it before."""
    rows.put("checkpoints", {"scope": str(scope), "plan_id": plan_id, "at": at, "body": json.dumps(data)})


def read_checkpoint(rows: SealedRows, scope: ScopePath, plan_id: str) -> dict[str, Any] | None:
    """Return where a plan stood, as the nearest scope around knows; None where none does."""
    for around in name_scopes_around(scope):
        if found := rows.select("checkpoints", _OF_PLAN, (around, plan_id)):
            return json.loads(found[0].values["body"])
    return None


def measure_coverage(rows: SealedRows, scope: ScopePath, plan_id: str) -> float:
    """Return the share of a plan's items that are done: those within a scope, or else those of the nearest one around."""
    found = rows.select("items", f"{_WITHIN} AND plan_id = ?", (*_bound(scope), plan_id))
    for around in name_scopes_around(scope)[1:]:
        found = found or rows.select("items", _OF_PLAN, (around, plan_id))
    return sum(row.values["state"] == "done" for row in found) / len(found) if found else 1.0


def put_run(rows: SealedRows, run: KeptPlannerRun) -> None:
    """Keep what came of a run."""
    values = {"scope": run.scope, "planner_id": run.planner_id, "began_at": run.began_at}
    rows.put("runs", {**values, "body": json.dumps(to_data(run))})


def list_runs(rows: SealedRows, scope: ScopePath, since: str) -> list[KeptPlannerRun]:
    """Return the runs within a scope that began from a moment on, the oldest first."""
    found = rows.select("runs", f"{_WITHIN} AND began_at >= ?", (*_bound(scope), since))
    return [_runs().validate_json(row.values["body"]) for row in found]


def _find_item(rows: SealedRows, scope: ScopePath, item_id: str) -> tuple[SealedRow, BacklogItem]:
    for around in name_scopes_around(scope):
        if found := rows.select("items", _OF_ITEM, (around, item_id)):
            return found[0], _read_item(found[0])
    within = rows.select("items", f"{_WITHIN} AND item_id = ?", (*_bound(scope), item_id))
    if len(within) > 1:
        raise refuse_ambiguous(item_id, [row.values["scope"] for row in within])
    if not within:
        raise refuse_unknown(item_id, scope)
    return within[0], _read_item(within[0])


def _put_item(rows: SealedRows, item: BacklogItem, seq: int | None = None) -> None:
    columns = {"scope": item.scope, "item_id": item.item_id, "plan_id": item.plan_id, "state": item.state}
    rows.put("items", {**columns, "body": json.dumps(to_data(item))}, seq)


def _put_move(rows: SealedRows, move: Transition) -> None:
    columns = {"scope": move.scope, "item_id": move.item_id, "at": move.at}
    rows.put("transitions", {**columns, "body": json.dumps(to_data(move))})


def _read_item(row: SealedRow) -> BacklogItem:
    return _items().validate_json(row.values["body"])


def _bound(scope: ScopePath) -> Sequence[str]:
    return (str(scope), f"{scope}/", f"{scope}0")


@cache
def _items() -> TypeAdapter[BacklogItem]:
    return TypeAdapter(BacklogItem)


@cache
def _transitions() -> TypeAdapter[Transition]:
    return TypeAdapter(Transition)


@cache
def _runs() -> TypeAdapter[KeptPlannerRun]:
    return TypeAdapter(KeptPlannerRun)
