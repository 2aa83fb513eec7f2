"""Alerts: what may be wrong with planners, each kind with an id, a severity, and what it is judged by."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from core.base.late_dataclasses import dataclass, field

Severity = Literal["info", "warning", "critical"]
SEVERITIES: Final[tuple[Severity, ...]] = ("info", "warning", "critical")

Moment = Literal["raised", "ended"]
"""What is told of an alert: that it began, or that it ended."""

MOMENTS: Final[tuple[Moment, ...]] = ("raised", "ended")

HealthSource = Literal["templates", "settings", "backlog", "runs", "channels", "sources"]
"""What alerts are judged by; ``sources`` is whether the others can be read."""


@dataclass(frozen=True, slots=True)
class AlertKind:
    """A kind of alert.

    Attributes:
        source: What it is judged by; what can't be read says neither that it began nor that it ended.
    """

    severity: Severity
    source: HealthSource
    meaning: str


ALERT_KINDS: Final[Mapping[str, AlertKind]] = MappingProxyType(
    {
        "template.missing": AlertKind("critical", "templates", "A step names a prompt template that can't be read."),
        "template.failing": AlertKind(
            "critical", "runs", "In the last runs that used a prompt template, all steps made from it failed."
        ),
        "planner.failing": AlertKind("critical", "runs", "Too many runs of a planner failed in the last 24 hours."),
        "planner.slow": AlertKind("warning", "runs", "Runs of a planner took too long in the last 24 hours."),
        "backlog.stuck": AlertKind("warning", "backlog", "A backlog item has been active for too long."),
        "backlog.flapping": AlertKind(
            "warning", "backlog", "A backlog item went back to pending too often in the last 24 hours."
        ),
        "backlog.stale": AlertKind("info", "backlog", "A backlog item has been pending for too long."),
        "backlog.coverage": AlertKind("info", "backlog", "Too little of a plan is done, and nothing of it changes."),
        "channel.failing": AlertKind("warning", "channels", "Alerts can't be sent on a channel."),
        "health.unread": AlertKind("critical", "sources", "What planners keep can't be read, so they can't be judged."),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Something that is wrong now.

    Attributes:
        alert_id: Its kind, of ``ALERT_KINDS``.
        subject: What it is about: a planner, a template, or a backlog item behind its scope path.
        summary: What is wrong, in a sentence of ours; holds nothing that a page or model wrote.
    """

    alert_id: str
    severity: Severity
    subject: str
    summary: str
    facts: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])

    @property
    def key(self) -> str:
        """What tells it from others: kind and subject."""
        return f"{self.alert_id}:{self.subject}"
