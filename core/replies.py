"""The reply: one or two sentences about what happened, made from step results only."""

from collections.abc import Sequence
from typing import Any

from core.phrases import escape_text, join_phrases
from core.results import RunOutcome, StepLog

_SPOKEN_STEPS = 4
_LONGEST = 160
_INNER_QUOTES = str.maketrans("“”", "‘’")
"""What a page said can't close the quotation marks that it stands between."""


def judge_outcome(steps: Sequence[StepLog]) -> RunOutcome:
    """Return the outcome of a run from its steps."""
    statuses = {step.result.status for step in steps}
    if statuses <= {"ok"}:
        return "success"
    if "cancelled" in statuses:
        return "cancelled"
    return "partial" if "ok" in statuses else "failed"


def compose_reply(steps: Sequence[StepLog], outcome: RunOutcome) -> str:
    """Return what to tell the person.

    Args:
        steps: In plan order.
        outcome: Of the run.

    Returns:
        Never empty. What pages said appears only between quotation marks.
    """
    done = [step for step in steps if step.result.status == "ok"]
    sentences = [_tell_done(done)] if done else []
    sentences += [_tell_failure(step) for step in steps if step.result.status in {"failed", "refused"}]
    left_out = sum(step.result.status in {"skipped", "cancelled"} for step in steps)
    if outcome == "cancelled":
        sentences.append(f"I was stopped, and left out {_count(left_out)}.")
    elif left_out:
        sentences.append(f"So I left out {_count(left_out)}.")
    return " ".join(sentences) or "There was nothing to do."


def _count(number: int) -> str:
    return "one step" if number == 1 else f"{number} steps"


def _tell_done(done: Sequence[StepLog]) -> str:
    told = [_phrase(step) for step in done]
    if len(done) > _SPOKEN_STEPS:
        seen = [_phrase(step) for step in done[:-1] if _quote(step)]
        told = [f"did {_count(len(done))}", *seen, f"finally {told[-1]}"]
    unverified = [step for step in done if step.result.effect == "unverified"]
    note = f" I could not read back whether {_count(len(unverified))} took effect." if unverified else ""
    return f"I {join_phrases(told)}.{note}"


def _phrase(step: StepLog) -> str:
    quoted, summary = _quote(step), _fold(step.summary)
    return f"{summary}: {quoted}" if quoted else summary


def _quote(step: StepLog) -> str:
    text: Any = step.result.output.get("text") if step.result.effect == "none" else None
    if not isinstance(text, str) or not text.strip():
        return ""
    folded = _fold(text).translate(_INNER_QUOTES)
    return f"“{folded[:_LONGEST]}{'…' if len(folded) > _LONGEST else ''}”"


def _fold(text: str) -> str:
    """Return a text as one line without invisible characters."""
    return escape_text(" ".join(text.split()))


def _tell_failure(step: StepLog) -> str:
    error = step.result.error
    reason = _fold(str(error)) if error else "It did not succeed."
    return f"This failed: {_fold(step.description)}. {reason}"
