"""Recorded steps in words, as a plan says them."""

from actuators.verb_table import PLANNER_RULES
from agent.recording.steps import RecordedStep
from core.base.phrases import quote_text, render_phrase


def tell_step(step: RecordedStep) -> str:
    """Return what a step does."""
    if step.goal is None:
        return step.remark
    rule = PLANNER_RULES[step.goal.domain, step.goal.verb]
    return render_phrase(rule.description_template, {**rule.default_params, **step.goal.params})


def tell_expectation(step: RecordedStep) -> str:
    """Return what could be expected after a step; empty for nothing."""
    expected = step.expectation
    if "role" in expected:
        return f"{expected['role']} {quote_text(expected['name'])} in {expected['window']}"
    if "text" in expected:
        return f"the text {quote_text(expected['text'])}"
    if "selector" in expected:
        return expected["selector"]
    if "title" in expected:
        return f"the title {quote_text(expected['title'])}"
    return f"the address {expected['url']}" if expected else ""
