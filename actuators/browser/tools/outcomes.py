"""What an act comes to: evidence and effect, out of what a back end saw."""

from typing import Any

from actuators.browser.ports.pages import Done
from core.results.tool_results import Effect, ToolOutcome

CLICK_UNDO = "A click can't be undone; what it caused may be."
_ASKING = frozenset({"confirm", "prompt", "beforeunload"})


def tell(done: Done, undo: str) -> ToolOutcome:
    """Return the outcome of an act.

    Questions of the page that were answered no because nothing in the plan answers them weaken it: what the act did may have
    depended on the answer, so that nothing is confirmed by it any more.
    """
    evidence: dict[str, Any] = {**done.facts, **done.meanwhile}
    effect = judge(is_sure=done.is_sure)
    if questions := [each["message"] or "whether to leave it" for each in done.dismissed if each["kind"] in _ASKING]:
        asked = ", ".join(f"“{each}”" for each in questions)
        evidence["note"] = f"The page asked {asked}, and was answered no, since nothing in the plan answers it."
        effect = "unverified"
    return ToolOutcome(done.output, effect, evidence, undo)


def judge(*, is_sure: bool) -> Effect:
    """Return the effect of an act: confirmed only if what was read back proves it."""
    return "confirmed" if is_sure else "unverified"
