"""PlannerLog: log lines about a planner's run; ids, counts and codes, and what its errors say."""

from dataclasses import fields
from typing import Any, Final

from core.base.errors import ErrorInfo
from core.results.events import Event

_LONGEST = 2000
_QUIET = frozenset(("planner.step.started",))
_LOUD: Final = frozenset(("failed", "partial", "cancelled"))
_LEFT_OUT = frozenset(("seq", "at_ms", "description", "question"))


class PlannerLog:
    """Writes each event of a run as a line."""

    def __init__(self, logger: Any) -> None:
        """Write to a logger of structlog."""
        self._logger = logger

    def __call__(self, event: Event) -> None:
        """Write an event; more loudly if something did not go as planned."""
        is_loud = getattr(event, "outcome", "") in _LOUD or event.event_name in {
            "planner.throttled",
            "planner.rejected",
        }
        if is_loud:
            write = self._logger.warning
        else:
            write = self._logger.debug if event.event_name in _QUIET else self._logger.info
        write(event.event_name, **_describe(event))


def _describe(event: Event) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for each in fields(event):
        value = getattr(event, each.name)
        if each.name == "errors":
            facts |= {"errors": [error.code for error in value], **_tell(value[0] if value else None)}
        elif each.name == "error":
            facts |= {"error": value.code, **_tell(value)} if value else {}
        elif each.name == "metrics":
            facts |= value
        elif each.name not in _LEFT_OUT and value not in ("", ()):
            facts[each.name] = value
    return facts


def _tell(error: ErrorInfo | None) -> dict[str, str]:
    return {"message": error.message[:_LONGEST]} if error else {}
