"""Exit codes."""

from typing import TYPE_CHECKING

from core.base.errors import ActionError

if TYPE_CHECKING:
    from core.results.tool_results import RunResult, StepLog

SUCCEEDED = 0
STEP_FAILED = 1
BAD_INPUT = 2
APPROVAL_MISSING = 3
OUTCOME_UNKNOWN = 4
STOPPED = 130


def choose_error_code(error: Exception) -> int:
    """Return the exit code of a command that was ended by an error: whether something was tried, or nothing."""
    if str(getattr(error, "code", "")).startswith("approval_"):
        return APPROVAL_MISSING
    return STEP_FAILED if isinstance(error, ActionError | OSError) else BAD_INPUT


def choose_exit_code(result: "RunResult") -> int:
    """Return the exit code of a run."""
    if result.errors:
        return STOPPED if result.outcome == "cancelled" else BAD_INPUT
    if any(map(_is_unknown, result.step_logs)):  # tells more than that somebody stopped it
        return OUTCOME_UNKNOWN
    if result.outcome == "cancelled":
        return STOPPED
    codes = {log.result.error.code for log in result.step_logs if log.result.error}
    if any(code.startswith("approval_") for code in codes):
        return APPROVAL_MISSING
    return SUCCEEDED if result.outcome == "success" else STEP_FAILED


def _is_unknown(log: "StepLog") -> bool:
    """Tell whether nobody knows if a step was done: it says so itself, or was stopped in the middle of its act."""
    result = log.result
    stopped_acting = result.status == "cancelled" and result.effect == "unverified"
    return stopped_acting or (result.error is not None and result.error.code == "outcome_unknown")
