"""SessionDesk: the sessions of all principals, opened when they are needed and closed when nobody has used them for a while."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from agent.hosting.open_outcomes import OpenOutcome, OutcomeAsker
from agent.requests.session_wishes import USUAL_SESSION, SessionWishes
from agent.service.orders import SessionRecord
from core.approvals.approvals import ApprovalRequest, PendingApprovals, SaidYes
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass, field
from core.language.meanings.interpretation import Refusal
from core.results.events import Event

if TYPE_CHECKING:
    from agent.sessions.conversation import Conversation
    from agent.sessions.session import AgentSession

FindQuota = Callable[[str], "Quota"]
Converse = Callable[["AgentSession"], "Conversation"]

_CLOSING_S = 3.0


class OpenSession(Protocol):
    """Makes sessions."""

    def __call__(self, principal: str, name: str, wishes: SessionWishes, /) -> "AgentSession":
        """Return the session of a principal by its name, as it was asked for.

        Raises:
            RefusedError: If it can't be like that.
        """
        ...


@dataclass(frozen=True, slots=True)
class Quota:
    """How much a principal may do at once.

    Attributes:
        runs: How many runs of theirs may wait or go on.
        planners: How many of them may be planners that go on; others wait for their turn.
    """

    sessions: int = 256
    runs: int = 512
    planners: int = 8


@dataclass(frozen=True, slots=True)
class RunGate:
    """Puts the approvals of one run among the open questions of its session."""

    questions: PendingApprovals
    askers: dict[str, str]
    run_id: str

    async def decide(self, request: ApprovalRequest) -> SaidYes:
        """Keep a question open until it is answered."""
        self.askers[request.approval_id] = self.run_id
        try:
            return await self.questions.decide(request)
        finally:
            del self.askers[request.approval_id]


@dataclass(slots=True)
class HostedSession:
    """A session that is open.

    Attributes:
        running: Ids of its runs that wait or go on.
        users: How many use it now: its runs, and who looks at it.
        touched: When something was done in it last, in seconds of a clock that only goes forward.
        askers: Which run asked, by the ids of the approvals that are asked for.
        outcomes: What is asked about acts whose end nobody saw, by the ids of the questions.
    """

    principal: str
    name: str
    agent: "AgentSession"
    conversation: "Conversation"
    running: list[str] = field(default_factory=list[str])
    users: int = 0
    touched: float = field(default_factory=time.monotonic)
    timer: asyncio.TimerHandle | None = None
    askers: dict[str, str] = field(default_factory=dict[str, str])
    outcomes: dict[str, OpenOutcome] = field(default_factory=dict[str, OpenOutcome])
    choice: tuple[Refusal, str] | None = None

    def make_settler(self, run_id: str, tell: Callable[[Event], None]) -> OutcomeAsker:
        """Return who is asked about acts of a run of this session whose end nobody saw."""
        return OutcomeAsker(self.name, run_id, self.outcomes, tell)

    def make_gate(self, run_id: str) -> "RunGate":
        """Return who answers the approvals of a run of this session."""
        return RunGate(self.conversation.questions, self.askers, run_id)

    def describe(self) -> SessionRecord:
        """Return what is told of it."""
        asked = (*self.conversation.questions.list_open(), *self.outcomes)
        questions = len(asked) + bool(self.conversation.open_choice)
        idle_s = 0.0 if self.users else round(time.monotonic() - self.touched, 3)
        pages = self.agent.parts.list_pages()
        return SessionRecord(
            name=self.name, running=tuple(self.running), questions=questions, pages=pages, idle_s=idle_s
        )


class SessionDesk:
    """Has the open sessions."""

    def __init__(self, open_session: OpenSession, converse: Converse, find_quota: FindQuota, *, idle_s: float) -> None:
        """Open none yet.

        Args:
            idle_s: Seconds after which a session that nobody uses is closed.
        """
        self._open_session = open_session
        self._converse = converse
        self._idle_s = idle_s
        self._find_quota = find_quota
        self._open: dict[tuple[str, str], HostedSession] = {}
        self._closing: set[asyncio.Future[None]] = set()

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    def list_of(self, principal: str, name: str = "") -> Sequence[HostedSession]:
        """Return a principal's sessions, or the one of that name."""
        return [each for each in self._open.values() if each.principal == principal and name in ("", each.name)]

    def list_all(self) -> Sequence[HostedSession]:
        """Return everybody's sessions."""
        return list(self._open.values())

    def find(self, principal: str, name: str) -> HostedSession:
        """Return an open session.

        Raises:
            RefusedError: ``unknown_session``.
        """
        if found := self._open.get((principal, name)):
            return found
        raise RefusedError(f"No session “{name}” is open.", code="unknown_session", hint="Say something in it first.")

    def take(self, principal: str, name: str, wishes: SessionWishes = USUAL_SESSION) -> HostedSession:
        """Return a session, opened where it isn't.

        Raises:
            RefusedError: ``over_quota`` if the principal has too many, or what opening it says.
            InputError: If that is not a name.
        """
        if found := self._open.get((principal, name)):
            return found
        most = self._find_quota(principal).sessions
        if len(self.list_of(principal)) >= most:
            text = f"{most} sessions are open already."
            raise RefusedError(text, code="over_quota", hint="Close one.", evidence={"retry_after_s": 10})
        agent = self._open_session(principal, name, wishes)
        made = HostedSession(principal, name, agent, self._converse(agent))
        self._open[principal, name] = made
        self._wind(made)
        return made

    def begin(self, session: HostedSession, run_id: str = "") -> None:
        """Note that a run, or something else, begins in a session."""
        session.users += 1
        session.running += [run_id] if run_id else []
        self._unwind(session)

    def end(self, session: HostedSession, run_id: str = "") -> None:
        """Note that it ended; from now on the session is idle if nothing else goes on."""
        session.users -= 1
        if run_id:
            session.running.remove(run_id)
        self.touch(session)

    def touch(self, session: HostedSession) -> None:
        """Note that somebody uses a session in this moment."""
        session.touched = time.monotonic()
        if not session.users:
            self._wind(session)

    async def close(self, session: HostedSession) -> None:
        """Stop what goes on in a session and close it; what hangs in it is waited for a while only."""
        if self._open.get((session.principal, session.name)) is session:
            del self._open[session.principal, session.name]
        self._unwind(session)
        session.conversation.stop()
        closing = asyncio.ensure_future(session.agent.close())
        self._closing.add(closing)
        closing.add_done_callback(self._note_closed)
        await asyncio.wait({closing}, timeout=_CLOSING_S)

    async def close_all(self) -> None:
        """Close every session, and wait for a while for those that hang."""
        await asyncio.gather(*(self.close(each) for each in self.list_all()))
        if self._closing:
            await asyncio.wait(self._closing, timeout=_CLOSING_S)

    def _note_closed(self, closing: asyncio.Future[None]) -> None:
        """Take note of a fault in closing: the session is gone all the same."""
        self._closing.discard(closing)
        if not closing.cancelled():
            closing.exception()

    def _wind(self, session: HostedSession) -> None:
        self._unwind(session)
        if self._open.get((session.principal, session.name)) is not session:
            return  # closed meanwhile
        session.timer = asyncio.get_running_loop().call_later(self._idle_s, self._expire, session)

    def _unwind(self, session: HostedSession) -> None:
        if session.timer:
            session.timer.cancel()
            session.timer = None

    def _expire(self, session: HostedSession) -> None:
        closing = asyncio.ensure_future(self.close(session))
        self._closing.add(closing)
        closing.add_done_callback(self._note_closed)
