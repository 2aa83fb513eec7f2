"""Snapshots of plans and transcripts: a small text that a person can read, kept beside the tests and compared with what is now."""

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.base.phrases import fold_text
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, StepRecord
from core.planning.planners.transcripts import TranscriptEntry

UPDATE_VARIABLE = "SUREHAND_UPDATE_SNAPSHOTS"
"""Set to 1, it makes `check_snapshot` write what is now in place of comparing it."""


def describe_plan(steps: Iterable[PlannerStepInstance]) -> str:
    """Return a plan as text: a line for each step, what it waits for, what it is about."""
    return _join(line for step in steps for line in _describe_step(step))


def describe_transcript(entries: Iterable[TranscriptEntry], *, tokens: bool = True) -> str:
    """Return a transcript as text: each entry below the one that it happened in."""
    return _join(line for entry in entries for line in _describe_entry(entry, 0, tokens=tokens))


def describe_result(result: PlannerResult) -> str:
    """Return what came of a planner's run, without what differs from run to run: times."""
    lines = [f"{result.planner_id}: {result.outcome}", f"scope: {result.scope}"]
    lines += map(_describe_record, result.completed)
    lines += [f"outstanding: {each}" for each in result.outstanding]
    lines += [f"error: {each.code}: {fold_text(each.message)}" for each in result.errors]
    lines += [f"diagnostic: {fold_text(each)}" for each in result.diagnostics]
    lines += [f"artifact {name}: {_tell(value)}" for name, value in sorted(result.artifacts.items())]
    return _join(
        [*lines, "transcript:", *(f"  {line}" for line in describe_transcript(result.transcript).splitlines())]
    )


def check_snapshot(text: str, path: Path, *, update: bool | None = None) -> None:
    """Check that a text is what was kept.

    Args:
        path: Where it is kept; made, with its folder, where it is to be updated.
        update: Whether to keep this text instead; None to ask the environment variable.

    Raises:
        AssertionError: If it differs, or nothing is kept; the message shows the difference and how to keep the new text.
    """
    if (os.environ.get(UPDATE_VARIABLE, "") not in {"", "0"}) if update is None else update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    how = f"If that is right, run the test again with {UPDATE_VARIABLE}=1 and read what changed before you commit it."
    if not path.exists():
        raise AssertionError(f"No snapshot is kept in {path}. {how}")
    kept = path.read_text(encoding="utf-8")
    if kept != text:
        names = (f"kept in {path.name}", "now")
        diff = difflib.unified_diff(kept.splitlines(), text.splitlines(), *names, lineterm="")
        raise AssertionError("\n".join([f"It isn't what is kept in {path}:", *diff, how]))


def _describe_step(step: PlannerStepInstance) -> Iterator[str]:
    descriptor = step.step.descriptor
    after = f" after {', '.join(step.depends_on)}" if step.depends_on else ""
    beside = " (beside others)" if descriptor.is_parallel else ""
    yield f"{step.instance_id}: {descriptor.step_id}{after}{beside}"
    for name, value in step.values.items():
        yield f"  {name} = {_tell(value)}"
    for line in step.instructions.splitlines():
        yield f"  > {fold_text(line)}"


def _describe_entry(entry: TranscriptEntry, depth: int, *, tokens: bool) -> Iterator[str]:
    margin = "  " * depth
    marks = [f"{entry.tokens} tokens"] if tokens and entry.tokens else []
    marks += ["tainted"] if entry.is_tainted else []
    first, *more = entry.text.splitlines() or [""]
    told = f" ({', '.join(marks)})" if marks else ""
    yield f"{margin}{entry.kind}{told}: {fold_text(first)}".rstrip()
    for line in more:
        yield f"{margin}  | {fold_text(line)}".rstrip()
    for inner in entry.inner:
        yield from _describe_entry(inner, depth + 1, tokens=tokens)


def _describe_record(record: StepRecord) -> str:
    tries = f", {record.iteration} tries" if record.iteration > 1 else ""
    error = f": {record.error.code}" if record.error else ""
    return f"{record.instance_id}: {record.status}{tries}{error}"


def _tell(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_tell(value[key])}' for key in sorted(value, key=str))}}}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"[{', '.join(map(_tell, value))}]"
    return fold_text(str(value))


def _join(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
