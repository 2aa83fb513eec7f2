"""RecoverPlanner: a step failed; what the declared list has against that is tried, and the step once more after each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from agent.planners.hands import PlannerHands, find_error
from agent.planners.recover.remedies import Remedy, load_remedies
from core.base.errors import ErrorInfo, GoalError
from core.goals.meta_goals import ROOT, Goal
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerMetadata, StepDescriptor
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance
from core.results.tool_results import Effect

_TRY = StepDescriptor(step_id="try", description="Try what the list has against such an error.", outputs=("tried",))
_REPEAT = StepDescriptor(
    step_id="repeat", description="Do the step that failed once more.", inputs=("tried",), outputs=("recovered",)
)

RECOVER = PlannerMetadata(
    name="recover",
    description="Tries what a declared list has against the error of a step, and the step once more after each.",
    capabilities=("recover",),
    steps=(_TRY, _REPEAT),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedStep:
    """A step that failed.

    Attributes:
        error: Why it was not.
        effect: Of its receipt; only what had none is done once more.
        is_untouched: Whether nothing was typed or pressed on the page before.
    """

    goal: Goal
    error: ErrorInfo
    effect: Effect = "none"
    is_untouched: bool = False


class RecoverPlanner(PlannerBase):
    """Recovers from one failure; each run takes a planner of its own."""

    metadata: ClassVar[PlannerMetadata] = RECOVER

    def __init__(self, hands: PlannerHands, failed: FailedStep, repeating: PlannerHands | None = None) -> None:
        """Act by hands.

        Args:
            repeating: What does the step once more, on the terms of the run in which it failed; the same where None.
        """
        self._hands = hands
        self._repeating = repeating or hands
        self._failed = failed
        self._remedies: Mapping[str, Remedy] = {}

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return a try and a repetition for each remedy.

        Raises:
            GoalError: ``no_remedy`` if the list has nothing against it, or the step may have had an effect.
        """
        del context
        failed = self._failed
        if failed.effect != "none":
            text = f"{failed.goal.name} may have had an effect, so it is not done again."
            raise GoalError(text, code="no_remedy", hint="Look what became of it.")
        self._remedies = load_remedies().find(failed.error, is_untouched=failed.is_untouched)
        if not self._remedies:
            text = f"Nothing is declared to be tried against {failed.error.code}."
            raise GoalError(text, code="no_remedy", hint="Look at the page, and say the step differently.")
        instances: list[PlannerStepInstance] = []
        for name in self._remedies:
            after = (instances[-1].instance_id,) if instances else ()
            trying = _make_step(f"try-{name}", _TRY, after, name)
            instances += [trying, _make_step(f"repeat-{name}", _REPEAT, (trying.instance_id,), name)]
        return instances

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Try a remedy, or do the step once more; that either fails is no fault of this run."""
        if step.step.descriptor is _TRY:
            remedy = self._remedies[step.values["remedy"]]
            result = await self._hands.run((remedy.make_goal(),))
            context.note("action", f"{remedy.verb}: {result.outcome}")
            return {"tried": step.values["remedy"]}
        result = await self._repeating.run((replace(self._failed.goal, goal_id="g0", scope=ROOT),))
        error = find_error(result)
        context.note("outcome", f"{self._failed.goal.name}: {error.code if error else 'done'}", is_tainted=True)
        return {"recovered": error is None}

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result: no success unless the step was done in the end."""
        if context.values.get("recovered"):
            return result.with_artifact("remedy", context.values["tried"])
        return replace(result, outcome="failed", errors=(*result.errors, self._failed.error))


def _make_step(instance_id: str, step: StepDescriptor, after: tuple[str, ...], remedy: str) -> PlannerStepInstance:
    return PlannerStepInstance(
        instance_id=instance_id,
        step=PlannerStep(descriptor=step, skip_if=lambda values: values.get("recovered") is True),
        depends_on=after,
        values={"remedy": remedy},
    )
