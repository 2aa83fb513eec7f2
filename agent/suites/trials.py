"""One run of a flow as a test: what came of it, and what that means."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agent.reports.results import (
    FlowOutcome,
    StepLine,
    list_maps,
    list_steps,
    take_map,
    tell_error,
)
from agent.settings.folder_checks import locate_state
from agent.store.session_files import KeptRun, SessionFiles
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.results.records import to_data
from core.results.tool_results import RunResult

STOPPED: FlowOutcome = "skipped"
NOTHING_DONE: FlowOutcome = "error"

_APPROVAL_CODES = "approval_"
"""How codes begin that say that nobody agreed."""

_NOBODY = "Tests ask nobody, and no option of theirs grants this: surehand run asks."
_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class FlowTrial:
    """What came of one run of a flow.

    Attributes:
        outcome: ``passed``, ``failed``, ``error`` (nothing was done) or ``skipped`` (it was stopped).
        error: What went wrong, why, and what to do; empty where nothing did.
        document: What is kept of the run; empty where nothing is.
    """

    outcome: FlowOutcome
    error: str
    workspace: Path
    steps: tuple[StepLine, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ms: float = 0.0

    @property
    def kept(self) -> KeptRun:
        """What is kept of it, as reports take it; its id is empty where nothing is."""
        return KeptRun(str(self.document.get("run_id", "")), self.document)

    @property
    def trouble(self) -> StepLine | None:
        """The step that went wrong first; None where none did."""
        return next((step for step in self.steps if step.is_trouble), None)

    @property
    def may_be_repeated(self) -> bool:
        """Whether it might end otherwise in a fresh session: a question that nobody may answer would be there again."""
        return self.outcome == "failed" and not any(step.code.startswith(_APPROVAL_CODES) for step in self.steps)


def find_log(document: Mapping[str, Any], step: StepLine | None) -> Mapping[str, Any]:
    """Return what is kept of a step of a run; empty where nothing is."""
    logs = list_maps(document.get("step_logs"))
    return next((each for each in logs if step and each.get("action_id") == step.action_id), _NOTHING)


def judge(result: RunResult, workspace: Path, lines: Mapping[str, int]) -> FlowTrial:
    """Return what a run means for a test; blocks."""
    document = _read_kept(workspace, result)
    told = document or to_data(result)
    steps = list_steps(told, lines)
    trial = FlowTrial("passed", "", workspace, steps, document)
    if result.outcome == "cancelled":
        done = sum(step.status == "ok" for step in steps)
        return replace(trial, outcome=STOPPED, error=f"Stopped: {done} of {len(steps)} steps were done.")
    if result.errors:
        return replace(trial, outcome=NOTHING_DONE, error=" ".join(tell_error(to_data(each)) for each in result.errors))
    if result.outcome == "success":
        return trial
    return replace(trial, outcome="failed", error="\n".join(_list_trouble(trial.trouble, told)))


def _list_trouble(step: StepLine | None, told: Mapping[str, Any]) -> Iterator[str]:
    if step is None:
        yield "The run failed, and no step says why."
        return
    yield f"Step {step.number}{f' (line {step.line})' if step.line else ''}: {step.title}"
    error = take_map(take_map(find_log(told, step), "result"), "error")
    yield from filter(None, (str(error.get("message", "")) or step.text, str(error.get("hint", ""))))
    if step.code.startswith(_APPROVAL_CODES) and "--yes" not in str(error.get("hint", "")):
        yield _NOBODY


def _read_kept(workspace: Path, result: RunResult) -> Mapping[str, Any]:
    try:
        return SessionFiles(locate_state(workspace)).find(result.run_id).document
    except (SurehandError, OSError):
        return _NOTHING
