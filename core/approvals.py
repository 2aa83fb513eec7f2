"""Approvals: what must be asked before an action runs, bound to the action's digest."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from core.phrases import escape_text
from core.plans import PlannedAction, thaw
from core.previews import Preview
from core.rule_types import ApprovalClass

Sources = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question to a person.

    Attributes:
        action_id: The action that waits.
        digest: Of exactly that action with exactly those arguments; any change voids the approval.
        kind: ``apply_diff``, ``run_job`` or ``confirm``.
        text: What would be done, rendered from the action by our own code, with control characters escaped.
        sources: Arguments whose value a page or tool gave, and the steps that it came from.
        preview: What would change, where the tool could say so.
    """

    action_id: str
    digest: str
    kind: ApprovalClass
    text: str
    sources: Sources
    preview: Preview | None = None


class ApprovalGate(Protocol):
    """Answers approval requests. Silence is no."""

    async def decide(self, request: ApprovalRequest) -> bool:
        """Return whether the action with that digest may run, once."""
        ...


class ClassGate:
    """Approves whole classes that a person named beforehand, and nothing else; ``confirm`` can't be named."""

    def __init__(self, classes: Collection[ApprovalClass] = ()) -> None:
        """Approve these classes."""
        self._classes = frozenset(classes) - {"confirm"}

    async def decide(self, request: ApprovalRequest) -> bool:
        """Return whether the request's class was named."""
        return request.kind in self._classes


def find_request(action: PlannedAction, sources: Sources, *, locating: bool = False) -> ApprovalRequest | None:
    """Return what must be asked before an action runs, or None.

    A value that a page or tool gave (a tainted one) raises whatever the table asks for to ``confirm`` in an acting
    step, and in any step where it says which file or address: only a person who has seen it may let it through.

    Args:
        action: With its references bound.
        sources: Arguments whose value a page or tool gave.
        locating: Whether one of those is a path or an address.
    """
    risky = bool(sources) and (locating or action.action_class == "actuate")
    kind: ApprovalClass = "confirm" if risky else action.approval
    if kind == "none":
        return None
    return ApprovalRequest(action.action_id, action.digest, kind, _describe(action, sources), sources)


def _describe(action: PlannedAction, sources: Sources) -> str:
    """Return what would be done, with every text in full: what a description leaves out or cuts is added."""
    text = escape_text(action.description)
    unseen = [
        f"{name} = {escape_text(value)}"
        for name, value in action.args.items()
        if name not in sources and isinstance(value, str) and value not in action.description
    ]
    if unseen:
        text = f"{text} — with {'; '.join(unseen)}"
    if sources:
        origins = "; ".join(
            f"{name} = {escape_text(str(thaw(action.args[name])))} (from {', '.join(steps)})"
            for name, steps in sources.items()
        )
        text = f"{text} — with values that were read: {origins}"
    return text
