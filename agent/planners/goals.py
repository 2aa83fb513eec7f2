"""GoalsPlanner: a sentence that the language has no words for to goals, which its run plans, asks about and carries out."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from actuators.verb_table import PLANNER_RULES
from agent.models.failures import fail_declined
from agent.models.proposing import MOST_TOKENS, describe_verbs, make_steps_schema, read_steps
from agent.planners.hands import PlannerHands
from agent.planners.planner_runs import GOALS, VERBS
from agent.planners.recall import gather_background
from core.goals.meta_goals import MetaGoal
from core.goals.scopes import build_meta_goal
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.ports import ModelData, ModelQuestion
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, draft_step
from core.planning.proposed_goals import make_proposed_goals
from core.policy.policy_rules import covers_verb

PROPOSE = "goals.propose"

_PROPOSE = StepDescriptor(
    step_id="propose",
    description="Ask for the steps that do what the sentence says.",
    template_id=PROPOSE,
    inputs=("text",),
    outputs=("goals",),
)


class GoalsPlanner(PlannerBase):
    """Asks a model what a sentence means. Nothing leaves but the sentence, the verbs that there are, and what settings add."""

    metadata: ClassVar[PlannerMetadata] = PlannerMetadata(
        name="goals",
        description="Asks a model what to do for a sentence that the language has no words for; its run plans that and carries it out.",
        capabilities=("goals",),
        inputs=(PlannerInput(name="text", kind="text", description="What is wanted, in a person's words."),),
        settings={
            "model": "",
            "verbs": [],
            "recall": 0,
            "project": False,
            "answer_tokens": MOST_TOKENS,
            "answer_s": 60.0,
        },
        steps=(_PROPOSE,),
    )

    def __init__(self, hands: PlannerHands, tools: Sequence[Mapping[str, Any]] = ()) -> None:
        del tools
        self._hands = hands

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the one step."""
        del context
        return (draft_step(_PROPOSE),)

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Ask, and return the goals; the table, policy, taint and approvals will judge them."""
        del step
        text = str(context.parameters["text"])
        answer = await context.ask(await self._make_question(context, text))
        name = answer.model or (context.model.name if context.model else "")
        steps = answer.value["steps"]
        if not steps:
            raise fail_declined(name, str(answer.value["refusal"]))
        goals = make_proposed_goals(read_steps(steps, name), (text,), name, PLANNER_RULES)
        return {"goals": build_meta_goal(goals, source=text, rationale=f"The model “{name}” proposed it.")}

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with the goals."""
        goals: MetaGoal | None = context.values.get("goals")
        return result.with_artifact(GOALS, goals) if goals else result

    async def _make_question(self, context: PlannerContext, text: str) -> ModelQuestion:
        settings, only = context.settings, context.settings["verbs"]
        allowed = context.environment[VERBS]
        verbs = [name for name in allowed if not only or any(covers_verb(entry, name) for entry in only)]
        return ModelQuestion(
            kind="interpret",
            instructions=context.render(PROPOSE, verbs=describe_verbs(PLANNER_RULES, verbs)),
            schema=make_schema(verbs),
            scope=context.scope,
            data=(
                ModelData(label="request", text=text, is_tainted=False),
                *await gather_background(context, self._hands, text),
            ),
            max_tokens=settings["answer_tokens"],
            timeout_s=settings["answer_s"],
        )


def make_schema(verbs: Sequence[str]) -> dict[str, Any]:
    """Return the closed schema of an answer: steps of these verbs, or why there are none."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["steps", "refusal"],
        "properties": {"steps": make_steps_schema(verbs), "refusal": {"type": "string", "maxLength": 1000}},
    }
