"""Moments as people write them: a date, a time, or an age."""

import re
from datetime import datetime, timedelta

from core.base.errors import InputError
from core.base.phrases import escape_text

_AGE = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s*([smhdw])", re.IGNORECASE)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_moment(text: str, now: datetime) -> int:
    """Return in nanoseconds since 1970 an ISO date or time (local unless it says otherwise), or an age such as ``2h``, ``3d``, ``1w``.

    Raises:
        InputError: If it is neither.
    """
    try:
        if found := _AGE.fullmatch(text.strip()):
            moment = now - timedelta(**{_UNITS[found[2].lower()]: float(found[1])})
        else:
            moment = datetime.fromisoformat(text.strip())
        return int(moment.timestamp() * 1_000_000_000)
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"“{escape_text(text)}” is neither a date, a time nor an age.",
            code="bad_time",
            hint="Write 2026-05-01, 2026-05-01T12:00, or an age: 30s, 15m, 2h, 3d, 1w.",
        ) from None


def write_moment(nanoseconds: int) -> str:
    """Return a moment in ISO 8601, local time with its offset."""
    try:
        return datetime.fromtimestamp(nanoseconds / 1_000_000_000).astimezone().isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):  # a time that no calendar has
        return ""
