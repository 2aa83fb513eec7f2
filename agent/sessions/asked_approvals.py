"""Approvals that are asked for, as events."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.approvals.approvals import ApprovalGate, ApprovalRequest, SaidYes
from core.base.late_dataclasses import dataclass
from core.results.events import Emit, Question
from core.results.records import to_data


def describe_approval(request: ApprovalRequest) -> dict[str, Any]:
    """Return what the event of a question says of an approval."""
    preview = request.preview
    return {
        "kind": "confirm",
        "prompt": request.text,
        "action_id": request.action_id,
        "digest": request.digest,
        "approval": request.kind,
        "operation": to_data(preview.operation) if preview else {},
        "diff": preview.diff if preview else "",
        "target": to_data(preview.target) if preview else {},
        "sources": to_data(request.sources),
        "approval_id": request.approval_id,
        "approval_digest": request.approval_digest,
        "expires_at": request.expires_at,
        "expires_in_s": request.expires_in_s,
    }


@dataclass(frozen=True, slots=True)
class TellingGate:
    """Tells that an approval is asked for, where no run does: before an act is taken back."""

    gate: ApprovalGate
    emit: Emit
    run_id: str

    async def decide(self, request: ApprovalRequest) -> bool | SaidYes:
        """Tell the question and return the answer."""
        self.emit(Question(run_id=self.run_id, **describe_approval(request)))
        return await self.gate.decide(request)


class RequiredApprovals:
    """One entry per action that needs an approval, or may once it is known what was read."""

    def __init__(self) -> None:
        self._entries: list[dict[str, Any]] = []
        self._open: dict[str, list[int]] = {}

    def expect(self, requests: Iterable[ApprovalRequest]) -> None:
        """Write down what will have to be asked."""
        for request in requests:
            self._open.setdefault(request.action_id, []).append(len(self._entries))
            self._entries.append(_describe(request, answer=None))

    def note(self, request: ApprovalRequest, *, answer: bool) -> None:
        """Write down what was answered."""
        entry = _describe(request, answer=answer)
        if places := self._open.get(request.action_id):
            self._entries[places.pop(0)] = entry
        else:
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
