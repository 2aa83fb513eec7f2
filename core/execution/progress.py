"""ExecutionProgress: how far a run is, and what of it is told and written down."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from core.base.budgets import Budget
from core.base.errors import ErrorInfo, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.execution.rounds import fold_rounds
from core.execution.run_context import RunContext, RunHooks
from core.goals.references import has_reference
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.tool_results import StepLog
from core.tools.ports import ActionContext
from core.tools.previews import Preview

STOPPED_BEFORE = ErrorInfo("stopped", "The run was stopped before this step.")

_ENDING_S = 0.15
"""Seconds that a look has to end once its time is up."""

Look = Callable[[PlannedAction, ActionContext], Coroutine[Any, Any, Preview | None]]


async def look_ahead(
    look: Look, action: PlannedAction, run: RunContext, left_s: float, keep: Callable[[asyncio.Task[Any]], None]
) -> Preview | ErrorInfo | None:
    """Return what an action would change in a run, or why that isn't known; a stop ends the look."""
    if has_reference(action.args):
        return ErrorInfo("not_known_yet", "Not known yet: it depends on the result of an earlier step.")
    if run.limits.stop.is_set():
        return STOPPED_BEFORE
    timeout_s = min(action.timeout_s, left_s)
    task = asyncio.create_task(look(action, run.make_action_context(action, timeout_s=timeout_s)))
    stopper = asyncio.create_task(run.limits.stop.wait())
    try:
        limit_s = timeout_s + _ENDING_S
        await asyncio.wait({task, stopper}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopper.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_ENDING_S)
            keep(task)
    return STOPPED_BEFORE if run.limits.stop.is_set() else _read_preview(task, action)


def _read_preview(task: asyncio.Task[Preview | None], action: PlannedAction) -> Preview | ErrorInfo | None:
    if not task.done() or task.cancelled():
        return ErrorInfo("timed_out", f"The preview of {action.name} took too long.")
    error = task.exception()
    if isinstance(error, SurehandError):
        return error.info()
    if error:
        text = f"The preview of {action.name} failed: {type(error).__name__}: {error}"
        return ErrorInfo("internal_error", text, "This is a fault in Surehand.")
    return task.result()


Say = Callable[[], None]
_Writing = asyncio.Future[StepLog]


class RunTelling:
    """Passes on to hooks what happens; whatever comes after something that waits for its row waits with it."""

    def __init__(self, hooks: RunHooks, on_fault: Say) -> None:
        """Tell nothing yet; when a hook fails that was told late, say so, and let ``check`` raise it."""
        self._hooks = hooks
        self._on_fault = on_fault
        self._waiting: deque[tuple[Say, _Writing | None]] = deque()
        self._late: set[asyncio.Future[None]] = set()
        self._fault: BaseException | None = None

    @property
    def hooks(self) -> RunHooks:
        """What is told by itself, for those who know of hooks only."""
        return RunHooks(
            on_start=self.start,
            on_end=self.end,
            on_question=lambda request, answer: self._tell(lambda: self._hooks.on_question(request, answer)),
            on_extend=lambda graph: self._tell(lambda: self._hooks.on_extend(graph)),
        )

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be told."""
        return bool(self._waiting)

    def start(self, action: PlannedAction) -> None:
        """Tell that an action started."""
        self._tell(lambda: self._hooks.on_start(action))

    def end(self, log: StepLog, writing: _Writing | None = None) -> None:
        """Tell that an action ended, once its receipt is written down with what has to be said of that, where it must be."""
        self._tell(lambda: self._hooks.on_end(read_written(log, writing)), writing)

    def check(self) -> None:
        """Raise what a hook raised that was told late."""
        fault, self._fault = self._fault, None
        if fault:
            raise fault

    async def settle(self, limit_s: float | None = None) -> None:
        """Return once all is told; what is still being written after so many seconds is told as it is, None for no limit."""
        if writings := {writing for _, writing in self._waiting if writing}:
            await asyncio.wait(writings, timeout=limit_s)
        self._waiting = deque((say, None) for say, _ in self._waiting)
        self._go_on()
        if self._late:
            await asyncio.wait(set(self._late))
            await asyncio.sleep(0)  # what they raised is noted in a turn of the loop of its own
        self.check()

    def _tell(self, say: Say, writing: _Writing | None = None) -> None:
        self._waiting.append((say, writing))
        if writing and not writing.done():
            writing.add_done_callback(self._go_on_late)
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting:
            say, writing = self._waiting[0]
            if writing and not writing.done():
                return
            self._waiting.popleft()
            say()

    def _go_on_late(self, _: _Writing) -> None:
        if self._waiting:
            late = asyncio.ensure_future(self._go_on_alone())
            self._late.add(late)
            late.add_done_callback(self._note_fault)

    async def _go_on_alone(self) -> None:
        self._go_on()

    def _note_fault(self, late: asyncio.Future[None]) -> None:
        self._late.discard(late)
        if not late.cancelled() and (fault := late.exception()):
            self._fault = fault
            self._on_fault()


def read_written(log: StepLog, writing: _Writing | None) -> StepLog:
    """Return a receipt with what has to be said of its writing, as far as that is known and it is written at all."""
    if writing is None or not writing.done() or writing.cancelled() or writing.exception():
        return log
    return replace(log, result=replace(log.result, note=writing.result().result.note))  # the rest of it was known later


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
        for action_id in [each for each in self.writings if each in self.logs]:  # the others have no receipt yet
            writing = self.writings[action_id]
            self.logs[action_id] = log = read_written(self.logs[action_id], writing)
            self.graph.results[action_id] = log.result
            if writing.done():  # else a long run would look at all its steps again each time
                del self.writings[action_id]


def _read_fault(hurrying: asyncio.Future[None]) -> None:
    if not hurrying.cancelled():
        hurrying.exception()
