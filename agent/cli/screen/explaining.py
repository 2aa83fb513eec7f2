"""What `surehand interpret --explain` shows beside the goals: how each part of a sentence was understood."""

from collections.abc import Callable
from typing import Any

from core.goals.meta_goals import Goal, MetaGoal
from core.goals.references import find_references
from core.language.frames.weighing import Evidence
from core.language.meanings.interpretation import Clause, Interpretation
from core.results.records import to_data

Weigh = Callable[[str], list[Evidence]]


def _weigh_nothing(_part: str) -> list[Evidence]:
    return []


def explain_clauses(interpretation: Interpretation, weigh: Weigh = _weigh_nothing) -> list[dict[str, Any]]:
    """Return for each goal, or for each part in front of what was refused: its span, phrase, slots, references and scope.

    With them goes which words carried what, and the next best frame. A part that was refused comes last, with the frame
    that is nearest to it and what that leaves over.

    Args:
        weigh: Returns what speaks for each frame in a part of the utterance, the nearest first.
    """
    explained = _explain_understood(interpretation, weigh)
    refusal = interpretation.refusal
    if refusal and refusal.clause:
        explained.append({"text": refusal.clause, "refused": refusal.code, **_explain_nearest(weigh(refusal.clause))})
    return explained


def _explain_understood(interpretation: Interpretation, weigh: Weigh) -> list[dict[str, Any]]:
    meta_goal = interpretation.meta_goal
    if meta_goal is None:
        return [_explain_clause(clause, weigh) for clause in interpretation.clauses]
    if not interpretation.clauses:  # a model's goals have none
        return [{"goal": goal.goal_id, **_explain_goal(goal, meta_goal)} for goal in meta_goal.goals]
    pairs = zip(interpretation.clauses, meta_goal.goals, strict=True)
    return [
        {"goal": goal.goal_id, **_explain_clause(clause, weigh), **_explain_goal(goal, meta_goal)}
        for clause, goal in pairs
    ]


def _explain_clause(clause: Clause, weigh: Weigh) -> dict[str, Any]:
    evidence = weigh(clause.text)
    name = f"{clause.domain}.{clause.verb}"
    chosen = next((each for each in evidence if f"{each.name}: {each.frame}" == clause.pattern), None)
    rivals = [each for each in evidence if each.name != name]
    return {
        "start": clause.start,
        "end": clause.end,
        "text": clause.text,
        "pattern": clause.pattern,
        "slots": to_data(clause.slots),
        "words": [{"words": each.words, "part": each.part} for each in chosen.parts]
        if chosen
        else _split_phrase(clause),
        "next_best": _explain_evidence(rivals[0]) if rivals else None,
    }


def _split_phrase(clause: Clause) -> list[dict[str, Any]]:
    """Return which words of a clause filled which slot of its phrase; the others are words of the phrase."""
    found: list[dict[str, Any]] = []
    end = clause.start
    for slot in sorted(clause.slots, key=lambda each: each.start):
        between = clause.text[end - clause.start : slot.start - clause.start].strip()
        found += [{"words": between, "part": "phrase"}] if between else []
        found.append(
            {"words": clause.text[slot.start - clause.start : slot.end - clause.start], "part": f"{{{slot.name}}}"}
        )
        end = slot.end
    rest = clause.text[end - clause.start :].strip()
    return [*found, {"words": rest, "part": "phrase"}] if rest else found


def _explain_nearest(evidence: list[Evidence]) -> dict[str, Any]:
    nearest = evidence[0] if evidence else None
    rivals = [each for each in evidence if nearest and each.name != nearest.name]
    return {
        "nearest": _explain_evidence(nearest) if nearest else None,
        "next_best": _explain_evidence(rivals[0]) if rivals else None,
    }


def _explain_evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "verb": evidence.name,
        "frame": evidence.frame,
        "words": [{"words": each.words, "part": each.part} for each in evidence.parts],
        "left_over": list(evidence.left),
        "missing": list(evidence.missing),
    }


def _explain_goal(goal: Goal, meta_goal: MetaGoal) -> dict[str, Any]:
    return {
        "references": [str(reference) for reference in find_references(dict(goal.params))],
        "scope": goal.scope,
        "waits_for": list(meta_goal.dependencies.get(goal.goal_id, ())),
    }
