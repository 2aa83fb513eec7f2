"""PlannerBase: what everything that plans is made from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, StepRecord


class PlannerBase(ABC):
    """Something that plans. ``run_planner`` carries it out: the order of the methods, budgets and retries are not its business."""

    metadata: ClassVar[PlannerMetadata]

    async def validate(self, context: PlannerContext) -> None:
        """Check what its metadata can't say, such as that two parameters go together.

        Raises:
            SurehandError: If it can't begin; nothing was done then.
        """
        del context

    async def prepare_context(self, context: PlannerContext) -> PlannerContext:
        """Return what the steps are carried out in.

        Args:
            context: As the run was begun with; ``dataclasses.replace`` makes another environment.
        """
        return context

    @abstractmethod
    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the steps to begin with; an instance depends on others of them only."""

    async def before_step(self, context: PlannerContext, step: PlannerStepInstance) -> None:
        """Get ready for a try of a step."""
        del context, step

    @abstractmethod
    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Carry a step out, and return what it gives: at least what its descriptor names.

        Args:
            context: The step's; ``values`` has what earlier steps gave.
        """

    async def evaluate_step(
        self, context: PlannerContext, step: PlannerStepInstance, outputs: Mapping[str, Any]
    ) -> bool:
        """Tell whether what a step gave will do; if not, it is tried again as its retry policy says, and then fails."""
        del context, step, outputs
        return True

    async def after_step(
        self, context: PlannerContext, step: PlannerStepInstance, record: StepRecord
    ) -> Sequence[PlannerStepInstance]:
        """Return steps to add now that one was done or failed; they may depend on any that there are."""
        del context, step, record
        return ()

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with what was made of it; not asked of a run that was cancelled or could not be drafted.

        Args:
            result: What came of the run. What is returned may have a worse outcome, never a better one.
        """
        del context
        return result

    async def critique(self, context: PlannerContext, result: PlannerResult) -> Sequence[PlannerStepInstance]:
        """Return steps to add once all are done, so that the result gets better; none where it is good.

        Asked where the planner has the setting ``critique`` and it is on, and at most ``critique_rounds`` times.
        """
        del context, result
        return ()
