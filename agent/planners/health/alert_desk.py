"""AlertDesk: takes what is wrong now, and sees to it that each channel is told once, whatever else goes wrong."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from agent.planners.health.alert_file import AlertFile, Episodes
from agent.planners.health.channels.posting import AlertChannel, Notice
from agent.planners.health.episodes import (
    Claim,
    ClaimKey,
    Telling,
    acknowledge,
    claim_due,
    drop_told,
    observe,
    settle,
)
from agent.settings.health_settings import HealthSettings
from core.base.errors import SurehandError, tell_fault
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import cut_text
from core.planning.planners.alerts import Alert
from core.planning.planners.ports import Clock

MOST_AT_ONCE = 20
"""Notices that a channel gets in one check; the rest follow in the next ones."""

CHANNEL_S = 30.0
"""Seconds that a channel has in one check. Fewer than lie before a second try, so that no two processes are at one notice."""

CHANNEL_FAILING = "channel.failing"

_LONGEST_ERROR = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertCheck:
    """What came of a check.

    Attributes:
        failures: Why a channel could not be told, by its name.
    """

    episodes: Episodes
    sent: int = 0
    failures: Mapping[str, str] = field(default_factory=dict[str, str])


class AlertDesk:
    """Keeps the episodes of a workspace, and hands notices to channels."""

    def __init__(
        self,
        settings: HealthSettings,
        channels: Mapping[str, AlertChannel],
        file: AlertFile,
        clock: Clock,
        source: str,
        redact: Callable[[Any], Any] = lambda value: value,
    ) -> None:
        """Send nothing yet; ``source`` tells whoever reads where things are wrong: the name of the workspace."""
        self._settings = settings
        self._channels = channels
        self._file = file
        self._clock = clock
        self._source = source
        self._redact = redact

    async def check(self, alerts: Iterable[Alert], unjudged: Collection[str] = ()) -> AlertCheck:
        """Take what is wrong now, and tell who has to be told.

        Args:
            unjudged: Ids of alerts that could not be judged now.

        Raises:
            SurehandError: If the episodes can't be kept: nothing is sent then.
        """
        known = tuple(alerts)
        now, debounce = self._clock.read_utc(), timedelta(seconds=self._settings.debounce_s)

        def begin(before: Episodes) -> tuple[Episodes, tuple[Claim, ...]]:
            return claim_due(observe(before, known, now, debounce, unjudged), self.find_telling, now, MOST_AT_ONCE)

        claims = await self._file.change(begin)
        outcomes = await self._send_all(claims)

        def end(before: Episodes) -> tuple[Episodes, Episodes]:
            settled = settle(before, outcomes)
            return drop_told(settled, self.find_telling, now), settled

        after = await self._file.change(end)
        failures = {channel: error for (_, _, channel), error in outcomes.items() if error}
        return AlertCheck(episodes=after, sent=sum(not error for error in outcomes.values()), failures=failures)

    async def acknowledge(self, name: str) -> int:
        """Take note of alerts, so that nobody is told of them until they have ended and begin again.

        Args:
            name: Id of an alert, or id and subject.
        """
        now = self._clock.read_utc()
        return await self._file.change(lambda before: acknowledge(before, name, now))

    async def list_episodes(self) -> Episodes:
        """Return the episodes, the oldest first; a SurehandError if they can't be read."""
        return await self._file.read()

    def find_telling(self, alert: Alert) -> Telling:
        """Return which channels are told of an alert; none is told of its own failing."""
        names = self._settings.find_channels(alert.alert_id, alert.severity)
        raised = tuple(name for name in names if (alert.alert_id, alert.subject) != (CHANNEL_FAILING, name))
        return {"raised": raised, "ended": tuple(name for name in raised if self._settings.channels[name].tells_end)}

    async def _send_all(self, claims: tuple[Claim, ...]) -> dict[ClaimKey, str]:
        """Send all notices, the channels side by side; return by claim why it failed, empty where it was sent.

        Whatever goes wrong on one channel keeps no other from being told.
        """
        groups = {name: [claim for claim in claims if claim.channel == name] for name in self._channels}
        outcomes: dict[ClaimKey, str] = {}
        works = [self._send_on(name, group, outcomes) for name, group in groups.items()]
        faults = await asyncio.gather(*works, return_exceptions=True)
        for group, fault in zip(groups.values(), faults, strict=True):
            why = self._explain(fault) if fault else ""
            outcomes |= {claim.key: why for claim in group if claim.key not in outcomes}
        return outcomes

    async def _send_on(self, name: str, claims: Sequence[Claim], outcomes: dict[ClaimKey, str]) -> None:
        async with asyncio.timeout(CHANNEL_S):
            for claim in claims:
                await self._channels[name].send(self._redact(make_notice(claim, self._source)))
                outcomes[claim.key] = ""

    def _explain(self, fault: BaseException) -> str:
        if isinstance(fault, TimeoutError):
            return f"It did not take the alert within {CHANNEL_S:g} s."
        told = fault.message if isinstance(fault, SurehandError) else tell_fault(fault)
        return cut_text(str(self._redact(told)), _LONGEST_ERROR)


def make_notice(claim: Claim, source: str) -> Notice:
    """Return the notice of a claim."""
    episode = claim.episode
    return Notice(
        episode_id=episode.episode_id,
        moment=claim.moment,
        alert=episode.alert,
        began_at=episode.began_at,
        ended_at=episode.ended_at,
        source=source,
    )
