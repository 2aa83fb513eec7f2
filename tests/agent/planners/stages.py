"""Five planners that work one after another: each asks the model about what the one before left, and leaves work for the next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from agent.planners.hands import PlannerHands
from agent.planners.registry import Tools
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, RetryPolicy, StepDescriptor
from core.planning.planners.ports import BacklogItem, ModelData, ModelQuestion
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance

PLAN = "pipeline"
ASK = "explore.judge"
"""A template that ships, and gets a task."""
SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


class Stage(PlannerBase):
    """Thinks about what it is given, and hands on what it made of it."""

    following: ClassVar[str] = ""

    def __init__(self, hands: PlannerHands, tools: Tools) -> None:
        del hands, tools

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        think, hand_on = self.metadata.steps
        instructions = context.render(ASK, task=str(context.settings["task"]))
        return (
            PlannerStepInstance(instance_id="think", step=PlannerStep(descriptor=think), instructions=instructions),
            PlannerStepInstance(instance_id="hand_on", step=PlannerStep(descriptor=hand_on), depends_on=("think",)),
        )

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        if step.instance_id == "think":
            return await self._think(context, step)
        if self.following and context.backlog:
            data = {"text": context.values["text"]}
            item = BacklogItem(
                item_id=self.following,
                title=f"{self.following} what {self.metadata.name} left",
                plan_id=PLAN,
                consumed_by=self.following,
                produced_by=str(context.scope),
                data=data,
            )
            await context.backlog.add(context.backlog_scope, item)
        return {"handed_on": self.following}

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        return replace(result, artifacts={"text": context.values.get("text", "")})

    async def _think(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        question = ModelQuestion(
            kind="propose",
            instructions=step.instructions,
            schema=SCHEMA,
            scope=context.scope,
            data=(ModelData(label="text", text=str(context.parameters["text"])),),
        )
        return {"text": (await context.ask(question)).value["text"]}


def make_stage(name: str, following: str) -> type[Stage]:
    """Return a planner of that name, which leaves work for another one."""
    metadata = PlannerMetadata(
        name=name,
        description=f"Can {name}.",
        capabilities=(name,),
        inputs=(PlannerInput(name="text", kind="text", description="What the planner before left."),),
        settings={"task": "plain"},
        steps=(
            StepDescriptor(
                step_id="think",
                description="Ask the model.",
                template_id=ASK,
                outputs=("text",),
                retry=RetryPolicy(attempts=2, delay_s=60, longest_delay_s=60),
            ),
            StepDescriptor(
                step_id="hand_on",
                description="Leave work for the next.",
                inputs=("text",),
                outputs=("handed_on",),
            ),
        ),
        tags=("pipeline",),
    )
    return type(f"{name.title()}Stage", (Stage,), {"metadata": metadata, "following": following})


NAMES = ("gather", "sort", "write", "review", "publish")
STAGES = tuple(make_stage(name, following) for name, following in zip(NAMES, (*NAMES[1:], ""), strict=True))
