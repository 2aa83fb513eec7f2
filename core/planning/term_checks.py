"""Whether the terms of a goal fit its verb: only what is harmless may be repeated, and only what looks may be asked."""

from core.base.errors import ErrorInfo
from core.goals.meta_goals import Goal
from core.rules.rule_types import PlannerRule


def find_term_fault(goal: Goal, rule: PlannerRule | None) -> ErrorInfo | None:
    """Return why a goal can't be planned on its terms; None if it can.

    Args:
        rule: Of its verb; None where there is no such verb, which is another fault.
    """
    if rule is None:
        return None
    if goal.terms.attempts > 1 and rule.repeat != "safe":
        text = f"{goal.name} can't be retried: doing it twice may do it twice."
        hint = "Retry only verbs that look or open, such as the step that waits for what you need."
        return ErrorInfo("not_repeatable", text, hint)
    if goal.terms.is_question and rule.action_class != "observe":
        text = f"{goal.name} can't be a condition: it changes something."
        return ErrorInfo("bad_condition", text, "Use a verb that only looks, such as expect.")
    return None
