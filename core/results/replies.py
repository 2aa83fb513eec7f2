"""The reply: one or two sentences about what happened, made from step results only."""

from collections.abc import Sequence
from typing import Any

from core.base.errors import ApprovalError, ErrorInfo
from core.base.phrases import cut_text, fold_text, join_phrases, quote_text
from core.results.attendance import ENDED, INCOMPLETE, UNSENT, list_dialogs, tell_ended, tell_incomplete, tell_unsent
from core.results.tool_results import RunOutcome, StepLog

NOT_NEEDED = "not_needed"
"""Code of a step that was left out because a condition said so."""

_SPOKEN_STEPS = 4
_SPOKEN_FAILURES = 3
_LONGEST = 160
_LONGEST_REASON = 400


def judge_outcome(steps: Sequence[StepLog]) -> RunOutcome:
    """Return the outcome of a run from its steps; those that the person did not select, or that were not needed, don't count."""
    statuses = {step.result.status for step in steps if not (is_unselected(step) or is_not_needed(step))}
    if statuses <= {"ok"}:
        return "success"
    if "cancelled" in statuses:
        return "cancelled"
    return "partial" if "ok" in statuses else "failed"


def is_unselected(step: StepLog) -> bool:
    """Tell whether a step was left out because it, or what it depends on, was not selected."""
    error = step.result.error
    return step.result.status == "skipped" and error is not None and error.code == "not_selected"


def is_not_needed(step: StepLog) -> bool:
    """Tell whether a step was left out because it was not needed: no failure, and what waits for it goes on."""
    error = step.result.error
    return step.result.status == "skipped" and error is not None and error.code == NOT_NEEDED


def compose_reply(steps: Sequence[StepLog], outcome: RunOutcome) -> str:
    """Return what to tell the person, never nothing.

    What was read appears only between quotation marks, with where it was read; of a long text its first line.
    """
    done = [step for step in steps if step.result.status == "ok"]
    sentences = [_tell_done(done)] if done else []
    ended = [each for step in done for each in step.result.evidence.get(ENDED, ())]
    sentences += [told] if (told := tell_ended(ended)) else []
    sentences += [told for step in done for told in list_dialogs(step.result.evidence)]
    sentences += _tell_incomplete(done) + _tell_unsent(done)
    failed = [step for step in steps if step.result.status in {"failed", "refused"}]
    sentences += [_tell_failure(step) for step in failed[:_SPOKEN_FAILURES]]
    if others := len(failed[_SPOKEN_FAILURES:]):
        sentences.append(f"And {'one more step' if others == 1 else f'{others} more steps'} failed.")
    sentences += _tell_left_out(steps, outcome)
    return " ".join(sentences) or "There was nothing to do."


def _tell_incomplete(done: Sequence[StepLog]) -> list[str]:
    """Return what is said of pages that were read though policy kept something from them; a failure says so itself."""
    told = (tell_incomplete(step.result.evidence.get(INCOMPLETE, {})) for step in done)
    return [each for each in dict.fromkeys(told) if each]


def _tell_unsent(done: Sequence[StepLog]) -> list[str]:
    told = (tell_unsent(str(step.result.evidence.get(UNSENT, ""))) for step in done)
    return [each for each in dict.fromkeys(told) if each]


def compose_refusal(errors: Sequence[ErrorInfo]) -> str:
    """Return what to tell the person about a request that was not carried out; never empty."""
    told = [cut_text(fold_text(str(error)), _LONGEST_REASON) for error in errors[:_SPOKEN_FAILURES]]
    if others := len(errors[_SPOKEN_FAILURES:]):
        told.append(f"There {'is one more error' if others == 1 else f'are {others} more errors'}.")
    return " ".join(told) or "There is nothing to do."


def _count(number: int) -> str:
    return "one step" if number == 1 else f"{number} steps"


def _tell_left_out(steps: Sequence[StepLog], outcome: RunOutcome) -> list[str]:
    """Return what is said of the steps that didn't happen, and of those that may have, if there are any."""
    unselected = sum(map(is_unselected, steps))
    told = (
        [f"{_count(unselected).capitalize()} {'was' if unselected == 1 else 'were'} not selected."]
        if unselected
        else []
    )
    if unneeded := sum(map(is_not_needed, steps)):
        told.append(f"{_count(unneeded).capitalize()} {'was' if unneeded == 1 else 'were'} not needed.")
    counted = [step for step in steps if not (is_unselected(step) or is_not_needed(step))]
    return told + _tell_missed(counted, outcome)


def _tell_missed(steps: Sequence[StepLog], outcome: RunOutcome) -> list[str]:
    missed = [step for step in steps if step.result.status in {"skipped", "cancelled"}]
    begun = sum(step.result.effect == "unverified" for step in missed)
    left_out = f"left out {_count(len(missed) - begun)}" if len(missed) > begun else ""
    if outcome != "cancelled":
        return [f"So I {left_out}."] if left_out else []
    told = [f"I was stopped, and {left_out}." if left_out else "I was stopped."]
    if begun:
        told.append(f"I had begun {_count(begun)}; whether {'it' if begun == 1 else 'they'} took effect is unknown.")
    return told


def _tell_done(done: Sequence[StepLog]) -> str:
    told = [_phrase(step) for step in done]
    if len(done) > _SPOKEN_STEPS:
        seen = [_phrase(step) for step in done[:-1] if _quote(step)][-_SPOKEN_STEPS:]
        told = [f"did {_count(len(done))}", *seen, f"finally {told[-1]}"]
    unverified = [step for step in done if step.result.effect == "unverified"]
    note = f" I could not read back whether {_count(len(unverified))} took effect." if unverified else ""
    return f"I {join_phrases(told)}.{note}"


def _phrase(step: StepLog) -> str:
    quoted, summary = _quote(step), cut_text(fold_text(step.summary), _LONGEST)
    if not quoted:
        return summary
    return f"{summary}; {step.origins[0].speak()} says: {quoted}" if step.origins else f"{summary}: {quoted}"


def _quote(step: StepLog) -> str:
    text: Any = step.result.output.get("text") if step.result.effect == "none" else None
    if not isinstance(text, str) or not text.strip():
        return ""
    first, *others = text.strip().split("\n")
    if not others or len(text) <= _LONGEST:
        return quote_text(text, _LONGEST)
    return f"{quote_text(first, _LONGEST)} and {_count_lines(len(others))}"


def _count_lines(number: int) -> str:
    return "one more line" if number == 1 else f"{number:,} more lines"


def _tell_failure(step: StepLog) -> str:
    error = step.result.error
    reason = cut_text(fold_text(str(error)), _LONGEST_REASON) if error else "It failed."
    what = "Not done" if error and error.code == ApprovalError.code else "This failed"
    return f"{what}: {cut_text(fold_text(step.description), _LONGEST)}. {reason}"
