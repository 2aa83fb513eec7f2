"""What a plan would change, before anything is done."""

from collections.abc import Mapping
from typing import Any

from core.base.errors import ErrorInfo
from core.planning.graph import PlanGraph
from core.results.records import to_data
from core.rules.approval_classes import APPROVAL_CLASSES
from core.tools.previews import Preview


def describe_changes(graph: PlanGraph, found: Mapping[str, Preview | ErrorInfo]) -> tuple[Mapping[str, Any], ...]:
    """Return what the actions that need ``apply_diff`` or can show it would change, one operation each.

    Returns:
        ``id``, ``text`` and ``digest`` of each action; its ``operation`` and ``diff`` as the world is now, or a ``note``
        why they aren't known, or why it can't be done as the world is now.
    """
    return tuple(
        {
            "id": action.action_id,
            "text": action.description,
            "digest": action.digest,
            **_describe(found.get(action.action_id)),
        }
        for action in graph.nodes.values()
        if APPROVAL_CLASSES[action.approval].must_show or action.action_id in found
    )


def _describe(found: Preview | ErrorInfo | None) -> Mapping[str, Any]:
    if isinstance(found, Preview):
        return {"operation": to_data(found.operation), "diff": found.diff}
    return {"note": str(found)} if found else {}
