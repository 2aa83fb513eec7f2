"""PlannerQueue: lets so many planners run at once and use so many tokens a minute; the others wait, and none is lost."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.base.errors import GoalError
from core.planning.planners.budgets import TokenWindow
from core.planning.planners.lifecycle.reporting import PlannerReporter
from core.planning.planners.lifecycle.running import carry_out_planner, check_start, end_waiting, reject_planner
from core.planning.planners.metadata import RetryPolicy

if TYPE_CHECKING:
    from core.base.scope_paths import ScopePath
    from core.planning.planners.base import PlannerBase
    from core.planning.planners.context import PlannerContextParts
    from core.planning.planners.results import PlannerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLimits:
    """What a queue lets through.

    Attributes:
        most_waiting: Planners that wait at once; one more is rejected.
        tokens_per_minute: Tokens that the runs of one principal may have used within a minute for the next to begin; None for
            any number.
        backoff: How long it is waited before it is tried again; how often is not limited, so that none is lost.
    """

    most_running: int = 8
    most_waiting: int = 1000
    tokens_per_minute: int | None = None
    backoff: RetryPolicy = field(default_factory=RetryPolicy)

    def __post_init__(self) -> None:
        """Check that something can get through.

        Raises:
            GoalError: If nothing could.
        """
        tokens = 1 if self.tokens_per_minute is None else self.tokens_per_minute
        if min(self.most_running, tokens) < 1 or self.most_waiting < 0:
            raise GoalError("A queue of planners has to let at least one through.", code="bad_queue_limits")


@dataclass(frozen=True, slots=True, eq=False)
class _Ticket:
    parts: "PlannerContextParts"
    reporter: PlannerReporter
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def owner(self) -> tuple[str, str]:
        """Whose tokens it uses."""
        return self.parts.scope.read_level("tenant"), self.parts.scope.read_level("principal")


class PlannerQueue:
    """Lets planners begin in the order in which they came. Who has used up a minute's tokens holds up nobody else.

    A run within the scope of one that runs is part of that: it begins at once and is not counted, or both would wait for each other.
    """

    def __init__(self, limits: QueueLimits | None = None) -> None:
        """Let nothing through yet."""
        self._limits = limits or QueueLimits()
        self._running: list[ScopePath] = []
        self._waiting: deque[_Ticket] = deque()
        self._windows: dict[tuple[str, str], TokenWindow] = defaultdict(TokenWindow)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def run(
        self, planner: "PlannerBase", parameters: Mapping[str, Any], context_parts: "PlannerContextParts"
    ) -> "PlannerResult":
        """Carry a planner out once it is its turn.

        Returns:
            As ``run_planner`` does; also where the queue is full, or the run is stopped while it waits.
        """
        ticket = _Ticket(context_parts, PlannerReporter(planner.metadata, context_parts))
        try:
            check_start(planner.metadata, parameters, context_parts)
            self._check_room(ticket)
        except GoalError as error:
            return reject_planner(planner.metadata, context_parts, ticket.reporter, error.info())
        if self._is_part(ticket):
            return await self._carry_out(planner, parameters, ticket)
        if not await self._wait_for_turn(ticket):
            return end_waiting(planner.metadata, context_parts, ticket.reporter)
        try:
            return await self._carry_out(planner, parameters, ticket)
        finally:
            self._running.remove(context_parts.scope)
            self._wake_next()

    async def _carry_out(
        self, planner: "PlannerBase", parameters: Mapping[str, Any], ticket: _Ticket
    ) -> "PlannerResult":
        result = await carry_out_planner(planner, parameters, ticket.parts, ticket.reporter)
        now_s = ticket.parts.clock.read_monotonic_s()
        self._windows[ticket.owner].add(now_s, int(result.metrics.get("tokens", 0)))
        return result

    def _check_room(self, ticket: _Ticket) -> None:
        if (
            not self._is_part(ticket)
            and self._find_hindrance(ticket)
            and len(self._waiting) >= self._limits.most_waiting
        ):
            text = f"The planner can't begin: {len(self._waiting)} wait already."
            raise GoalError(text, code="queue_full", hint="Try again when some of them have ended.")

    async def _wait_for_turn(self, ticket: _Ticket) -> bool:
        """Wait until a run may begin and count it as running; return false if it was stopped before."""
        clock, stop = ticket.parts.clock, ticket.parts.stop
        self._waiting.append(ticket)
        tried = 0
        try:
            while (hindrance := self._find_hindrance(ticket)) and not stop.is_set():
                tried += 1
                wait_s = self._limits.backoff.find_delay(tried)
                ticket.reporter.throttle(hindrance, wait_s)
                ticket.woken.clear()
                await _wait_for_any(clock.sleep(wait_s), ticket.woken.wait(), stop.wait())
            if stop.is_set():
                return False
            self._running.append(ticket.parts.scope)
            return True
        finally:
            self._waiting.remove(ticket)
            self._wake_next()

    def _find_hindrance(self, ticket: _Ticket) -> str:
        """Return why a run may not begin now, in words; empty if it may."""
        if len(self._running) >= self._limits.most_running:
            return f"{len(self._running)} of {self._limits.most_running} planners run already"
        if self._is_short(ticket):
            return f"the {self._limits.tokens_per_minute} tokens of this minute are used up"
        first = next((each for each in self._waiting if not self._is_short(each)), ticket)
        return "" if first is ticket else "others came first"

    def _is_part(self, ticket: _Ticket) -> bool:
        """Tell whether a run lies within one that runs."""
        scope = ticket.parts.scope
        return any(around != scope and around.holds(scope) for around in self._running)

    def _is_short(self, ticket: _Ticket) -> bool:
        limit = self._limits.tokens_per_minute
        return limit is not None and self._windows[ticket.owner].count(ticket.parts.clock.read_monotonic_s()) >= limit

    def _wake_next(self) -> None:
        """Let the one look that may begin now."""
        if len(self._running) < self._limits.most_running:
            ticket = next((each for each in self._waiting if not self._is_short(each)), None)
            if ticket is not None:
                ticket.woken.set()


async def _wait_for_any(*events: Any) -> None:
    waiting = [asyncio.ensure_future(each) for each in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waiting:
            each.cancel()
