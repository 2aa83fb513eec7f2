"""BacklogWorker: works a principal's backlog off, by capability, as runs of the service; none that is stuck or fails holds up the rest."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from actuators.verb_table import PLANNER_RULES
from agent.requests.planner_wishes import PlannerWish
from agent.service.callers import Caller
from agent.service.orders import RunOrder, RunRecord
from agent.service.ports import RunsPort
from core.base.errors import GoalError, SurehandError
from core.base.late_dataclasses import dataclass, field
from core.base.scope_paths import begin_scope, read_scope
from core.planning.planners.ports import SYSTEM_CLOCK, Backlog, BacklogItem, BacklogState, Clock

TAKEN: Final = "taken up as "
"""Why an item is active: the request by which a service works on it, so that a later one finds its run again."""

Work = asyncio.Task[dict[str, Any]]

_GRACE_S = 30.0
"""Seconds beyond its time after which a run that does not end by itself is told to."""

_END_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkTerms:
    """How items are worked off.

    Attributes:
        seconds: Most seconds of one item.
        tries: How often an item is tried whose planner changed nothing before it failed.
        in_a_row: Failures in a row after which a capability is left alone for a while.
    """

    seconds: float = 600.0
    tries: int = 5
    look_s: float = 5.0
    in_a_row: int = 5
    rest_s: float = 600.0
    attended: bool = True


@dataclass(slots=True)
class Streak:
    """How a capability does."""

    failures: int = 0
    rests_until_s: float = 0.0


@dataclass(slots=True)
class BacklogWorker:
    """Works off what is pending for planners; of one capability one item at a time, the most urgent and then the oldest first."""

    service: RunsPort
    caller: Caller
    backlog: Backlog
    terms: WorkTerms = field(default_factory=WorkTerms)
    clock: Clock = SYSTEM_CLOCK
    _streaks: dict[str, Streak] = field(default_factory=dict[str, Streak])
    _busy: dict[str, Work] = field(default_factory=dict[str, Work])

    async def work_off(self, capability: str = "", most: int | None = None) -> list[dict[str, Any]]:
        """Work until nothing is pending that may be taken up, and return what came of each item.

        Args:
            capability: Only what is for this one, so that another that is stuck holds nothing up; empty for all.

        Raises:
            SurehandError: If the backlog can't be read or written.
        """
        worked: list[dict[str, Any]] = []
        mine = set[Work]()
        while True:
            await self._take_up(capability, None if most is None else most - len(worked) - len(mine))
            mine |= {task for name, task in self._busy.items() if capability in ("", name)}
            if not mine:
                return worked
            ended, mine = await asyncio.wait(mine, return_when=asyncio.FIRST_COMPLETED)
            worked += [task.result() for task in ended]

    async def watch(self) -> None:
        """Work again and again, beginning with what an earlier service was at; ends when it is cancelled."""
        await self._go_on()
        while True:
            with suppress(SurehandError):  # health tells of a backlog that can't be read
                await self._take_up("", None)
            timer = asyncio.ensure_future(self.clock.sleep(self.terms.look_s))
            await asyncio.wait({timer, *self._busy.values()}, return_when=asyncio.FIRST_COMPLETED)
            timer.cancel()

    async def end(self) -> None:
        """Wait for what is worked on; the service has stopped its runs."""
        if self._busy:
            await asyncio.wait(self._busy.values(), timeout=_END_S)

    async def _go_on(self) -> None:
        """Go on with items that a service was at which ended: each by the request that it was taken up as."""
        scope = begin_scope(self.caller.principal)
        with suppress(SurehandError):
            moves = {(each.scope, each.item_id): each for each in await self.backlog.list_transitions(scope)}
            for item in await self.backlog.list_items(scope, "active"):
                move = moves.get((item.scope, item.item_id))
                if move and move.because.startswith(TAKEN) and item.consumed_by not in self._busy:
                    self._start(item, move.because.removeprefix(TAKEN))

    async def _take_up(self, only: str, most: int | None) -> None:
        """Take up one item for each capability that is free."""
        self._busy = {name: task for name, task in self._busy.items() if not task.done()}
        pending = await self.backlog.list_items(begin_scope(self.caller.principal), "pending")
        for item in sorted(pending, key=lambda each: -each.priority):
            wanted = item.consumed_by
            if most is not None and most <= 0:
                return
            if not wanted or only not in ("", wanted) or wanted in self._busy or self._rests(wanted):
                continue
            request_id = f"backlog-{item.item_id}-{item.changed_at}"
            with suppress(GoalError):  # somebody else has just taken it
                await self.backlog.flip(read_scope(item.scope), item.item_id, "active", f"{TAKEN}{request_id}")
                self._start(item, request_id)
                most = None if most is None else most - 1

    def _start(self, item: BacklogItem, request_id: str) -> None:
        task = asyncio.create_task(self._work(item, request_id), name=f"backlog {item.item_id}")
        self._busy[item.consumed_by] = task

    async def _work(self, item: BacklogItem, request_id: str) -> dict[str, Any]:
        record: RunRecord = {}
        why = ""
        try:
            record = await self._carry_out(item, request_id)
            why = _tell_fault(record)
        except SurehandError as error:
            why = error.message
        outcome = str(record.get("outcome") or "failed")
        with suppress(SurehandError):
            await self._settle(item, outcome, why, may_repeat=_may_help(record) and not _has_acted(record))
        self._count(item.consumed_by, outcome)
        told = {"item": item.item_id, "capability": item.consumed_by, "outcome": outcome, "why": why}
        return {**told, "run_id": record.get("run_id", "")}

    async def _carry_out(self, item: BacklogItem, request_id: str) -> RunRecord:
        """Return what came of an item's run; one that outlasts its time is stopped."""
        wish = PlannerWish(capability=item.consumed_by, parameters=item.data, item=item.item_id)
        order = RunOrder(planner=wish, request_id=request_id, seconds=self.terms.seconds, attended=self.terms.attended)
        ticket = await self.service.begin(self.caller, order)
        ending = asyncio.ensure_future(self.service.result(self.caller, ticket.run_id))
        timer = asyncio.ensure_future(self.clock.sleep(self.terms.seconds + _GRACE_S))
        try:
            await asyncio.wait({ending, timer}, return_when=asyncio.FIRST_COMPLETED)
            if not ending.done():
                await self.service.stop(self.caller, run_id=ticket.run_id)
            return await ending
        finally:
            timer.cancel()

    async def _settle(self, item: BacklogItem, outcome: str, why: str, *, may_repeat: bool) -> None:
        """See to it that an item stands where its run left it, and let it be tried again where nothing was changed."""
        scope = read_scope(item.scope)
        found = [each for each in await self.backlog.list_items(scope) if each.item_id == item.item_id]
        if found and found[0].state == "active":  # the run ended before it came to the planner, or right behind it
            ends: Mapping[str, BacklogState] = {"success": "done", "cancelled": "pending"}
            await self.backlog.flip(scope, item.item_id, ends.get(outcome, "failed"), why or "its run ended")
        if outcome == "failed" and may_repeat:
            moves = await self.backlog.list_transitions(scope)
            tries = sum(each.item_id == item.item_id and each.because.startswith(TAKEN) for each in moves)
            if tries < self.terms.tries:
                told = f"try {tries} of {self.terms.tries} failed: {why}"
                await self.backlog.flip(scope, item.item_id, "pending", told)

    def _count(self, capability: str, outcome: str) -> None:
        streak = self._streaks.setdefault(capability, Streak())
        streak.failures = streak.failures + 1 if outcome == "failed" else 0
        if streak.failures >= self.terms.in_a_row:
            streak.failures, streak.rests_until_s = 0, self.clock.read_monotonic_s() + self.terms.rest_s

    def _rests(self, capability: str) -> bool:
        streak = self._streaks.get(capability)
        return streak is not None and self.clock.read_monotonic_s() < streak.rests_until_s


def _may_help(record: RunRecord) -> bool:
    """Tell whether another try may end better: not where the planner was refused at the door, or a person said no."""
    if not record:
        return True
    told = record.get("planner", {})
    codes = [str(each["code"]) for each in told.get("errors", ())]
    return "tries" in told.get("metrics", {}) and not any(code.startswith("approval_") for code in codes)


def _has_acted(record: RunRecord) -> bool:
    """Tell whether a run may have changed something, so that it isn't begun again by itself."""
    for log in record.get("step_logs", ()):
        domain, _, verb = log["name"].partition(".")
        rule = PLANNER_RULES.get((domain, verb))
        is_safe = rule is not None and (rule.action_class == "observe" or rule.repeat == "safe")
        if log["result"]["effect"] != "none" and not is_safe:
            return True
    return False


def _tell_fault(record: RunRecord) -> str:
    """Return why a run is no success; empty where it is one."""
    errors = [*record.get("planner", {}).get("errors", ()), *record.get("errors", ())]
    if record["outcome"] == "success":
        return ""
    return str(errors[0]["message"]) if errors else str(record.get("reply", ""))
