"""StepRun: one drafted step from its beginning to its record; every way in which it can end is one."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.base.errors import (
    ActionError,
    BudgetError,
    ErrorInfo,
    GoalError,
    InputError,
    ModelError,
    RefusedError,
    SurehandError,
    TableError,
    UnknownOutcomeError,
)
from core.base.late_dataclasses import dataclass, field
from core.base.time_limits import is_told_to_end
from core.planning.planners.lifecycle.progress import FaultCatcher, RunProgress, explain_fault
from core.planning.planners.states import STEP_TABLE, StateMachine, StepMove, StepState
from core.planning.planners.steps import PlannerStepInstance, StepRecord, StepStatus

if TYPE_CHECKING:
    from core.planning.planners.base import PlannerBase
    from core.planning.planners.context import PlannerContext
    from core.planning.planners.metadata import StepDescriptor

_POINTLESS = (InputError, TableError, BudgetError, UnknownOutcomeError)


@dataclass(slots=True)
class StepRun:
    """One drafted step while it is carried out."""

    planner: "PlannerBase"
    progress: RunProgress
    instance: PlannerStepInstance
    context: "PlannerContext"
    began_s: float
    machine: StateMachine[StepState, StepMove] = field(default_factory=lambda: StateMachine(STEP_TABLE))
    iteration: int = 0

    @property
    def step(self) -> "StepDescriptor":
        """What it is."""
        return self.instance.step.descriptor

    async def carry_out(self) -> None:
        """Carry the step out and note what came of it; a CancelledError if the run is stopped."""
        try:
            with FaultCatcher() as caught:
                await self._carry_out()
            if caught.error:
                await self._fail(caught.error)
        except asyncio.CancelledError:
            if not is_told_to_end():
                await self._fail(ActionError(f"What step “{self.instance.instance_id}” waited for was cancelled."))
                return
            if not self.machine.is_ended:
                self.machine.move("cancel")
                self._end(self._record("cancelled"))
            raise

    async def _carry_out(self) -> None:
        if self._is_left_out():
            self.machine.move("skip")
            self._end(self._record("skipped"))
        else:
            await self._finish(await self._try_until_good())

    def _is_left_out(self) -> bool:
        known = self._know()
        if lacking := [name for name in self.step.inputs if name not in known]:
            text = f"Step “{self.instance.instance_id}” needs {', '.join(lacking)}, which no step before it gave."
            raise GoalError(text, code="missing_input", evidence={"inputs": lacking})
        skip_if = self.instance.step.skip_if
        return skip_if is not None and bool(skip_if(known))

    def _know(self) -> dict[str, Any]:
        context = self.context
        return {**context.settings, **context.parameters, **self.progress.values, **self.instance.values}

    async def _try_until_good(self) -> Mapping[str, Any]:
        policy = self.step.retry
        while True:
            self.machine.move("begin")
            self.context.meter.begin_try()
            self.iteration += 1
            fault: Exception
            try:
                return await self._try_once()
            except Exception as error:
                if self.iteration >= policy.attempts or not _may_help(error):
                    raise
                fault = error
            self.machine.move("pause")
            self.progress.count("retries")
            self.context.note("note", f"Try {self.iteration} failed: {fault}")
            await self.context.clock.sleep(policy.find_delay(self.iteration))

    async def _try_once(self) -> Mapping[str, Any]:
        tokens = self.context.log.count_tokens()
        self.progress.reporter.start_step(self.context.scope, self.instance, self.iteration, tokens)
        await self.planner.before_step(self.context, self.instance)
        self.machine.move("try")
        outputs = await self.planner.execute_step(self.context, self.instance)
        self.machine.move("judge")
        if lacking := [name for name in self.step.outputs if name not in outputs]:
            raise TableError(f"Step “{self.step.step_id}” did not give {', '.join(lacking)}.", code="missing_output")
        if not await self.planner.evaluate_step(self.context, self.instance, outputs):
            text = f"What step “{self.instance.instance_id}” gave was not good enough."
            raise ActionError(text, code="not_good_enough")
        return outputs

    async def _finish(self, outputs: Mapping[str, Any]) -> None:
        self.machine.move("pass")
        self.progress.values.update(outputs)
        record = self._record("done", outputs)
        self.progress.add(await self.planner.after_step(self.context, self.instance, record))
        self.machine.move("end")
        self._end(self._record("done", outputs))

    async def _fail(self, error: Exception) -> None:
        if isinstance(error, BudgetError) and self.context.meter.spent:
            self.progress.is_spent = True
        if self.machine.is_ended:  # the step was done; what failed came after it
            self._tell_fault(error)
            return
        was_done = self.machine.state == "after"
        self.machine.move("give_up")
        info = explain_fault(error, self.planner.metadata.name)
        self.context.note("outcome", str(info), is_tainted=True)
        record = self._record("failed", error=info)
        with FaultCatcher() as later:
            if not was_done and not self.progress.is_spent:
                self.progress.add(await self.planner.after_step(self.context, self.instance, record))
        if later.error:
            self._tell_fault(later.error)
        self._end(record)

    def _tell_fault(self, error: Exception) -> None:
        self.progress.diagnostics.append(explain_fault(error, self.planner.metadata.name).message)

    def _end(self, record: StepRecord) -> None:
        self.progress.end_step(record)
        self.progress.reporter.end_step(self.context.scope, record)

    def _record(
        self, status: StepStatus, outputs: Mapping[str, Any] | None = None, error: ErrorInfo | None = None
    ) -> StepRecord:
        return StepRecord(
            instance_id=self.instance.instance_id,
            step_id=self.step.step_id,
            status=status,
            outputs=MappingProxyType(dict(outputs or {})),
            iteration=self.iteration,
            tokens=self.context.log.count_tokens(),
            ms=round((self.context.clock.read_monotonic_s() - self.began_s) * 1000, 3),
            error=error,
        )


def begin_step(planner: "PlannerBase", progress: RunProgress, instance: PlannerStepInstance) -> StepRun:
    """Return a step that is about to be carried out, with a scope and a place in the transcript of its own."""
    context = progress.context.enter(instance.instance_id, "action", instance.step.descriptor.description)
    return StepRun(planner, progress, instance, context, context.clock.read_monotonic_s())


def _may_help(error: Exception) -> bool:
    """Tell whether another try may end better: not after an act that may have had an effect, nor against a refusal."""
    if isinstance(error, SurehandError) and error.acted:
        return False
    if isinstance(error, RefusedError):
        return isinstance(error, ModelError)
    return not isinstance(error, _POINTLESS)
