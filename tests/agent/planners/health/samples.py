"""Samples of what planners keep, at a moment of a clock, and a desk whose channels remember what they were handed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agent.planners.health.alert_desk import AlertDesk
from agent.planners.health.alert_file import AlertFile
from agent.planners.health.channels.posting import Notice
from agent.planners.health.facts import HealthFacts
from agent.settings.health_settings import HealthSettings
from core.base.errors import ActionError, ErrorInfo
from core.base.scope_paths import begin_scope
from core.planning.planners.alerts import ALERT_KINDS, Alert
from core.planning.planners.metadata import PlannerMetadata, StepDescriptor
from core.planning.planners.ports import BacklogItem, Clock, Transition
from core.planning.planners.results import KeptPlannerRun
from core.planning.planners.steps import StepRecord

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCOPE = begin_scope("ada")
PLANNER = PlannerMetadata(
    name="tidy",
    description="Tidies up.",
    capabilities=("tidy",),
    steps=(
        StepDescriptor(step_id="look", description="Looks.", template_id="tidy.look"),
        StepDescriptor(step_id="act", description="Acts.", template_id="tidy.act"),
        StepDescriptor(step_id="rest", description="Rests."),
    ),
)


def ago(**parts: float) -> str:
    """Return a moment so long before ``NOW``, as rows have it."""
    return (NOW - timedelta(**parts)).isoformat()


def make_item(item_id: str, state: Any = "pending", hours: float = 0.0, **more: Any) -> BacklogItem:
    """Return an item that changed so many hours ago."""
    return BacklogItem(
        item_id=item_id, title=item_id, state=state, scope=str(SCOPE), changed_at=ago(hours=hours), **more
    )


def make_flips(item_id: str, count: int, scope: str = "local/ada") -> tuple[Transition, ...]:
    """Return so many ways back to pending."""
    flip = Transition(item_id=item_id, before="active", after="pending", because="again", at=ago(hours=1), scope=scope)
    return (flip,) * count


def make_record(step_id: str, status: Any = "done", iteration: int = 1, code: str = "model_failed") -> StepRecord:
    """Return what came of a step."""
    error = ErrorInfo(code, "It said nothing.") if status == "failed" else None
    return StepRecord(instance_id=step_id, step_id=step_id, status=status, iteration=iteration, tokens=5, error=error)


def make_run(outcome: Any = "success", ms: float = 1000.0, *steps: StepRecord, **more: Any) -> KeptPlannerRun:
    """Return a run of the sample planner."""
    given: dict[str, Any] = {
        "planner_id": "tidy",
        "scope": "local/ada/s1/r1",
        "began_at": ago(hours=1),
        "metrics": {"ms": ms},
    }
    return KeptPlannerRun(outcome=outcome, steps=steps, **(given | more))


def make_facts(**parts: Any) -> HealthFacts:
    """Return facts at ``NOW`` in which nothing is wrong but what is given."""
    return HealthFacts(now=NOW, planners=(PLANNER,), **parts)


def make_alert(alert_id: str = "backlog.stuck", subject: str = "local/ada:import") -> Alert:
    """Return an alert."""
    return Alert(
        alert_id=alert_id,
        severity=ALERT_KINDS[alert_id].severity,
        subject=subject,
        summary="It is stuck.",
        facts={"s": 5},
    )


def make_settings(*channels: str, **more: Any) -> HealthSettings:
    """Return settings with channels that tell of ends as well."""
    named = {name: {"kind": "log", "tell_end": True} for name in channels}
    return HealthSettings.model_validate({"channels": named} | more)


class RememberingChannel:
    """Remembers what it was handed, and fails where it is told to.

    Attributes:
        notices: What it took.
        fault: What it fails with; None where it takes everything.
        tries: How often it was handed something.
    """

    def __init__(self) -> None:
        """Take everything."""
        self.notices: list[Notice] = []
        self.fault: Exception | None = None
        self.tries = 0

    async def send(self, notice: Notice) -> None:
        """Take a notice, or fail."""
        self.tries += 1
        if self.fault:
            raise self.fault
        self.notices.append(notice)

    def break_down(self) -> None:
        """Fail from now on."""
        self.fault = ActionError("The line is dead.", code="alert_not_sent")

    @property
    def told(self) -> list[tuple[str, str]]:
        """What it took: moment and key."""
        return [(notice.moment, notice.alert.key) for notice in self.notices]


def make_desk(settings: HealthSettings, channels: dict[str, RememberingChannel], path: Path, clock: Clock) -> AlertDesk:
    """Return a desk as a process of its own would have it."""
    return AlertDesk(settings, channels, AlertFile(path), clock=clock, source="work")
