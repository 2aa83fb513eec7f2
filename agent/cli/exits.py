"""Exit codes, and how an error is written."""

import sys

from core.errors import ErrorInfo, SurehandError
from core.results import RunResult

SUCCEEDED = 0
STEP_FAILED = 1
BAD_INPUT = 2
APPROVAL_MISSING = 3
OUTCOME_UNKNOWN = 4
STOPPED = 130

_APPROVAL_CODES = {"approval_missing"}


def choose_exit_code(result: RunResult) -> int:
    """Return the exit code of a run."""
    if result.errors:
        return BAD_INPUT
    if result.outcome == "cancelled":
        return STOPPED
    codes = {log.result.error.code for log in result.step_logs if log.result.error}
    if "outcome_unknown" in codes:
        return OUTCOME_UNKNOWN
    if codes & _APPROVAL_CODES:
        return APPROVAL_MISSING
    return SUCCEEDED if result.outcome == "success" else STEP_FAILED


def write_error(error: SurehandError | ErrorInfo) -> None:
    """Write an error to stderr: what happened, and below it what to do."""
    info = error.info() if isinstance(error, SurehandError) else error
    hint = f"\n  hint: {info.hint}" if info.hint else ""
    sys.stderr.write(f"error ({info.code}): {info.message}{hint}\n")
