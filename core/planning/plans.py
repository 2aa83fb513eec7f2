"""PlannedAction: what shall be done, with arguments that nobody may change, and their digest."""

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.base.late_dataclasses import dataclass, field
from core.goals.references import Reference, Template
from core.goals.secret_values import Secret
from core.goals.step_terms import PLAIN_TERMS, StepTerms
from core.rules.approval_classes import APPROVAL_CLASSES, ApprovalClass
from core.rules.rule_types import ActionClass, PlannerRule, Recovery, Repeat, UndoKind


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAction:
    """One act, complete.

    Attributes:
        action_id: ``g0_navigate_1``: goal, verb, number within the goal.
        intent: Family of tools that may carry it out.
        args: The single source of truth for the tool's arguments; read-only at every depth.
        digest: Of domain, intent, verb and args; approvals and receipts carry it.
        rule: The row that it was planned by, as the table has it now; never written down.
        reads: What kind of thing its output is read from, which nobody vouches for; empty where it is our own.
        verifier: Actions that tell, one after the other, after a crash whether this one was carried out; usually none.
        base: The folder that relative paths hang below which are only read while the run goes on; empty for the workspace.
        written: Arguments whose value a model wrote, by name, each with the model's name.
        author: The model that proposed its goal; empty where a person's own words, or a program, did.
        groups: Titles of the groups and rounds that it stands in, the outermost first.
    """

    action_id: str
    domain: str
    verb: str
    intent: str
    description: str
    args: Mapping[str, Any]
    action_class: ActionClass
    goal_id: str
    digest: str
    rule: PlannerRule = field(compare=False, repr=False)
    summary: str = ""
    approval: ApprovalClass = "none"
    repeat: Repeat = "at_most_once"
    undo: UndoKind = "irreversible"
    recovery: Recovery = "ask"
    reads: str = ""
    resources: tuple[str, ...] = ()
    lane: str = "main"
    timeout_s: float = 30.0
    base: str = ""
    verifier: "tuple[PlannedAction, ...]" = ()
    written: Mapping[str, str] = field(default_factory=dict[str, str])
    author: str = ""
    groups: tuple[str, ...] = ()
    terms: StepTerms = PLAIN_TERMS

    @property
    def name(self) -> str:
        """``domain.verb``, as flow files write it."""
        return f"{self.domain}.{self.verb}"

    @property
    def is_previewed(self) -> bool:
        """Whether its tool is asked right before it what it would change: where somebody is to agree to just that."""
        return self.approval != "none"

    @property
    def shows_changes(self) -> bool:
        """Whether a plan says what it would change."""
        return APPROVAL_CLASSES[self.approval].shows_changes


def freeze(value: Any) -> Any:
    """Return a value that nobody can change: mappings read-only, lists as tuples, at every depth."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(each) for key, each in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(each) for each in value)
    return value


def thaw(value: Any) -> Any:
    """Return a copy of a frozen value with plain dicts, for a tool to keep."""
    if isinstance(value, Mapping):
        return {key: thaw(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(thaw(each) for each in value)
    return value


def compute_digest(domain: str, intent: str, verb: str, args: Mapping[str, Any]) -> str:
    """Return the SHA-256 of an act, in hexadecimal.

    Returns:
        64 hexadecimal digits. Equal digests mean equal acts, byte for byte; the order of keys doesn't count.
    """
    content = [domain, intent, verb, _encode(args)]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _encode(value: Any) -> Any:
    """Return a value as JSON in which no two different values look alike: whatever isn't a scalar carries its kind."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Reference):
        return ["reference", value.goal_id, value.key]
    if isinstance(value, Secret):
        return ["secret", value.name]
    if isinstance(value, Template):
        return ["template", *map(_encode, value.parts)]
    if isinstance(value, list | tuple):
        return ["list", *map(_encode, value)]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _encode(each) for key, each in value.items()}
    raise TypeError(f"{value!r} can't be part of an action.")
