"""Looking ahead: what one action would change, as the world is before anything is done."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from core.base.errors import ErrorInfo, SurehandError
from core.execution.run_context import RunContext
from core.goals.references import has_reference
from core.planning.plans import PlannedAction
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
    """Return what a tool said, or why it said nothing."""
    if not task.done() or task.cancelled():
        return ErrorInfo("timed_out", f"The preview of {action.name} took too long.")
    error = task.exception()
    if isinstance(error, SurehandError):
        return error.info()
    if error:
        text = f"The preview of {action.name} failed: {type(error).__name__}: {error}"
        return ErrorInfo("internal_error", text, "This is a fault in Surehand.")
    return task.result()
