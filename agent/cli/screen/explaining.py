"""What `surehand interpret --explain` shows beside the goals: how each part of a sentence was understood."""

from typing import Any

from core.goals.meta_goals import Goal, MetaGoal
from core.goals.references import find_references
from core.language.interpretation import Clause, Interpretation
from core.results.records import to_data


def explain_clauses(interpretation: Interpretation) -> list[dict[str, Any]]:
    """Return for each goal, or for each part in front of what was refused: its span, phrase, slots, references and scope."""
    meta_goal = interpretation.meta_goal
    if meta_goal is None:
        return [_explain_clause(clause) for clause in interpretation.clauses]
    if not interpretation.clauses:  # a model's goals have none
        return [{"goal": goal.goal_id, **_explain_goal(goal, meta_goal)} for goal in meta_goal.goals]
    pairs = zip(interpretation.clauses, meta_goal.goals, strict=True)
    return [
        {"goal": goal.goal_id, **_explain_clause(clause), **_explain_goal(goal, meta_goal)} for clause, goal in pairs
    ]


def _explain_clause(clause: Clause) -> dict[str, Any]:
    return {
        "start": clause.start,
        "end": clause.end,
        "text": clause.text,
        "pattern": clause.pattern,
        "slots": to_data(clause.slots),
    }


def _explain_goal(goal: Goal, meta_goal: MetaGoal) -> dict[str, Any]:
    return {
        "references": [str(reference) for reference in find_references(dict(goal.params))],
        "scope": goal.scope,
        "waits_for": list(meta_goal.dependencies.get(goal.goal_id, ())),
    }
