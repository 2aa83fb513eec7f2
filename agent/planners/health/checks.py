"""Checks: facts, judgement, report and alerts, one after the other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.planners.health.alert_desk import CHANNEL_FAILING, AlertCheck, AlertDesk
from agent.planners.health.episodes import Episode
from agent.planners.health.facts import HealthSources, collect_facts
from agent.planners.health.judging import find_unjudged, judge, make_alert
from agent.planners.health.report import HealthReport, build_report
from agent.settings.health_settings import HealthSettings
from core.base.errors import ErrorInfo, SurehandError
from core.base.phrases import quote_text
from core.planning.planners.alerts import MOMENTS, Alert

FAILS_AFTER = 3
"""How often a channel has to fail in a row before others are told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """What came of a look at planners.

    Attributes:
        told: Who was told; None where nobody had to be, or could be.
        fault: Why nobody could be told; None where that was possible.
    """

    report: HealthReport
    told: AlertCheck | None = None
    fault: ErrorInfo | None = None

    @property
    def is_well(self) -> bool:
        """Whether nothing is critical, and what is wrong could be told."""
        return self.fault is None and all(alert.severity != "critical" for alert in self.report.alerts)


async def check_health(
    sources: HealthSources, settings: HealthSettings, desk: AlertDesk, *, tells: bool = True
) -> HealthCheck:
    """Look at planners, and tell whoever has to be told.

    Args:
        tells: Whether anybody is told; otherwise nothing is sent, and nothing kept.
    """
    facts = await collect_facts(sources)
    alerts = judge(facts, settings)
    try:
        alerts += judge_channels(await desk.list_episodes(), settings)
        told = await desk.check(alerts, find_unjudged(facts)) if tells else None
    except SurehandError as error:
        return HealthCheck(report=build_report(facts, alerts), fault=error.info())
    return HealthCheck(report=build_report(facts, alerts), told=told)


def judge_channels(episodes: Iterable[Episode], settings: HealthSettings) -> tuple[Alert, ...]:
    """Return an alert for each channel that failed again and again."""
    failing = dict(_list_failing(episodes))
    text = "Alerts can't be sent on channel {}: {}".format
    return tuple(
        make_alert((CHANNEL_FAILING, name, text(quote_text(name), failing[name]), {}), settings)
        for name in settings.channels
        if name in failing
    )


def _list_failing(episodes: Iterable[Episode]) -> Iterator[tuple[str, str]]:
    for episode in episodes:
        for moment in MOMENTS:
            for channel, delivery in episode.list_deliveries(moment).items():
                if not delivery.is_sent and delivery.error and delivery.attempts >= FAILS_AFTER:
                    yield channel, delivery.error
