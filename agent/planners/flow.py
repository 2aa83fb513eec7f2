"""FlowPlanner: a flow file checked, carried out, and reported."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from agent.planners.hands import PlannerHands, raise_first
from agent.planners.runs_told import add_run, line_up, tell_run
from agent.requests.flows import Flow, parse_flow
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance

_CHECK = StepDescriptor(
    step_id="check", description="Read the flow and plan it; nothing is done.", inputs=("flow",), outputs=("read",)
)
_RUN = StepDescriptor(step_id="run", description="Carry the flow out.", inputs=("read",), outputs=("run",))
_REPORT = StepDescriptor(
    step_id="report", description="Say what became of each step.", inputs=("run",), outputs=("reply", "receipts")
)

FLOW = PlannerMetadata(
    name="flow",
    description="Carries out a flow file: checks all of it first, runs it, and reports.",
    capabilities=("flow",),
    inputs=(
        PlannerInput(name="flow", kind="text", description="The flow file's text, YAML or JSON."),
        PlannerInput(
            name="variables",
            kind="mapping",
            description="Values for its variables, as text.",
            is_required=False,
            default={},
        ),
    ),
    steps=(_CHECK, _RUN, _REPORT),
)


class FlowPlanner(PlannerBase):
    """Carries out a flow."""

    metadata: ClassVar[PlannerMetadata] = FLOW

    def __init__(self, hands: PlannerHands) -> None:
        """Act by hands."""
        self._hands = hands

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the three steps."""
        del context
        return line_up(FLOW.steps)

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Carry a step out."""
        match step.step.descriptor.step_id:
            case _CHECK.step_id:
                return {"read": await self._check(context)}
            case _RUN.step_id:
                return {"run": await self._hands.run(context.values["read"])}
            case _:
                return tell_run(context, context.values["run"])

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with the reply and the receipts, no better than what became of the run."""
        return add_run(context, result)

    async def _check(self, context: PlannerContext) -> Flow:
        """Return the flow, if all of it can be planned."""
        flow = parse_flow(context.parameters["flow"], context.parameters["variables"])
        raise_first(await self._hands.run(flow, dry=True))
        return flow
