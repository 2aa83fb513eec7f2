"""GoalsPlanner: a sentence to goals, goals to a plan, the plan carried out, and a reply that is made of what was done."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from actuators.verb_table import PLANNER_RULES
from agent.planners.back_ends.model import AnswerLimits, ModelBackEnd
from agent.planners.hands import PlannerHands, raise_first
from agent.planners.project_context import add_project
from agent.planners.runs_told import add_run, line_up, tell_run
from agent.tool_schemas import offer_verbs
from core.base.errors import GoalError
from core.goals.meta_goals import Goal
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.ports import PlannerBackEnd, Proposal, ProposalRequest, ProposedCall
from core.planning.planners.proposals import ProposalTerms, refuse_calls
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance
from core.planning.proposed_goals import make_proposed_goals

PROPOSE = "goals.propose"

_INTERPRET = StepDescriptor(
    step_id="interpret",
    description="Turn the sentence into goals; a model helps only where the language has no words for it.",
    template_id=PROPOSE,
    inputs=("text",),
    outputs=("goals",),
)
_ORCHESTRATE = StepDescriptor(
    step_id="orchestrate", description="Plan the goals; nothing is done.", inputs=("goals",), outputs=("approvals",)
)
_EXECUTE = StepDescriptor(
    step_id="execute", description="Carry the plan out.", inputs=("goals", "approvals"), outputs=("run",)
)
_REPLY = StepDescriptor(
    step_id="reply",
    description="Say what was done, by the receipts alone.",
    inputs=("run",),
    outputs=("reply", "receipts"),
)

GOALS = PlannerMetadata(
    name="goals",
    description="Does what a sentence says: understands it, plans it, carries it out, and replies.",
    capabilities=("goals",),
    inputs=(PlannerInput(name="text", kind="text", description="What is wanted, in a person's words."),),
    settings={"verbs": [], "project": True, "max_calls": 8, "answer_tokens": 1500, "answer_s": 60.0},
    steps=(_INTERPRET, _ORCHESTRATE, _EXECUTE, _REPLY),
)


class GoalsPlanner(PlannerBase):
    """Does what a sentence says."""

    metadata: ClassVar[PlannerMetadata] = GOALS

    def __init__(self, hands: PlannerHands, rules: PlannerBackEnd, tools: Sequence[Mapping[str, Any]] = ()) -> None:
        """Act by hands.

        Args:
            rules: Understands sentences without a model.
            tools: All tools, as ``agent.tool_schemas`` describes them; what a model may propose of them the settings say.
        """
        self._hands = hands
        self._rules = rules
        self._tools = tools

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the four steps."""
        del context
        return line_up(GOALS.steps)

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Carry a step out."""
        match step.step.descriptor.step_id:
            case _INTERPRET.step_id:
                return {"goals": await self._interpret(context)}
            case _ORCHESTRATE.step_id:
                planned = await self._hands.run(context.values["goals"], dry=True)
                raise_first(planned)
                return {"approvals": planned.required_approvals}
            case _EXECUTE.step_id:
                return {"run": await self._hands.run(context.values["goals"])}
            case _:
                return tell_run(context, context.values["run"])

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result with the goals and the reply, no better than what became of the run."""
        if "goals" in context.values:
            result = result.with_artifact("goals", context.values["goals"])
        return add_run(context, result)

    async def _interpret(self, context: PlannerContext) -> tuple[Goal, ...]:
        """Return the goals: by the rules of the language, and only where these refuse by a model."""
        request = ProposalRequest(intent=context.parameters["text"], scope=context.scope)
        try:
            return _take_goals(await self._rules.propose(request))
        except GoalError:
            if context.model is None or not context.settings["verbs"]:
                raise
        return await self._ask(context, context.model.name, request)

    async def _ask(self, context: PlannerContext, author: str, request: ProposalRequest) -> tuple[Goal, ...]:
        settings = context.settings
        terms = ProposalTerms(verbs=tuple(settings["verbs"]), max_calls=settings["max_calls"])
        limits = AnswerLimits(
            max_calls=terms.max_calls, max_tokens=settings["answer_tokens"], timeout_s=settings["answer_s"]
        )
        text = context.render(PROPOSE, text=request.intent, max_calls=terms.max_calls)
        back_end = ModelBackEnd(context.ask, lambda _: text, limits)
        request = replace(request, tools=offer_verbs(self._tools, terms.verbs))
        if settings["project"]:
            request = await add_project(request, self._hands)
        proposal = await back_end.propose(request)
        if refusals := refuse_calls(proposal.calls, terms):
            raise GoalError(refusals[0].message, code=refusals[0].code, hint=refusals[0].hint)
        if not proposal.calls:
            raise GoalError("The model proposed nothing.", code="no_intent_match", hint="Say it in other words.")
        return make_proposed_goals(proposal.calls, (request.intent,), author, PLANNER_RULES)


def _take_goals(proposal: Proposal) -> tuple[Goal, ...]:
    """Return what the rules propose, which is what the person said."""
    return tuple(_take_goal(index, call) for index, call in enumerate(proposal.calls))


def _take_goal(index: int, call: ProposedCall) -> Goal:
    domain, _, verb = call.name.partition(".")
    return Goal(domain, verb, call.params, goal_id=f"g{index}", scope=call.scope or "root")
