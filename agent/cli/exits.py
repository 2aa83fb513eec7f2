"""Exit codes."""

from core.results import RunResult

SUCCEEDED = 0
STEP_FAILED = 1
BAD_INPUT = 2
APPROVAL_MISSING = 3
OUTCOME_UNKNOWN = 4
STOPPED = 130


def choose_exit_code(result: RunResult) -> int:
    """Return the exit code of a run."""
    if result.errors:
        return BAD_INPUT
    if result.outcome == "cancelled":
        return STOPPED
    codes = {log.result.error.code for log in result.step_logs if log.result.error}
    if "outcome_unknown" in codes:
        return OUTCOME_UNKNOWN
    if "approval_missing" in codes:
        return APPROVAL_MISSING
    return SUCCEEDED if result.outcome == "success" else STEP_FAILED
