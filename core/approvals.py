"""Approvals: what must be asked before an action runs, bound to the action's digest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.phrases import escape_text, tell_value
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
        f"{name} = {escape_text(tell_value(action.args[name], as_words=True))}"
        for name in _list_untold(action)
        if name not in sources
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


def _list_untold(action: PlannedAction) -> list[str]:
    """Return the args that the description doesn't show in full; numbers, and what isn't switched on, it may leave out.

    The longest are looked for first, and what shows one can't show another as well: a text that happens to be a part of
    a path is not shown by the path.
    """
    rest, told = action.description, set[str]()
    for name, value in sorted(action.args.items(), key=lambda item: -len(tell_value(item[1]))):
        ways = _list_ways(value)
        shown = next((way for way in ways if way in rest), None)
        if shown is not None:
            rest = rest.replace(shown, "\0", 1) if shown else rest
            told.add(name)
    return [name for name in action.args if name not in told]


def _list_ways(value: Any) -> tuple[str, ...]:
    """Return the ways in which a description may show a value so that it can't be taken for another."""
    if value is True:
        return ()
    if isinstance(value, list | tuple):
        pieces: Sequence[Any] = value
        apart = all("," not in tell_value(each) for each in pieces)
        return (tell_value(value, as_words=True), *((tell_value(value),) if apart else ()))
    return (tell_value(value),) if isinstance(value, str | Mapping) else ("",)
