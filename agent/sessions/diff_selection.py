"""Selection: which of the changes that a plan would make are made."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.base.errors import InputError

_LEAST_PREFIX = 6


def find_left_out(selected: Sequence[str] | None, changes: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the ids of the changes that are not made.

    Args:
        selected: Ids of ``diff_preview``, each as it is or as ``id@`` and the beginning of its digest; None for all.
        changes: The ``diff_preview``.

    Raises:
        InputError: ``unknown_operation`` if there is no such change, ``operation_differs`` if its digest is another one.
    """
    if selected is None:
        return frozenset()
    digests = {str(change["id"]): str(change["digest"]) for change in changes}
    chosen = {_find(name, digests) for name in selected}
    return frozenset(digests.keys() - chosen)


def _find(name: str, digests: Mapping[str, str]) -> str:
    action_id, marked, prefix = name.partition("@")
    if action_id not in digests:
        hint = f"There are {', '.join(digests)}." if digests else "This plan changes nothing that could be shown."
        raise InputError(f'"{action_id}" is none of the changes of this plan.', code="unknown_operation", hint=hint)
    if marked and not (len(prefix) >= _LEAST_PREFIX and digests[action_id].startswith(prefix)):
        text = f'The change "{action_id}" has the digest {digests[action_id]}, not "{prefix}".'
        hint = f"Look at the plan again; at least {_LEAST_PREFIX} characters of a digest count."
        raise InputError(text, code="operation_differs", hint=hint)
    return action_id
