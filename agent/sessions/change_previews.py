"""What a plan would change, before anything is done."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.base.errors import ErrorInfo, InputError
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


_LEAST_PREFIX = 6


def find_left_out(
    selected: Sequence[str] | None, changes: Sequence[Mapping[str, Any]], steps: Sequence[str] = ()
) -> frozenset[str]:
    """Return the ids of the changes that are not made.

    Args:
        selected: Ids of ``diff_preview``, or the numbers of their steps, each as it is or as ``id@`` and the beginning of
            its digest; None for all.
        changes: The ``diff_preview``.
        steps: The ids of all actions in plan order; the first is step 1.

    Raises:
        InputError: ``unknown_operation`` if there is no such change, ``operation_differs`` if its digest is another one.
    """
    if selected is None:
        return frozenset()
    digests = {str(change["id"]): str(change["digest"]) for change in changes}
    numbers = {str(number): action_id for number, action_id in enumerate(steps, start=1)}
    chosen = {_find(name, digests, numbers) for name in selected}
    return frozenset(digests.keys() - chosen)


def _find(name: str, digests: Mapping[str, str], numbers: Mapping[str, str]) -> str:
    named, marked, prefix = name.partition("@")
    action_id = numbers.get(named, named)
    if action_id not in digests:
        hint = f"Choose from {', '.join(digests)}." if digests else "This plan has no changes to choose from."
        raise InputError(f'"{named}" is not a change of this plan.', code="unknown_operation", hint=hint)
    if marked and not (len(prefix) >= _LEAST_PREFIX and digests[action_id].startswith(prefix)):
        text = f'Change "{named}" has the digest {digests[action_id]}, not "{prefix}".'
        hint = f"Look at the plan again, and give at least {_LEAST_PREFIX} characters of the digest."
        raise InputError(text, code="operation_differs", hint=hint)
    return action_id
