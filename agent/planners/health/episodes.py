"""Episodes: an alert from when it begins to when it has ended, and which channels were told of it. Pure.

    begins ── seen ── seen ── gone for the debounce time ── ended
       │                │                                    │
     raise a notice   no notice                        tell the end where it is wanted
                   acknowledged: no notice until it ended and begins again

A delivery is claimed before it is tried: its next try lies a while ahead from then on, so that no other process tries it
at the same time, and one that died in the middle is followed by another.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from core.base.late_dataclasses import dataclass, field, replace
from core.planning.planners.alerts import MOMENTS, Alert, Moment

FIRST_RETRY = timedelta(minutes=1)
LONGEST_RETRY = timedelta(hours=1)
KEPT_UNTOLD = timedelta(days=7)
"""For how long an episode that has ended is kept on account of a channel that can't be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Whether a channel has been told.

    Attributes:
        next_at: When it may be tried next; None for at once.
        error: Why the last try failed; empty where none did.
    """

    is_sent: bool = False
    attempts: int = 0
    next_at: datetime | None = None
    error: str = ""

    def is_due(self, now: datetime) -> bool:
        """Tell whether it may be tried now."""
        return not self.is_sent and (self.next_at is None or now >= self.next_at)

    def claim(self, now: datetime) -> "Delivery":
        """Return it with a try begun; until the next one there is a while, which doubles up to an hour."""
        wait = min(FIRST_RETRY * 2 ** min(self.attempts, 10), LONGEST_RETRY)
        return replace(self, attempts=self.attempts + 1, next_at=now + wait)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An alert from its beginning to its end.

    Attributes:
        episode_id: Tells it from all others; receivers know a repeated notice by it.
        began_at: When it was seen first.
        seen_at: When it was seen last.
        ended_at: When it was found to have ended; None while it hasn't.
        acknowledged_at: When a person took note of it; None where nobody did.
    """

    episode_id: str
    alert: Alert
    began_at: datetime
    seen_at: datetime
    ended_at: datetime | None = None
    acknowledged_at: datetime | None = None
    raised: Mapping[str, Delivery] = field(default_factory=dict[str, Delivery])
    ended: Mapping[str, Delivery] = field(default_factory=dict[str, Delivery])

    def list_deliveries(self, moment: Moment) -> Mapping[str, Delivery]:
        """Return the deliveries of a moment by channel."""
        return self.raised if moment == "raised" else self.ended

    def with_delivery(self, moment: Moment, channel: str, delivery: Delivery) -> "Episode":
        """Return it with a delivery in place of the earlier one."""
        changed = {**self.list_deliveries(moment), channel: delivery}
        return replace(self, raised=changed) if moment == "raised" else replace(self, ended=changed)


Telling = Mapping[Moment, Sequence[str]]
"""Which channels are told of a moment of an alert; of its end only those that may have been told that it began."""

ClaimKey = tuple[str, Moment, str]
"""Id of an episode, a moment of it, and a channel."""

FindTelling = Callable[[Alert], Telling]
"""Returns which channels an alert goes to."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A notice that whoever holds this may try to send now."""

    episode: Episode
    moment: Moment
    channel: str

    @property
    def key(self) -> ClaimKey:
        """What tells it from others."""
        return self.episode.episode_id, self.moment, self.channel


def observe(
    episodes: Iterable[Episode],
    alerts: Iterable[Alert],
    now: datetime,
    debounce: timedelta,
    unjudged: Collection[str] = (),
) -> tuple[Episode, ...]:
    """Return the episodes after a look at what is wrong now.

    Args:
        debounce: For how long an alert must not be seen before it has ended.
        unjudged: Ids of alerts that could not be judged now: they neither begin nor end.
    """
    seen = {alert.key: alert for alert in alerts}
    observed: list[Episode] = []
    for each in episodes:
        alert = None if each.ended_at else seen.pop(each.alert.key, None)
        observed.append(_observe_one(each, alert, now, debounce, can_end=each.alert.alert_id not in unjudged))
    begun = (
        Episode(episode_id=_name_episode(alert, now), alert=alert, began_at=now, seen_at=now) for alert in seen.values()
    )
    return (*observed, *begun)


