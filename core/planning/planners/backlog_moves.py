"""What may become of a backlog item: the table of moves, and what planners do with items by it."""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from core.base.errors import GoalError
from core.base.scope_paths import ScopePath, read_scope
from core.planning.planners.metadata import StepDescriptor
from core.planning.planners.ports import Backlog, BacklogItem, BacklogState, Transition
from core.planning.planners.rendering import name_placeholders

BACKLOG_MOVES: Final[Mapping[BacklogState, tuple[BacklogState, ...]]] = MappingProxyType(
    {
        "pending": ("active", "blocked", "done", "failed"),
        "active": ("done", "failed", "blocked", "pending"),
        "blocked": ("pending", "active", "done", "failed"),
        "done": ("pending",),
        "failed": ("pending",),
    }
)
"""Where an item may go from each state. None may stay where it is: of two that take an item at once, one is told no."""


def check_item(item: BacklogItem) -> None:
    """Refuse an item that nothing can be done with.

    Raises:
        GoalError: If it has no id.
    """
    if not item.item_id.strip():
        raise GoalError("A backlog item needs an id.", code="bad_backlog_item")


def check_move(item_id: str, before: BacklogState, after: BacklogState, because: str) -> None:
    """Refuse a move that the table doesn't have, or one back that nobody gives a reason for.

    Args:
        item_id: The item.
        before: Where it stands.
        after: Where it shall go.
        because: Why.

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


async def flip_completed(
    backlog: Backlog, scope: ScopePath, descriptor: StepDescriptor, values: Mapping[str, Any], because: str
) -> Transition | None:
    """Mark the item of a completed step as done.

    Args:
        backlog: Where it is.
        scope: The step's.
        descriptor: The step; names the item.
        values: What stands for the placeholders in the item's id.
        because: What is told as the reason, such as the step's scope path.

    Returns:
        What changed; None where the step has no item, there is none of that id, or it is done or given up already.
    """
    if not descriptor.backlog_item or not name_placeholders(descriptor.backlog_item) <= values.keys():
        return None
    item_id = descriptor.backlog_item.format_map(values)
    with suppress(GoalError):
        return await backlog.flip(scope, item_id, "done", because)
    return None


async def take_next(backlog: Backlog, scope: ScopePath, capability: str, because: str) -> BacklogItem | None:
    """Take the oldest pending item that a kind of planner works on; of several that try at once, one gets it.

    Args:
        backlog: Where to look.
        scope: Within what.
        capability: Of the planner; items for any planner count, too.
        because: What is told as the reason.

    Returns:
        The item as it stood before; None where there is none.
    """
    for item in await backlog.list_items(scope, "pending"):
        if item.consumed_by in {"", capability}:
            with suppress(GoalError):  # somebody else has just taken it
                await backlog.flip(read_scope(item.scope), item.item_id, "active", because)
                return item
    return None
