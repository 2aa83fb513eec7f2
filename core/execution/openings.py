"""Openings: a loop whose rows were read is opened, and the run goes on with the rounds in its plan."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.base.errors import BudgetError, ErrorInfo, InputError, RefusedError, SurehandError
from core.execution.conditions import decide_loop
from core.execution.receipts import gather_above, leave_out, log_unstarted, record
from core.execution.rounds import LoopTerms, OpenLoop, read_rows
from core.planning.graph import PlanGraph
from core.results.replies import NOT_NEEDED

if TYPE_CHECKING:
    from core.execution.progress import ExecutionProgress

_ENDING_S = 0.15
"""Seconds that opening a loop has to end once the run is stopped."""


Opening = Callable[[PlanGraph, OpenLoop, Sequence[Any], LoopTerms], Coroutine[Any, Any, PlanGraph]]


async def open_rounds(opened: OpenLoop, progress: "ExecutionProgress", open_loop: Opening) -> None:
    """Put the rounds of a loop, once agreed to, in the place of its body; where they can't be, the body has receipts that say why."""
    outputs = gather_above(opened.body[0], progress)
    left_s = progress.run.limits.budget.find_left(progress.elapsed_s)
    terms = LoopTerms(progress.told_run, outputs, progress.known, progress.earlier, left_s)
    await progress.settle()  # who is asked knows first what came of the steps before
    try:
        decision, rows = decide_loop(opened.loop, outputs, progress.not_needed), ()
        if decision.lack is None:
            rows = read_rows(opened, outputs)
        if not rows:
            lack = decision.lack or ErrorInfo(NOT_NEEDED, f"Not needed: {opened.loop.rows} has no rows.")
            for action in opened.body:
                leave_out(action, replace(decision, lack=lack), progress)
            return
        widened = await _finish_unless_set(open_loop(progress.graph, opened, rows, terms), progress.run.limits.stop)
    except SurehandError as error:
        is_refused = isinstance(error, RefusedError | InputError | BudgetError)
        status = "refused" if is_refused else "failed"
        for action in opened.body:
            if not any(each.action_id in progress.graph.parents(action.action_id) for each in opened.body):
                record(progress, log_unstarted(action, status, error.info()))
        return
    if widened:
        progress.graph = widened
        progress.told_run.hooks.on_extend(widened)


async def _finish_unless_set(opening: Coroutine[Any, Any, PlanGraph], stop: asyncio.Event) -> PlanGraph | None:
    """Return the plan with the rounds; None if the run is stopped before."""
    task, stopper = asyncio.ensure_future(opening), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, stopper}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopper.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_ENDING_S)
    return task.result() if task.done() and not task.cancelled() else None