def _observe_one(
    episode: Episode, alert: Alert | None, now: datetime, debounce: timedelta, *, can_end: bool
) -> Episode:
    if alert is not None:
        return replace(episode, alert=alert, seen_at=now)
    if episode.ended_at or not can_end:
        return episode
    seen_at = min(episode.seen_at, now)  # the clock may have been set back
    return replace(episode, seen_at=seen_at, ended_at=now if now - seen_at >= debounce else None)


def plan_deliveries(episode: Episode, telling: Telling) -> Iterator[tuple[Moment, str, Delivery]]:
    """Yield whom to tell of an episode, moment by moment, and whether that was done.

    What a person took note of is told to nobody else, but its end to those who were told that it began. What ended
    before a channel could be told is told all the same.
    """
    told = [channel for channel in telling["ended"] if episode.raised.get(channel, Delivery()).is_sent]
    channels: Telling = {
        "raised": () if episode.acknowledged_at else telling["raised"],
        "ended": told if episode.ended_at else (),
    }
    for moment in MOMENTS:
        for channel in channels[moment]:
            yield moment, channel, episode.list_deliveries(moment).get(channel, Delivery())


def claim_due(
    episodes: Iterable[Episode], find_telling: FindTelling, now: datetime, most: int
) -> tuple[tuple[Episode, ...], tuple[Claim, ...]]:
    """Return the episodes with everything that is due claimed, and the claims, the oldest episode first.

    Args:
        most: How many notices a channel gets at once; the rest stay due.
    """
    claimed: list[Episode] = []
    claims: list[Claim] = []
    counts = Counter[str]()
    for each in sorted(episodes, key=lambda episode: episode.began_at):
        changed = each
        for moment, channel, delivery in plan_deliveries(each, find_telling(each.alert)):
            if delivery.is_due(now) and counts[channel] < most:
                counts[channel] += 1
                changed = changed.with_delivery(moment, channel, delivery.claim(now))
                claims.append(Claim(changed, moment, channel))
        claimed.append(changed)
    return tuple(claimed), tuple(claims)


def settle(episodes: Iterable[Episode], outcomes: Mapping[ClaimKey, str]) -> tuple[Episode, ...]:
    """Return the episodes after deliveries were tried.

    Args:
        episodes: As they are now; one that is gone meanwhile is passed over.
        outcomes: By claim, why it failed; empty where it was sent.
    """
    settled: list[Episode] = []
    for each in episodes:
        changed = each
        for (episode_id, moment, channel), error in outcomes.items():
            if episode_id == each.episode_id:
                delivery = changed.list_deliveries(moment).get(channel, Delivery())
                changed = changed.with_delivery(moment, channel, replace(delivery, is_sent=not error, error=error))
        settled.append(changed)
    return tuple(settled)


def acknowledge(episodes: Iterable[Episode], name: str, now: datetime) -> tuple[tuple[Episode, ...], int]:
    """Return the episodes with those of a name acknowledged, and how many these are; earlier acknowledgements stay.

    Args:
        name: Id of an alert, or id and subject.
    """
    changed: list[Episode] = []
    count = 0
    for each in episodes:
        is_meant = each.ended_at is None and name in {each.alert.alert_id, each.alert.key}
        count += is_meant
        changed.append(replace(each, acknowledged_at=now) if is_meant and not each.acknowledged_at else each)
    return tuple(changed), count


def drop_told(episodes: Iterable[Episode], find_telling: FindTelling, now: datetime) -> tuple[Episode, ...]:
    """Return the episodes that still matter: those that go on, and those of whose end somebody has yet to hear."""
    return tuple(each for each in episodes if _matters(each, find_telling(each.alert), now))


def _matters(episode: Episode, telling: Telling, now: datetime) -> bool:
    if episode.ended_at is None:
        return True
    is_old = now - episode.ended_at > KEPT_UNTOLD
    return not is_old and any(not delivery.is_sent for _, _, delivery in plan_deliveries(episode, telling))


def _name_episode(alert: Alert, now: datetime) -> str:
    """Return a name that is the same for the same alert at the same moment, so that two processes mean one thing by it."""
    return hashlib.sha256(f"{alert.key}\n{now.isoformat()}".encode()).hexdigest()[:20]
