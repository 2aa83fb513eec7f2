"""Episodes, whatever happens in whatever order: no notice goes out twice, none is lost, none follows an acknowledgement."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from agent.planners.health.episodes import (
    FIRST_RETRY,
    LONGEST_RETRY,
    Claim,
    ClaimKey,
    Delivery,
    Episode,
    Telling,
    acknowledge,
    claim_due,
    drop_told,
    observe,
    settle,
)
from core.planning.planners.alerts import Alert
from tests.agent.planners.health.samples import NOW, make_alert

DEBOUNCE = timedelta(seconds=300)
TELLING: Telling = {"raised": ("ops", "mail"), "ended": ("ops",)}
ALERTS = (make_alert(), make_alert(subject="local/ada:export"), make_alert("template.failing", "tidy.look"))

Outcome = Literal["sent", "failed", "died"]


def find_telling(_: Alert) -> Telling:
    return TELLING


@dataclass(frozen=True)
class Check:
    """A process looks: these alerts are there, and this becomes of its notices, at once or after others have looked."""

    seen: frozenset[int]
    outcome: Outcome
    is_slow: bool


@dataclass(frozen=True)
class Wait:
    """Time goes by."""

    seconds: int


@dataclass(frozen=True)
class Acknowledge:
    """A person takes note of an alert."""

    which: int


Event = Check | Wait | Acknowledge
EVENTS = st.lists(
    st.one_of(
        st.builds(
            Check,
            st.frozensets(st.integers(0, 2)),
            st.sampled_from(["sent", "sent", "failed", "died"]),
            st.booleans(),
        ),
        st.builds(Wait, st.sampled_from([1, 30, 61, 299, 300, 3600, 100_000])),
        st.builds(Acknowledge, st.integers(0, 2)),
    ),
    max_size=25,
)


@dataclass
class World:
    """Processes that share episodes, and what went out.

    Attributes:
        now: The time.
        episodes: What all of them share.
        sent: What went out, and when.
        seen: When each alert was there.
        disturbing: Notices that something began of which a person had taken note.
        late: Notices of which it isn't known yet what becomes of them.
    """

    now: datetime = NOW
    episodes: tuple[Episode, ...] = ()
    sent: list[tuple[datetime, Claim]] = field(default_factory=list[tuple[datetime, Claim]])
    seen: list[tuple[datetime, frozenset[int]]] = field(default_factory=list[tuple[datetime, frozenset[int]]])
    disturbing: list[Claim] = field(default_factory=list[Claim])
    late: list[tuple[tuple[Claim, ...], Outcome]] = field(default_factory=list[tuple[tuple[Claim, ...], Outcome]])

    def carry_out(self, event: Event) -> None:
        if isinstance(event, Check):
            self.check(event)
        elif isinstance(event, Wait):
            self.finish()  # a channel has less time than lies before a second try
            self.now += timedelta(seconds=event.seconds)
        else:
            self.episodes, _ = acknowledge(self.episodes, ALERTS[event.which].key, self.now)

    def check(self, event: Check) -> None:
        self.seen.append((self.now, event.seen))
        observed = observe(self.episodes, [ALERTS[each] for each in event.seen], self.now, DEBOUNCE)
        self.episodes, claims = claim_due(observed, find_telling, self.now, 100)
        self.disturbing += [each for each in claims if each.moment == "raised" and each.episode.acknowledged_at]
        self.late.append((claims, event.outcome))
        if not event.is_slow:
            self.finish()

    def finish(self) -> None:
        for claims, outcome in self.late:
            if outcome == "sent":
                self.sent += [(self.now, claim) for claim in claims]
            if outcome != "died":
                self.settle({claim.key: "" if outcome == "sent" else "The line is dead." for claim in claims})
        self.late = []

    def settle(self, outcomes: dict[ClaimKey, str]) -> None:
        self.episodes = drop_told(settle(self.episodes, outcomes), find_telling, self.now)


def live(events: list[Event]) -> World:
    world = World()
    for event in events:
        world.carry_out(event)
    world.finish()
    return world


@given(EVENTS)
def test_no_channel_is_told_twice_of_a_moment_of_an_episode(events: list[Event]) -> None:
    counts = Counter(claim.key for _, claim in live(events).sent)
    assert [key for key, count in counts.items() if count > 1] == []


@given(EVENTS)
def test_nobody_is_told_that_something_began_of_which_a_person_took_note(events: list[Event]) -> None:
    assert live(events).disturbing == []


@given(EVENTS)
def test_between_two_notices_of_an_alert_it_was_gone_for_the_debounce_time(events: list[Event]) -> None:
    world = live(events)
    for index, alert in enumerate(ALERTS):
        began = [
            claim.episode
            for _, claim in world.sent
            if (claim.channel, claim.moment, claim.episode.alert.key) == ("ops", "raised", alert.key)
        ]
        for earlier, later in pairwise(sorted(began, key=lambda each: each.began_at)):
            there = [at for at, seen in world.seen if index in seen and at < later.began_at]
            assert later.began_at - max(there) >= DEBOUNCE
            assert earlier.episode_id != later.episode_id


@given(EVENTS)
def test_what_goes_on_is_told_at_last_unless_a_person_took_note_of_it(events: list[Event]) -> None:
    world = live(events)
    goes_on = frozenset({0, 2})
    for _ in range(3):
        world.carry_out(Wait(int(LONGEST_RETRY.total_seconds())))
        world.carry_out(Check(goes_on, "sent", is_slow=False))
    told = {(claim.channel, claim.episode.episode_id) for _, claim in world.sent if claim.moment == "raised"}
    open_now = [each for each in world.episodes if each.ended_at is None]
    assert {each.alert.key for each in open_now} == {ALERTS[index].key for index in goes_on}
    for each in open_now:
        assert each.acknowledged_at or {("ops", each.episode_id), ("mail", each.episode_id)} <= told


@given(EVENTS)
def test_what_ended_is_forgotten_once_all_who_are_to_know_of_it_do(events: list[Event]) -> None:
    world = live(events)
    for _ in range(4):
        world.carry_out(Wait(100_000))
        world.carry_out(Check(frozenset(), "sent", is_slow=False))
    assert world.episodes == ()
    ends = {claim.episode.episode_id for _, claim in world.sent if claim.moment == "ended"}
    begun = {claim.episode.episode_id for _, claim in world.sent if (claim.moment, claim.channel) == ("raised", "ops")}
    assert ends == begun


def test_tries_lie_ever_further_apart_up_to_an_hour() -> None:
    delivery, waits, now = Delivery(), list[timedelta](), NOW
    for _ in range(12):
        delivery = delivery.claim(now)
        assert delivery.next_at
        assert not delivery.is_due(now)
        waits.append(delivery.next_at - now)
        now = delivery.next_at
        assert delivery.is_due(now)
    assert waits[0] == FIRST_RETRY
    assert waits == sorted(waits)
    assert max(waits) == LONGEST_RETRY


def test_what_could_not_be_judged_neither_begins_nor_ends() -> None:
    (begun,) = observe((), [ALERTS[0]], NOW, DEBOUNCE)
    later = NOW + 10 * DEBOUNCE
    assert observe([begun], [], later, DEBOUNCE, {"backlog.stuck"}) == (begun,)
    (ended,) = observe([begun], [], later, DEBOUNCE, {"planner.slow"})
    assert ended.ended_at == later


def test_a_clock_that_is_set_back_keeps_no_alert_for_ever() -> None:
    (begun,) = observe((), [ALERTS[0]], NOW, DEBOUNCE)
    back = NOW - timedelta(days=400)
    (same,) = observe([begun], [], back, DEBOUNCE)
    assert same.ended_at is None
    (ended,) = observe([same], [], back + DEBOUNCE, DEBOUNCE)
    assert ended.ended_at


def test_no_more_notices_go_out_at_once_than_a_channel_takes_and_the_rest_follow() -> None:
    alerts = [make_alert(subject=str(number)) for number in range(5)]
    episodes, first = claim_due(observe((), alerts, NOW, DEBOUNCE), find_telling, NOW, 2)
    _, then = claim_due(episodes, find_telling, NOW, 2)
    for claims in (first, then):
        assert Counter(claim.channel for claim in claims) == {"ops": 2, "mail": 2}
    assert not {claim.key for claim in first} & {claim.key for claim in then}


def test_an_alert_is_acknowledged_by_its_id_or_by_id_and_subject() -> None:
    episodes = observe((), ALERTS, NOW, DEBOUNCE)
    assert acknowledge(episodes, "backlog.stuck", NOW)[1] == 2
    assert acknowledge(episodes, "backlog.stuck:local/ada:export", NOW)[1] == 1
    assert acknowledge(episodes, "backlog", NOW)[1] == 0
