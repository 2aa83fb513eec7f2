"""What a service refused, as the error that it raised there."""

import json
from collections.abc import Mapping
from typing import Any, Final

from core.base.errors import (
    ActionError,
    ApprovalError,
    ErrorInfo,
    InputError,
    JournalError,
    RefusedError,
    SurehandError,
)

_KINDS: Final[Mapping[int, type[SurehandError]]] = {400: InputError, 413: InputError, 415: InputError, 422: InputError}
_FAMILIES: Final[Mapping[str, type[SurehandError]]] = {"approval_": ApprovalError, "journal_": JournalError}


def read_error(status: int, body: bytes) -> SurehandError:
    """Return the error of an answer, of the class that it is of here."""
    try:
        return read_told_error(json.loads(body), status)
    except (ValueError, TypeError):
        return read_told_error({}, status)


def read_told_error(told: Mapping[str, Any], status: int = 409) -> SurehandError:
    """Return an error that a service told, of the class that it is of here."""
    try:
        info = read_info(told["error"])
    except (TypeError, KeyError):
        return SurehandError(f"The service answered {status} and did not say why.", code="internal_error")
    kind = next((each for beginning, each in _FAMILIES.items() if info.code.startswith(beginning)), None)
    usual = RefusedError if status < 500 or status == 503 else ActionError
    return (kind or _KINDS.get(status, usual))(info.message, code=info.code, hint=info.hint, evidence=info.evidence)


def read_info(told: Mapping[str, Any]) -> ErrorInfo:
    """Return an error that is written as data.

    Raises:
        KeyError: If it lacks a code or a message.
    """
    evidence = told.get("evidence")
    return ErrorInfo(
        str(told["code"]),
        str(told["message"]),
        str(told.get("hint") or ""),
        evidence if isinstance(evidence, Mapping) else {},
    )
