"""RequiredApprovals: what a run needs a yes for, what was asked, and what was answered."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.approvals.approvals import ApprovalRequest


class RequiredApprovals:
    """One entry per action that needs an approval, or may once it is known what was read."""

    def __init__(self) -> None:
        """Start with nothing that is needed."""
        self._entries: list[dict[str, Any]] = []

    def expect(self, requests: Iterable[ApprovalRequest]) -> None:
        """Write down what will have to be asked."""
        self._entries += [_describe(request, answer=None) for request in requests]

    def note(self, request: ApprovalRequest, *, answer: bool) -> None:
        """Write down what was answered."""
        entry = _describe(request, answer=answer)
        for place, known in enumerate(self._entries):
            if known["action_id"] == request.action_id and known["approved"] is None:
                self._entries[place] = entry
                return
        self._entries.append(entry)

    def list(self) -> tuple[Mapping[str, Any], ...]:
        """Return the entries: in plan order, then what was asked beside."""
        return tuple(dict(entry) for entry in self._entries)


def _describe(request: ApprovalRequest, *, answer: bool | None) -> dict[str, Any]:
    return {
        "action_id": request.action_id,
        "approval": request.kind,
        "digest": request.digest,
        "text": request.text,
        "approved": answer,
        "approval_id": request.approval_id,
        "sources": {name: list(steps) for name, steps in request.sources.items()},
    }
