"""Receipts of steps that nobody carried out, and what decides whether a step is: what came of those before it."""

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.base.errors import ErrorInfo, SurehandError
from core.execution.conditions import Decision, decide_need, log_not_needed
from core.goals.references import find_references
from core.planning.plans import PlannedAction
from core.results.replies import is_not_needed
from core.results.tool_results import Status, StepLog, ToolResult

if TYPE_CHECKING:
    from core.execution.progress import ExecutionProgress

_REASONS: Mapping[str, str] = {
    "already_exists": "it already exists",
    "app_failed": "the application ended with an error",
    "app_missing": "application not found",
    "approval_missing": "not approved",
    "approval_void": "the approval is no longer valid",
    "bad_selector": "the selector can't be understood",
    "browser_missing": "no browser",
    "browser_start_failed": "the browser did not start",
    "budget_exhausted": "the run's budget is used up",
    "changed_since": "it was changed meanwhile",
    "command_failed": "the command failed",
    "count_differs": "found more or less often than expected",
    "device_missing": "device not found",
    "dns_failed": "host not found",
    "expectation_failed": "not as expected",
    "file_missing": "file not found",
    "http_status": "the server answered with an error",
    "internal_error": "a fault in Surehand",
    "journal_unavailable": "the journal can't be written",
    "missing_secret": "secret not found",
    "navigation_failed": "the page could not be reached",
    "navigation_timeout": "the page did not load in time",
    "no_page": "no page is open",
    "no_permission": "not permitted",
    "no_space": "no space left",
    "not_found": "file not found",
    "not_possible": "not possible now",
    "not_settled": "nothing changed in time",
    "not_supported_here": "not supported on this machine",
    "outcome_unknown": "its outcome is unknown",
    "outside_roots": "outside the allowed folders",
    "page_closed": "the page was closed",
    "page_crashed": "the page crashed",
    "person_active": "somebody was typing",
    "player_missing": "player not found",
    "process_missing": "process not found",
    "reference_missing": "a value it refers to is missing",
    "refused_by_policy": "forbidden by policy",
    "seat_taken": "another run has the keyboard",
    "server_missing": "a service does not answer",
    "session_lost": "its page or window is gone",
    "target_ambiguous": "several elements match",
    "target_covered": "the element is covered",
    "target_detached": "the element went away",
    "target_disabled": "the element is disabled",
    "target_hidden": "the element is hidden",
    "target_missing": "no element matches",
    "target_moving": "the element is moving",
    "target_off_screen": "the element is off the screen",
    "target_readonly": "the field is read-only",
    "target_unsuitable": "wrong kind of element",
    "timed_out": "it took too long",
    "too_many_files": "too many open files",
    "unreachable": "server not reachable",
    "value_differs": "the page did not keep the value",
    "window_missing": "window not found",
    "wrong_type": "wrong kind of file",
}


def tell_code(code: str) -> str:
    """Return a code in a few words; one that has none of its own is spelled out."""
    return _REASONS.get(code) or code.replace("_", " ")


NOT_SELECTED = ErrorInfo("not_selected", "This step was not selected.")

_ENDED = {"failed": "failed", "refused": "was refused", "cancelled": "was stopped", "skipped": "was left out"}


def record(progress: "ExecutionProgress", log: StepLog) -> None:
    """Take a receipt, with the scope of its goal."""
    progress.record(add_scope(log, progress))


def add_scope(log: StepLog, progress: "ExecutionProgress") -> StepLog:
    """Return a receipt that says for whom and within what it is."""
    return log if log.scope else replace(log, scope=progress.run.name_scope(log.goal_id))


def check_need(action: PlannedAction, progress: "ExecutionProgress") -> bool:
    """Return whether an action is needed; one that isn't gets its receipt."""
    if not action.terms.conditions and not progress.not_needed:
        return True
    try:
        decision = decide_need(action, gather_outputs(action, progress), progress.not_needed)
    except SurehandError as error:
        record(progress, log_unstarted(action, "refused", error.info()))
        return False
    if decision.lack:
        leave_out(action, decision, progress)
    elif decision.evidence:
        progress.decided[action.action_id] = progress.run.vault.redact(decision.evidence)
    return decision.lack is None


def leave_out(action: PlannedAction, decision: Decision, progress: "ExecutionProgress") -> None:
    """Write down that an action was not needed."""
    progress.not_needed[action.goal_id] = action.description
    record(progress, progress.run.vault.redact(log_not_needed(action, decision)))


def find_cause(action_id: str, progress: "ExecutionProgress") -> StepLog | None:
    """Return the step whose end keeps an action from being done: the first that went wrong, not one skipped for it."""
    terms = progress.graph.nodes[action_id].terms
    for parent in () if terms.always else progress.graph.parents(action_id):
        log, before = progress.logs[parent], progress.graph.nodes[parent]
        names = {before.goal_id, before.terms.round_of, *before.terms.rounds_above}
        is_followed = not names.isdisjoint(terms.follows)
        if log.result.status == "ok" or is_not_needed(log) or is_followed:
            continue
        return progress.causes.get(parent, log)
    return None


def gather_outputs(action: PlannedAction, progress: "ExecutionProgress") -> dict[str, Mapping[str, Any]]:
    """Return by goal id what the steps before an action gave; others may or may not have run yet, so they don't count."""
    wanted = {each.goal_id for each in (*action.terms.references, *find_references(action.args))}
    return gather_above(action, progress, wanted) if wanted else {}


def gather_above(
    action: PlannedAction, progress: "ExecutionProgress", wanted: Collection[str] = ()
) -> dict[str, Mapping[str, Any]]:
    """Return by goal id what all steps before an action gave that have ended.

    Args:
        wanted: Goals after which nothing further up is looked at. A step waits for those that it refers to, so that they are the nearest.
    """
    found: dict[str, Mapping[str, Any]] = {}
    waiting = deque(progress.graph.parents(action.action_id))
    seen = set(waiting)
    while waiting and not (wanted and found.keys() >= set(wanted)):
        action_id = waiting.popleft()
        if log := progress.logs.get(action_id):
            found[log.goal_id] = {**log.result.output, **found.get(log.goal_id, {})}
        fresh = [parent for parent in progress.graph.parents(action_id) if parent not in seen]
        seen.update(fresh)
        waiting += fresh
    return found


def log_skipped(action: PlannedAction, cause: StepLog, number: int) -> StepLog:
    """Return the log of an action that another one keeps from being done; ``number`` is the other's place in the plan."""
    error = cause.result.error
    code = NOT_SELECTED.code if error and error.code == NOT_SELECTED.code else "skipped"
    reason = f" ({tell_code(error.code)})" if error and error.code != "stopped" else ""
    ended = f"{_ENDED.get(cause.result.status, 'was not done')}{reason}"
    text = f"Skipped: step {number} {ended if code == 'skipped' else 'was not selected'}."
    return log_unstarted(action, "skipped", ErrorInfo(code, text, evidence={"cause": cause.action_id}))


def log_unstarted(action: PlannedAction, status: Status, error: ErrorInfo) -> StepLog:
    """Return the log of an action that nobody carried out."""
    result = ToolResult(status, error=error)
    return StepLog(action.action_id, action.goal_id, action.name, action.description, result)
