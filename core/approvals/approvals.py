"""Approvals: what must be asked before an action runs, and what a yes is bound to.

A yes holds once, for a limited time, for one action on one target as it was shown. Right before the act everything is
looked at again; whatever is not as it was voids the yes.
"""

import hashlib
import json
import math
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from core.approvals.approval_texts import Sources, describe_action
from core.base.errors import ApprovalError
from core.base.phrases import escape_text
from core.planning.plans import PlannedAction
from core.policy.policy_rules import Verdict
from core.rules.rule_types import ApprovalClass
from core.tools.previews import Preview, compute_fingerprint, list_changes

APPROVAL_S = 300.0
"""Seconds for which a question may be answered and a yes be used, where nothing else is said."""

_GIVEN_BEFOREHAND = frozenset[ApprovalClass](("apply_diff", "run_job"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalTerms:
    """What all approvals of a run are bound to.

    Attributes:
        plan_digest: Of all actions of the run together.
        principal: Who asked for the run.
        lifetime_s: Seconds for which a question may be answered and a yes be used.
        clock: Seconds that only go forward; the time of day may be set, so that nothing depends on it.
    """

    plan_digest: str = ""
    principal: str = ""
    lifetime_s: float = APPROVAL_S
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question to a person.

    Attributes:
        action_id: The action that waits.
        digest: Of exactly that action with exactly those arguments; any change voids the approval.
        kind: ``apply_diff``, ``run_job`` or ``confirm``.
        text: What would be done, rendered from the action by our own code, with control characters escaped.
        sources: Arguments whose value a page or tool gave, with the steps that it came from and where they read it.
        preview: What would change and what it aims at, where the tool could say so.
        approval_id: Random name of the question; empty before it is asked.
        approval_digest: Of all that the answer is bound to: the action, its target as it was shown, the plan, who asked,
            a number used once, and the time until which it holds.
        expires: When it can't be answered or used any more, by the clock of its terms.
        expires_at: The same for people, in UTC (ISO 8601); nothing is decided by it.
        expires_in_s: Seconds that it had when it was asked.
    """

    action_id: str
    digest: str
    kind: ApprovalClass
    text: str
    sources: Sources
    preview: Preview | None = None
    approval_id: str = ""
    approval_digest: str = ""
    expires: float = math.inf
    expires_at: str = ""
    expires_in_s: float = APPROVAL_S


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


@dataclass(slots=True)
class Approval:
    """A yes.

    Attributes:
        request: What was agreed to.
        shown: The preview as the tool gave it.
        clock: As in the terms that it was asked under.
    """

    request: ApprovalRequest
    shown: Preview | None = None
    clock: Callable[[], float] = time.monotonic
    _used: bool = field(default=False, init=False)

    def redeem(self, digest: str, now: Preview | None) -> None:
        """Use it up.

        Args:
            digest: Of the action that is going to be carried out.
            now: What it would change and what it aims at now.

        Raises:
            ApprovalError: ``approval_void``, with what changed, if it was used already, is too old, or anything is not as
                it was shown.
        """
        used, self._used = self._used, True
        changes = list_changes(self.shown, now)
        if used:
            changes = ["it was used already"]
        elif self.clock() >= self.request.expires:
            changes = ["it has expired"]
        elif digest != self.request.digest:
            changes = ["the action is a different one"]
        if changes:
            raise ApprovalError(
                f"The approval is no longer valid: {'; '.join(changes)}.",
                code="approval_void",
                hint="Look at it and approve it again.",
                evidence={"changed": changes, "approved": self.request.text},
            )


def find_kind(
    action: PlannedAction, *, tainted: bool, locating: bool = False, verdict: Verdict | None = None
) -> ApprovalClass:
    """Return what must be asked before an action runs.

    A value that a page or tool gave (a tainted one) raises whatever the table asks for to ``confirm`` in an acting
    step, and in any step where it says which file or address: only a person who has seen it may let it through. So does a
    rule of the policy that asks.

    Args:
        action: What would run.
        tainted: Whether an argument's value was read.
        locating: Whether one of those is a path or an address.
        verdict: What the rules of the policy say.
    """
    risky = tainted and (locating or action.action_class == "actuate")
    return "confirm" if risky or verdict == "ask" else action.approval


def is_given_beforehand(kind: ApprovalClass, verdict: Verdict | None) -> bool:
    """Tell whether a rule of the policy has approved an action; ``confirm`` is only ever given by a person."""
    return verdict == "allow" and kind in _GIVEN_BEFOREHAND


def find_request(
    action: PlannedAction, sources: Sources, *, locating: bool = False, verdict: Verdict | None = None
) -> ApprovalRequest | None:
    """Return what must be asked before an action runs, or None; the arguments are those of ``find_kind``."""
    kind = find_kind(action, tainted=bool(sources), locating=locating, verdict=verdict)
    if kind == "none":
        return None
    return ApprovalRequest(action.action_id, action.digest, kind, describe_action(action, sources), sources)


def bind_request(request: ApprovalRequest, terms: ApprovalTerms) -> ApprovalRequest:
    """Return a question with a name of its own, bound to everything that a yes to it depends on.

    Args:
        request: With its preview.
        terms: What all approvals of the run are bound to.
    """
    expires = terms.clock() + terms.lifetime_s
    bound = [request.digest, request.kind, compute_fingerprint(request.preview), terms.plan_digest, terms.principal]
    content = json.dumps([*bound, secrets.token_hex(16), expires])
    return replace(
        request,
        text=escape_text(request.text),
        approval_id=secrets.token_hex(16),
        approval_digest=hashlib.sha256(content.encode("ascii")).hexdigest(),
        expires=expires,
        expires_at=(datetime.now(UTC) + timedelta(seconds=terms.lifetime_s)).isoformat(timespec="seconds"),
        expires_in_s=terms.lifetime_s,
    )
