"""What a question of the page does to the outcome of the step that made the page ask it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.results.tool_results import ToolOutcome

ASKING = frozenset({"confirm", "prompt", "beforeunload"})


def weaken_by_questions(outcome: ToolOutcome, dismissed: Sequence[Mapping[str, Any]]) -> ToolOutcome:
    """Return an outcome that says which questions were answered no because nothing in the plan answers them.

    What the act did may have depended on the answer, so that nothing is confirmed by it any more.

    Args:
        outcome: Of the act.
        dismissed: The dialogs, each with ``kind`` and ``message``.
    """
    questions = [each["message"] or "whether to leave it" for each in dismissed if each["kind"] in ASKING]
    asked = ", ".join(f"“{each}”" for each in questions)
    if not asked:
        return outcome
    note = f"The page asked {asked}, and got the answer no, because nothing in the plan answers it."
    return replace(outcome, effect="unverified", evidence={**outcome.evidence, "note": note})
