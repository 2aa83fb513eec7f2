"""Attempts: a step that may be tried several times, and one that only asks."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from core.execution.conditions import add_evidence, answer_question
from core.planning.plans import PlannedAction
from core.results.tool_results import StepLog

_MOST_FAULTS = 10
"""Messages of earlier attempts that a receipt keeps."""


async def try_step(
    action: PlannedAction, attempt: Callable[[], Awaitable[StepLog]], may_go_on: Callable[[], bool]
) -> StepLog:
    """Return the receipt of a step, after as many attempts as its terms, and ``may_go_on`` before each, allow."""
    log = answer_question(action, await attempt())
    if action.terms.attempts == 1:
        return log
    faults: list[str] = []
    number, ms = 1, log.result.ms
    while log.result.status == "failed" and number < action.terms.attempts and await _wait(action, may_go_on):
        faults.append(str(log.result.error))
        log, number = answer_question(action, await attempt()), number + 1
        ms += log.result.ms
    told = {"attempts": number, **({"earlier": faults[-_MOST_FAULTS:]} if faults else {})}
    log = add_evidence(log, told)
    return replace(log, result=replace(log.result, ms=round(ms, 3)))


async def _wait(action: PlannedAction, may_go_on: Callable[[], bool]) -> bool:
    """Return whether there may be another attempt once the wait before it is over; a stop ends the wait."""
    if not may_go_on():
        return False
    try:
        await asyncio.sleep(action.terms.wait_s)
    except asyncio.CancelledError:
        return False
    return may_go_on()
