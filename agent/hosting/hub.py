"""Hub: what the parts of a local service share: its sessions, its runs, its limits."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager

from agent.hosting.hosted_runs import HostedRun
from agent.hosting.hosted_sessions import Quota, SessionDesk
from agent.service.callers import Caller
from core.approvals.approvals import ApprovalRequest
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass, field
from core.rules.approval_classes import ApprovalClass

_KEPT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits:
    """What a service holds its callers to.

    Attributes:
        session_idle_s: Seconds after which a session that nobody uses is closed.
        voice_approves: Classes of approval that a spoken yes may give, where the speaker's principal may approve at all.
    """

    session_idle_s: float = 600.0
    usual: Quota = field(default_factory=Quota)
    quotas: Mapping[str, Quota] = field(default_factory=dict[str, Quota])
    voice_approves: frozenset[ApprovalClass] = frozenset()

    def find_quota(self, principal: str) -> Quota:
        """Return how much a principal may do at once."""
        return self.quotas.get(principal, self.usual)


@dataclass(slots=True)
class Hub:
    """The state of a local service.

    Attributes:
        runs: The runs that go on, and the last that have ended, by id.
        began: When the service began, by a clock that only goes forward.
        touched: When somebody asked for something last.
    """

    desk: SessionDesk
    limits: ServiceLimits
    runs: dict[str, HostedRun] = field(default_factory=dict[str, HostedRun])
    requests: dict[tuple[str, str], HostedRun] = field(default_factory=dict[tuple[str, str], HostedRun])
    turns: dict[str, asyncio.Semaphore] = field(default_factory=dict[str, asyncio.Semaphore])
    is_draining: bool = False
    began: float = field(default_factory=time.monotonic)
    touched: float = field(default_factory=time.monotonic)

    def touch(self) -> None:
        """Note that somebody asked for something."""
        self.touched = time.monotonic()

    def list_live(self, caller: Caller) -> Iterator[HostedRun]:
        """Yield the caller's runs that have not ended."""
        return (each for each in self.runs.values() if each.status != "ended" and self.owns(caller, each))

    @staticmethod
    def owns(caller: Caller, run: HostedRun) -> bool:
        """Tell whether a run is the caller's."""
        return run.caller.principal == caller.principal

    def may_say_yes(self, caller: Caller, asked: ApprovalRequest) -> bool:
        """Tell whether a caller's yes counts for an act: a person's does, a spoken one where the settings trust that door for it."""
        is_trusted_voice = caller.door == "voice" and asked.kind in self.limits.voice_approves
        return caller.may_approve or (is_trusted_voice and "approve" in caller.scopes)

    @asynccontextmanager
    async def hold_turn(self, principal: str, tell_wait: Callable[[], None]) -> AsyncGenerator[None]:
        """Wait until a planner of a principal may go on, in the order in which they came, and hold that turn."""
        most = self.limits.find_quota(principal).planners
        turn = self.turns.setdefault(principal, asyncio.Semaphore(most))
        if turn.locked():
            tell_wait()
        async with turn:
            yield

    def check_open(self) -> None:
        """Refuse what comes while the service ends.

        Raises:
            RefusedError: ``draining``.
        """
        if self.is_draining:
            raise RefusedError(
                "The service is ending and takes nothing on.",
                code="draining",
                hint="Ask again in a moment.",
                evidence={"retry_after_s": 10},
            )

    def forget_old(self) -> None:
        """Drop the oldest runs that have ended, beyond a number."""
        ended = [each for each in self.runs.values() if each.done.is_set()]
        for run in ended[:-_KEPT]:
            self.drop(run)

    def add(self, run: HostedRun) -> None:
        """Have a run, by its id and by what its principal calls it."""
        self.runs[run.run_id] = run
        if run.request_id:
            self.requests[run.caller.principal, run.request_id] = run

    def drop(self, run: HostedRun) -> None:
        """Have a run no more."""
        if self.runs.get(run.run_id) is run:
            del self.runs[run.run_id]
        if self.requests.get((run.caller.principal, run.request_id)) is run:
            del self.requests[run.caller.principal, run.request_id]

    def list_tasks(self) -> list[asyncio.Task[None]]:
        """Return what goes on."""
        return [each.task for each in self.runs.values() if each.task and not each.task.done()]
