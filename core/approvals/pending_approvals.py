"""Open questions: approval requests that wait for a client's answer, each of them answered once."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.approvals.approvals import ApprovalRequest, SaidYes
from core.base.errors import ApprovalError

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
