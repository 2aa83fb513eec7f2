"""Taking acts back by the records that they left: what several families have in common."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from core.base.errors import ActionError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext

UndoAct = Callable[[ActionContext, UndoRecord], Awaitable[ToolOutcome]]
"""Carries one operation out, once its guard holds."""


async def take_back_by(
    ways: Mapping[str, UndoAct], domain: str, context: ActionContext, record: UndoRecord
) -> ToolOutcome:
    """Carry a record out by its operation; ``not_undoable`` if it is another's record, or none that is known."""
    if record.domain != domain or record.operation not in ways:
        raise refuse_record(record, "the operation is unknown here")
    outcome = await ways[record.operation](context, record)
    return replace(outcome, undo="It was undone already; that can't be undone.", undo_record=None)


def check_guard(what: str, guard: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse by ``changed_since`` to go back where something was changed since, since that change would be lost."""
    changed = [name for name in guard if now.get(name) != guard[name]]
    if changed:
        told = ", ".join(f"{name} is {now.get(name)!r}, not {guard[name]!r}" for name in changed)
        raise ActionError(
            f"{what} was changed since: {told}.",
            code="changed_since",
            hint="Check it; undoing would also undo that later change.",
            evidence={"expected": dict(guard), "now": {name: now.get(name) for name in guard}},
        )


def refuse_record(record: UndoRecord, why: str) -> ActionError:
    """Return the refusal of a record that can't be carried out."""
    return ActionError(
        f"{record.domain}.{record.operation} can't be undone: {why}.",
        code="not_undoable",
        hint="Change it by hand.",
        evidence={"operation": record.operation, "params": dict(record.params)},
    )
