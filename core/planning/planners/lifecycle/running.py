"""run_planner: checks whether a planner may begin, and carries it out to its end; what may follow what is in the table of states."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from core.base.errors import ErrorInfo, GoalError
from core.base.late_dataclasses import dataclass, replace
from core.planning.planners.base import PlannerBase
from core.planning.planners.budgets import BudgetMeter
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.lifecycle.progress import RunProgress, end_task, read_fault
from core.planning.planners.lifecycle.reporting import PlannerReporter
from core.planning.planners.lifecycle.step_graph import StepGraph
from core.planning.planners.lifecycle.step_running import begin_step
from core.planning.planners.metadata import read_parameters
from core.planning.planners.results import PlannerOutcome, PlannerResult, find_worse
from core.planning.planners.states import RunMove
from core.planning.planners.steps import PlannerStepInstance
from core.planning.planners.transcripts import TranscriptLog

_FINALISING_S: Final = 10.0
_ENDS: Final[dict[PlannerOutcome, RunMove]] = {
    "success": "succeed",
    "partial": "end_partly",
    "failed": "fail",
    "cancelled": "cancel",
}


async def run_planner(
    planner: PlannerBase, parameters: Mapping[str, Any], context_parts: PlannerContextParts
) -> PlannerResult:
    """Carry a planner out.

    Args:
        parameters: What it is given; checked against its metadata.
        context_parts: What the run is made from; setting its ``stop`` ends the run within 200 ms.

    Returns:
        What came of it, also where it may not begin, fails, is stopped, or uses its budget up.

    Raises:
        CancelledError: If the task that waits for it is cancelled; the run has ended then.
    """
    metadata, parts, values = planner.metadata, context_parts, dict[str, Any]()
    reporter = PlannerReporter(metadata, parts)
    try:
        checked = read_parameters(metadata, parameters)
        if why := parts.budget.find_impossible():
            evidence = {"planner": metadata.name, "scope": str(parts.scope)}
            raise GoalError(f"Planner “{metadata.name}” can't begin: {why}.", code="bad_budget", evidence=evidence)
    except GoalError as error:
        errors = (error.info(),)
        reporter.reject(errors)
        result = PlannerResult(
            planner_id=metadata.name, scope=str(parts.scope), outcome="failed", errors=errors, metrics={"ms": 0.0}
        )
        return parts.redact(result)
    context = PlannerContext(
        parts=parts,
        scope=parts.scope,
        parameters=checked,
        settings={**metadata.settings, **parts.settings},
        environment=parts.environment,
        values=values,
        log=TranscriptLog(scope=str(parts.scope)),
        meter=BudgetMeter(parts.budget, parts.clock, parts.clock.read_monotonic_s()),
    )
    progress = RunProgress(metadata, context, reporter, StepGraph(metadata), values)
    return await PlannerRun(planner, progress).carry_out()


@dataclass(frozen=True, slots=True)
class PlannerRun:
    """One run of a planner."""

    planner: PlannerBase
    progress: RunProgress

    async def carry_out(self) -> PlannerResult:
        """Carry the planner out, until it is done, is stopped, or its time is up."""
        seconds = self.progress.context.meter.budget.seconds
        if self.progress.context.parts.stop.is_set():
            self._cancel()
            return self._end(self.progress.read_result())
        try:
            await self._supervise(self._work(), seconds, lambda: self._spend_time(seconds or 0.0))
            result = await self._conclude()
        except asyncio.CancelledError:
            self._cancel()
            self._end(self.progress.read_result())
            raise
        return self._end(result)

    async def _supervise(
        self, work: Coroutine[Any, Any, None], seconds: float | None, on_late: Callable[[], None]
    ) -> None:
        progress, stop = self.progress, self.progress.context.parts.stop
        task = asyncio.create_task(work, name=progress.metadata.name)
        stopper = asyncio.create_task(stop.wait())
        is_in_time = False
        try:
            await asyncio.wait({task, stopper}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            is_in_time = task.done()
        finally:
            stopper.cancel()
            if not await end_task(task):
                progress.diagnostics.append("Something that the planner began has not ended yet.")
        if stop.is_set() and (not is_in_time or progress.has_outstanding):
            self._cancel()
        elif not is_in_time:
            on_late()
        elif fault := read_fault(task, progress.metadata.name):
            progress.fail(fault)

    async def _work(self) -> None:
        progress, planner = self.progress, self.planner
        progress.machine.move("validate")
        await planner.validate(progress.context)
        progress.machine.move("prepare")
        progress.reporter.start()
        prepared = await planner.prepare_context(progress.context)
        progress.context = replace(progress.context, environment=prepared.environment)
        progress.machine.move("draft")
        progress.add(await planner.draft(progress.context))
        await self._execute()
        await self._criticise()

    async def _execute(self) -> None:
        self.progress.machine.move("execute")
        await _execute_steps(self.planner, self.progress)

    async def _criticise(self) -> None:
        progress, settings = self.progress, self.progress.context.settings
        for _ in range(settings.get("critique_rounds", 1) if settings.get("critique") else 0):
            if progress.has_outstanding or progress.is_held:
                return
            progress.count("critiques")
            progress.machine.move("critique")
            added = await self.planner.critique(progress.context, progress.read_result())
            progress.add(added)
            if not added:
                return
            await self._execute()

    async def _conclude(self) -> PlannerResult:
        machine, progress = self.progress.machine, self.progress
        self._throttle()
        if machine.state == "new":
            machine.move("validate")
        if machine.state == "validating":
            machine.move("reject")
        elif machine.state in {"preparing", "drafting"}:
            machine.move("fail")
        if machine.is_ended:
            return progress.read_result()
        machine.move("finalise")
        return await self._finalise()

    async def _finalise(self) -> PlannerResult:
        progress, made = self.progress, list[PlannerResult]()

        async def make() -> None:
            made.append(await self.planner.finalise(progress.context, progress.read_result()))

        await self._supervise(make(), _FINALISING_S, self._miss_end)
        result = _merge(progress.read_result(), made[0]) if made else progress.read_result()
        if not progress.machine.is_ended:
            progress.machine.move(_ENDS[result.outcome])
        return result

    def _throttle(self) -> None:
        if spent := self.progress.context.meter.spent:
            self.progress.reporter.throttle(f"its {spent} are used up", tokens=self.progress.context.meter.tokens)

    def _spend_time(self, seconds: float) -> None:
        self.progress.is_spent = True
        self.progress.fail(self.progress.context.meter.spend(f"{seconds:g} s").info())

    def _miss_end(self) -> None:
        text = f"Planner “{self.planner.metadata.name}” did not finish its result within {_FINALISING_S:g} s."
        self.progress.fail(ErrorInfo("timed_out", text))

    def _cancel(self) -> None:
        if not self.progress.machine.is_ended:
            self.progress.machine.move("cancel")

    def _end(self, result: PlannerResult) -> PlannerResult:
        progress = self.progress
        progress.context.meter.is_over = True
        result = progress.context.parts.redact(result)
        if progress.machine.state == "rejected":
            progress.reporter.reject(result.errors)
        else:
            progress.reporter.end(result)
        return result


def _merge(now: PlannerResult, made: PlannerResult) -> PlannerResult:
    """Return what a planner made of its result; what happened stays as it was."""
    return replace(
        now,
        outcome=now.outcome if now.outcome == "cancelled" else find_worse(now.outcome, made.outcome),
        artifacts=made.artifacts,
        metrics={**made.metrics, **now.metrics},
        diagnostics=tuple(dict.fromkeys((*now.diagnostics, *made.diagnostics))),
        errors=(*now.errors, *(each for each in made.errors if each not in now.errors)),
    )


async def _execute_steps(planner: PlannerBase, progress: RunProgress) -> None:
    """Carry out all drafted steps that can be, each once all that it depends on are done, and those that they add meanwhile.

    Begins nothing more once a budget is used up or the run is stopped; what runs then may end.
    """
    waiting: deque[PlannerStepInstance] = deque()
    running: dict[str, PlannerStepInstance] = {}
    woken = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        while True:
            woken.clear()
            waiting.extend(progress.graph.take_ready())
            while waiting and not progress.is_held and _may_begin(waiting[0], running):
                step = waiting.popleft()
                running[step.instance_id] = step
                task = group.create_task(begin_step(planner, progress, step).carry_out(), name=step.instance_id)
                task.add_done_callback(lambda ended: (running.pop(ended.get_name()), woken.set()))
            if not running:
                return
            await woken.wait()


def _may_begin(step: PlannerStepInstance, running: dict[str, PlannerStepInstance]) -> bool:
    return not running or (
        step.step.descriptor.is_parallel and all(each.step.descriptor.is_parallel for each in running.values())
    )
