"""What may become of a backlog item: the table of moves, and what planners do with items by it."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from core.base.errors import GoalError
from core.base.scope_paths import ScopePath
from core.planning.planners.ports import BacklogItem, BacklogState, Transition

BACKLOG_MOVES: Final[Mapping[BacklogState, tuple[BacklogState, ...]]] = MappingProxyType(
    {
        "pending": ("active", "blocked", "done", "failed"),
        "active": ("done", "failed", "blocked", "pending"),
        "blocked": ("pending", "active", "done", "failed"),
        "done": ("pending",),
        "failed": ("pending", "active"),
    }
)
"""Where an item may go from each state. None may stay where it is: of two that take an item at once, one is told no."""


def check_item(item: BacklogItem) -> None:
    """Refuse an item that nothing can be done with.

    Raises:
        GoalError: ``bad_backlog_item`` if its id or plan can't be a name.
    """
    if not item.item_id.strip() or not (item.item_id + item.plan_id).isprintable():
        raise GoalError(
            "A backlog item has an id that can't be a name.",
            code="bad_backlog_item",
            hint="Use printable characters on one line.",
        )


def copy_data(data: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return data as a store gives it back: as JSON says it, whatever becomes of the original.

    Raises:
        GoalError: ``bad_backlog_item`` if it isn't JSON.
    """
    try:
        return json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise GoalError(f"The data of {what} can't be stored: {error}.", code="bad_backlog_item") from None


def check_move(item_id: str, before: BacklogState, after: BacklogState, because: str) -> None:
    """Refuse a move that the table doesn't have, or one back that nobody gives a reason for.

    Raises:
        GoalError: ``bad_backlog_move``.
    """
    if after not in BACKLOG_MOVES[before]:
        raise GoalError(
            f"Backlog item “{item_id}” is {before}, and can't become {after} from there.",
            code="bad_backlog_move",
            hint=f"It can become {', '.join(BACKLOG_MOVES[before])}.",
            evidence={"item_id": item_id, "before": before, "after": after},
        )
    if after == "pending" and not because.strip():
        raise GoalError(
            f"Backlog item “{item_id}” can't become pending again without a reason.",
            code="bad_backlog_move",
            hint="Say why it is to be done again.",
            evidence={"item_id": item_id, "before": before, "after": after},
        )


def tell_move(item: BacklogItem, after: BacklogState, because: str, at: str) -> Transition:
    """Return the move of an item.

    Raises:
        GoalError: ``bad_backlog_move`` if it may not go there.
    """
    check_move(item.item_id, item.state, after, because)
    return Transition(item_id=item.item_id, before=item.state, after=after, because=because, at=at, scope=item.scope)


def tell_beginning(item: BacklogItem) -> Transition:
    """Return the move by which an item that was added came to be."""
    because = item.produced_by or "added"
    return Transition(
        item_id=item.item_id, before="", after=item.state, because=because, at=item.changed_at, scope=item.scope
    )


def refuse_unknown(item_id: str, scope: ScopePath) -> GoalError:
    """Return the error about an item that isn't there."""
    return GoalError(
        f"No backlog item “{item_id}” in {scope}.",
        code="backlog_item_missing",
        hint="List what there is: surehand backlog list.",
        evidence={"item_id": item_id, "scope": str(scope)},
    )


def refuse_taken(item: BacklogItem, scope: ScopePath) -> GoalError:
    """Return the error about an item whose id is taken."""
    return GoalError(
        f"Backlog item “{item.item_id}” exists in {scope}.",
        code="backlog_item_exists",
        hint="Give the new one another id.",
        evidence={"item_id": item.item_id, "scope": str(scope)},
    )


def refuse_ambiguous(item_id: str, scopes: list[str]) -> GoalError:
    """Return the error about an id that several scopes within have."""
    return GoalError(
        f"Backlog item “{item_id}” exists in {len(scopes)} scopes: {', '.join(scopes)}.",
        code="backlog_item_ambiguous",
        hint="Name the item from within its scope.",
        evidence={"item_id": item_id, "scopes": scopes},
    )


def name_scopes_around(scope: ScopePath) -> list[str]:
    """Return a scope and those around it up to its principal's, the nearest first, written out: another principal's is none of them."""
    parts = str(scope).split("/")
    return ["/".join(parts[:count]) for count in range(len(parts), min(len(parts), 2) - 1, -1)]
