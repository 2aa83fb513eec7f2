"""Rounds of an exploration as steps of its planner: look, propose, act."""

from agent.planners.explore.metadata import ACT_STEP, LOOK_STEP, PROPOSE_STEP
from core.planning.planners.metadata import StepDescriptor
from core.planning.planners.steps import Condition, PlannerStep, PlannerStepInstance

ROUND = "round"


def make_round(number: int, after: str, skip_if: Condition | None = None) -> tuple[PlannerStepInstance, ...]:
    """Return the steps of a round, each after the one before.

    Args:
        number: Which round, from 1.
        after: The step that it comes after; empty for none.
        skip_if: Tells from what is known whether the round is left out; None for never.
    """
    instances: list[PlannerStepInstance] = []
    for descriptor in (LOOK_STEP, PROPOSE_STEP, ACT_STEP):
        instances.append(
            make_step(
                f"{descriptor.step_id}-{number}", PlannerStep(descriptor=descriptor, skip_if=skip_if), after, number
            )
        )
        after = instances[-1].instance_id
    return tuple(instances)


def make_step(instance_id: str, step: StepDescriptor | PlannerStep, after: str, number: int = 0) -> PlannerStepInstance:
    """Return one step.

    Args:
        after: The step that it comes after; empty for none.
    """
    return PlannerStepInstance(
        instance_id=instance_id,
        step=step if isinstance(step, PlannerStep) else PlannerStep(descriptor=step),
        depends_on=(after,) if after else (),
        values={ROUND: number},
    )
