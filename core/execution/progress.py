"""ExecutionProgress: how far a run is, and what of it is told and written down."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.base.budgets import Budget
from core.execution.rounds import fold_rounds
from core.execution.run_context import RunContext
from core.execution.telling import RunTelling, read_written
from core.planning.graph import PlanGraph
from core.results.tool_results import StepLog
from core.tools.previews import Preview


@dataclass(slots=True)
class ExecutionProgress:
    """How far a run is.

    Attributes:
        graph: What is run; its results are filled in.
        known: Receipts of actions that ended before.
        acting: Ids of what acts, or acted.
        not_needed: By goal id, what the steps are called that were not needed.
        earlier: By goal id of a round, the digest of its row when the run was interrupted.
    """

    graph: PlanGraph
    run: RunContext
    known: Mapping[str, StepLog]
    began: float = field(default_factory=time.perf_counter)
    started: int = 0
    logs: dict[str, StepLog] = field(default_factory=dict[str, StepLog])
    writings: dict[str, asyncio.Future[StepLog]] = field(default_factory=dict[str, "asyncio.Future[StepLog]"])
    causes: dict[str, StepLog] = field(default_factory=dict[str, StepLog])
    running: dict[str, asyncio.Task[StepLog]] = field(default_factory=dict[str, "asyncio.Task[StepLog]"])
    ended: list[str] = field(default_factory=list[str])
    acting: set[str] = field(default_factory=set[str])
    waiting: list[str] = field(default_factory=list[str])
    not_needed: dict[str, str] = field(default_factory=dict[str, str])
    decided: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    earlier: dict[str, str] = field(default_factory=dict[str, str])
    is_ending: bool = False
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    telling: RunTelling = field(init=False)
    told_run: RunContext = field(init=False)

    def __post_init__(self) -> None:
        """Let everything that is told of the run be told in order."""
        self.telling = RunTelling(self.run.hooks, self.woken.set)
        self.told_run = replace(self.run, hooks=self.telling.hooks)
        self.graph, self.earlier = fold_rounds(self.graph)

    @property
    def needs_ending(self) -> bool:
        """Whether something is to be done whatever happened: only if anything was begun."""
        is_begun = bool(self.started or self.known) or not self.run.limits.stop.is_set()
        return is_begun and any(action.terms.always for action in self.graph.nodes.values())

    def begin_ending(self, stop: asyncio.Event, seconds: float) -> None:
        """Let what is done whatever happened be done, in at least so many seconds where the run's time is used up."""
        budget = self.run.limits.budget
        limit_s = None if budget.seconds is None else max(budget.seconds, self.elapsed_s + seconds)
        limits = replace(self.run.limits, stop=stop, budget=Budget(limit_s))
        self.run = replace(self.run, limits=limits)
        self.told_run = replace(self.told_run, limits=limits)
        self.is_ending = True

    @property
    def elapsed_s(self) -> float:
        """Seconds since it began."""
        return time.perf_counter() - self.began

    def end(self, action_id: str) -> None:
        """Note that an action ended, or that nobody waits for it any more."""
        self.ended.append(action_id)
        self.woken.set()

    def may_act(self, action_id: str) -> bool:
        """Note that an action acts from now on, and return true, unless the run was stopped or goes on without it."""
        if self.run.limits.stop.is_set() or action_id in self.logs:
            return False
        self.acting.add(action_id)
        return True

    def may_try(self, action_id: str) -> bool:
        """Return whether an action may be tried once more: the run goes on, waits for it, and has time left."""
        limits = self.run.limits
        goes_on = not limits.stop.is_set() and action_id not in self.logs
        return goes_on and limits.budget.find_left(self.elapsed_s) > 0

    def find_shown(self, action_id: str) -> Preview | None:
        """Return what the plan showed that an action would change; None once something has acted."""
        acted = any(self.graph.nodes[each].action_class == "actuate" for each in self.acting)
        return None if acted else self.run.shown.find_fresh(action_id)

    def take_ended(self) -> list[tuple[str, asyncio.Task[StepLog]]]:
        """Return what ended since the last time, in that order."""
        self.woken.clear()
        ended, self.ended = dict.fromkeys(self.ended), []
        return [(action_id, self.running[action_id]) for action_id in ended if action_id in self.running]

    def take_writing(self, action_id: str, writing: asyncio.Future[StepLog]) -> bool:
        """Look after what writes down how an action ended, and return true, unless the run has gone on without it."""
        if action_id not in self.logs:
            self.writings[action_id] = writing
        return action_id not in self.logs

    def record(self, log: StepLog) -> None:
        """Take the receipt of an action; it is told once it is on the disk, as what depends on it goes on."""
        writing = self.writings.get(log.action_id)
        self.logs[log.action_id] = log
        self.graph.results[log.action_id] = log.result
        self.telling.end(log, writing)

    async def settle(self, stopped_s: float | None = None) -> None:
        """Return once all so far is on the disk and told; of a run that was stopped within so many seconds, None for no limit."""
        if self.telling.is_waiting:
            limit_s = stopped_s if self.run.limits.stop.is_set() else None
            hurrying = asyncio.ensure_future(self.run.journal.append([]))
            hurrying.add_done_callback(_read_fault)
            await self.telling.settle(limit_s)
        for action_id in self.writings.keys() & self.logs.keys():  # what has just ended may not have its receipt yet
            self.logs[action_id] = log = read_written(self.logs[action_id], self.writings[action_id])
            self.graph.results[action_id] = log.result


def _read_fault(hurrying: asyncio.Future[None]) -> None:
    """Take note of an error that the receipts tell."""
    if not hurrying.cancelled():
        hurrying.exception()
