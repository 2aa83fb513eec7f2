"""A model where the grammar refused: it proposes goals for a sentence, or refuses too. What it writes itself is marked as its own."""

from collections.abc import Mapping
from typing import Any

from agent.models.failures import fail_declined
from agent.models.instructions import instruct, list_verbs
from agent.models.proposing import MOST_TOKENS, make_steps_schema, read_steps
from core.base.scope_paths import ScopePath
from core.goals.meta_goals import MetaGoal
from core.goals.scopes import build_meta_goal
from core.language.meanings.interpretation import Interpretation
from core.planning.planners.ports import Model, ModelData, ModelQuestion
from core.planning.proposed_goals import make_proposed_goals
from core.policy.policy import Policy
from core.rules.rule_types import PlannerRule, RuleKey

HELPED = frozenset({"no_intent_match"})
"""Refusals that a model may help with: a sentence that could be understood in two ways, or lacks one word, is the person's to say."""


def may_help(interpretation: Interpretation) -> bool:
    """Tell whether a sentence was refused because nothing in it was understood, and nobody is asked what it means."""
    refusal = interpretation.refusal
    return refusal is not None and refusal.code in HELPED and not refusal.choices


def make_interpret_question(
    utterance: str, scope: ScopePath, rules: Mapping[RuleKey, PlannerRule], policy: Policy
) -> ModelQuestion:
    """Return what a model is asked about a sentence: nothing but the sentence leaves, and which verbs there are.

    Args:
        policy: Which verbs may be proposed.
    """
    verbs = list_verbs(rules, policy)
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "required": ["steps", "refusal"],
        "properties": {"steps": make_steps_schema(verbs), "refusal": {"type": "string", "maxLength": 1000}},
    }
    return ModelQuestion(
        kind="interpret",
        instructions=instruct("interpret", rules, verbs),
        schema=schema,
        scope=scope,
        data=(ModelData(label="request", text=utterance, is_tainted=False),),
        max_tokens=MOST_TOKENS,
        timeout_s=60.0,
    )


async def interpret_by_model(
    model: Model, question: ModelQuestion, utterance: str, rules: Mapping[RuleKey, PlannerRule]
) -> MetaGoal:
    """Return what a model takes a sentence to mean, as goals that the table, policy, taint and approvals will judge.

    Args:
        question: Of ``make_interpret_question``.
        utterance: The sentence; values that stand in it are the person's.

    Raises:
        ModelError: If it fails or declines, or proposes what no model may.
    """
    answer = await model.ask(question)
    name = answer.model or model.name
    steps = answer.value["steps"]
    if not steps:
        raise fail_declined(name, str(answer.value["refusal"]))
    goals = make_proposed_goals(read_steps(steps, name), (utterance,), name, rules)
    return build_meta_goal(goals, source=utterance, rationale=f"The model “{name}” proposed it.")
