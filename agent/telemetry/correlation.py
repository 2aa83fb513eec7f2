"""The correlation id: what a request has in common with its log lines, spans and answer."""

import re
import uuid
from contextvars import ContextVar

CORRELATION_ID: ContextVar[str] = ContextVar("correlation_id", default="")
"""Of the request that is being answered; what it begins in the background has it, too."""

_GIVEN = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def choose_correlation_id(given: str) -> str:
    """Return the id that a client gave, or a new one where it gave none that is fit for a log line."""
    return given if _GIVEN.fullmatch(given) else uuid.uuid4().hex
