"""Takes an item up as a service does: of several that try at once, one gets it."""

from contextlib import suppress

from core.base.errors import GoalError
from core.base.scope_paths import ScopePath, read_scope
from core.planning.planners.ports import Backlog, BacklogItem


async def take_next(backlog: Backlog, scope: ScopePath, capability: str, because: str) -> BacklogItem | None:
    """Return the item that was taken; None where there is none."""
    for item in await backlog.list_items(scope, "pending"):
        if item.consumed_by == capability:
            with suppress(GoalError):
                await backlog.flip(read_scope(item.scope), item.item_id, "active", because)
                return item
    return None
