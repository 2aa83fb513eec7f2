"""Approvals: what must be asked before an action runs, and what a yes is bound to.

A yes holds once, for a limited time, for one action on one target as it was shown. Right before the act everything is
looked at again; whatever is not as it was voids the yes.
"""

import asyncio
import hashlib
import json
import math
import secrets
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Protocol

from core.base.errors import ApprovalError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import escape_text
from core.policy.policy_rules import Verdict
from core.results.provenance import Sources
from core.rules.approval_classes import GIVEN_BEFOREHAND, ApprovalClass
from core.tools.previews import Preview, compute_fingerprint, list_changes

APPROVAL_S = 300.0
"""Seconds for which a question may be answered and a yes be used, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question to a person.

    Attributes:
        digest: Of exactly that action with exactly those arguments; any change voids the approval.
        text: What would be done, rendered from the action by our own code, with control characters escaped.
        sources: Arguments whose value a page or tool gave, with the steps that it came from and where they read it; or that a
            model wrote, with which one.
        preview: What would change and what it aims at, where the tool could say so.
        approval_id: Random name of the question; empty before it is asked.
        approval_digest: Of all that the answer is bound to: the action, its target as it was shown, the plan, who asked,
            a number used once, and the time until which it holds.
        expires: When it can't be answered or used any more, by the clock of its terms.
        expires_at: The same for people, in UTC (ISO 8601); nothing is decided by it.
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


@dataclass(frozen=True, slots=True)
class SaidYes:
    """A yes of somebody who is known."""

    by: str


class ApprovalGate(Protocol):
    """Answers approval requests. Silence is no."""

    async def decide(self, request: ApprovalRequest) -> bool | SaidYes:
        """Return whether the action with that digest may run, once, and where that is known who said so."""
        ...


class ClassGate:
    """Approves whole classes that a person named beforehand, and nothing else; only those that may be given beforehand."""

    def __init__(self, classes: Collection[ApprovalClass] = ()) -> None:
        self._classes = frozenset(classes) & frozenset(GIVEN_BEFOREHAND)

    async def decide(self, request: ApprovalRequest) -> bool:
        """Return whether the request's class was named."""
        return request.kind in self._classes


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalTerms:
    """Who answers the approval requests of a run, what they are bound to, and seconds of a clock that only goes forward."""

    gate: ApprovalGate = field(default_factory=ClassGate)
    plan_digest: str = ""
    principal: str = ""
    lifetime_s: float = APPROVAL_S
    clock: Callable[[], float] = time.monotonic


@dataclass(slots=True)
class Approval:
    """A yes."""

    request: ApprovalRequest
    shown: Preview | None = None
    clock: Callable[[], float] = time.monotonic
    _used: bool = field(default=False, init=False)

    def redeem(self, digest: str, now: Preview | None) -> None:
        """Use it up.

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


def is_given_beforehand(kind: ApprovalClass, verdict: Verdict | None) -> bool:
    """Tell whether a rule of the policy has approved an action; ``confirm`` is only ever given by a person."""
    return verdict == "allow" and kind in GIVEN_BEFOREHAND


def bind_request(request: ApprovalRequest, terms: ApprovalTerms) -> ApprovalRequest:
    """Return a question with a name of its own, bound to everything that a yes to it depends on."""
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


_KEPT = 1000


@dataclass(frozen=True, slots=True)
class _Open:
    request: ApprovalRequest
    answer: asyncio.Future[SaidYes | None]


class PendingApprovals:
    """A gate whose questions are answered from elsewhere, by their id and digest; the action itself is never sent back.

    Used on one event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, _Open] = {}
        self._ended: dict[str, str] = {}

    async def decide(self, request: ApprovalRequest) -> SaidYes:
        """Keep a question open until it is answered; whoever asks limits the time. Return only for a yes.

        Raises:
            ApprovalError: If the answer was no; if it was not bound, so that nobody could answer it, or is open already.
        """
        if not request.approval_id or request.approval_id in self._open:
            raise ApprovalError(
                f"The question about {request.action_id} needs an id of its own.", code="approval_unknown"
            )
        answer: asyncio.Future[SaidYes | None] = asyncio.get_running_loop().create_future()
        self._open[request.approval_id] = _Open(request, answer)
        try:
            if said := await answer:
                return said
            raise ApprovalError("The answer was no.")
        finally:
            del self._open[request.approval_id]
            self._ended[request.approval_id] = (
                "approval_used" if answer.done() and not answer.cancelled() else "approval_expired"
            )
            for stale in list(self._ended)[:-_KEPT]:
                del self._ended[stale]

    def list_open(self) -> tuple[ApprovalRequest, ...]:
        """Return the questions that can be answered now, the oldest first."""
        now = self._clock()
        waiting = (each for each in self._open.values() if not each.answer.done())
        return tuple(each.request for each in waiting if now < each.request.expires)

    def answer(self, approval_id: object, digest: object, *, yes: object, by: str = "") -> None:
        """Answer a question, by whatever a client sent; only the truth value ``True`` is a yes.

        Args:
            digest: Its ``approval_digest``: proof that this very question was seen. A wrong one leaves it open.
            by: Who gives it, and where; empty where nobody says.

        Raises:
            ApprovalError: ``approval_unknown`` if there was no such question, ``approval_used`` if it was answered,
                ``approval_expired`` if it has expired, ``approval_mismatch`` if the digest is of something else.
        """
        if not isinstance(approval_id, str):
            raise _refuse("approval_unknown")
        found = self._open.get(approval_id)
        if found is None:
            raise _refuse(self._ended.get(approval_id, "approval_unknown"))
        if found.answer.done():
            raise _refuse("approval_used")
        if self._clock() >= found.request.expires:
            raise _refuse("approval_expired")
        given = digest.encode("utf-8", "replace") if isinstance(digest, str) else b""
        if not secrets.compare_digest(given, found.request.approval_digest.encode("ascii")):
            raise _refuse("approval_mismatch")
        found.answer.set_result(SaidYes(by) if yes is True else None)


_REASONS = {
    "approval_unknown": "No such question is open.",
    "approval_used": "The question is already answered.",
    "approval_expired": "The question has expired.",
    "approval_mismatch": "The digest does not match the question.",
}


def _refuse(code: str) -> ApprovalError:
    return ApprovalError(_REASONS[code], code=code, hint="Answer the open question by its own id and digest.")
