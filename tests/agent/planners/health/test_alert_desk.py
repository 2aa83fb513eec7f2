"""The desk: one alert reaches each channel once, across processes and restarts, whatever becomes of other channels."""

import asyncio
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent.planners.health.alert_desk import CHANNEL_S, AlertDesk
from agent.planners.health.alert_file import MOST_EPISODES, AlertFile, locate_alerts
from agent.planners.health.channels.posting import Notice
from agent.planners.health.checks import judge_channels
from agent.planners.health.episodes import FIRST_RETRY, Episode
from agent.settings.health_settings import HealthSettings
from agent.testing.clocks import FakeClock
from core.base.errors import ActionError, SchemaError
from core.planning.planners.alerts import Alert
from core.results.redaction import Redactor
from tests.agent.planners.health.samples import NOW, RememberingChannel, make_alert, make_desk, make_settings

ALERT = make_alert()
KEY = ALERT.key
RETRY_S = FIRST_RETRY.total_seconds()


class Bench:
    """Two channels, a clock, a file; each check is made by a desk of its own, as each process has one."""

    def __init__(self, path: Path, settings: HealthSettings | None = None) -> None:
        self.path = path
        self.clock = FakeClock(NOW)
        self.ops, self.mail = RememberingChannel(), RememberingChannel()
        self.settings = settings or make_settings("ops", "mail")

    def make_desk(self) -> AlertDesk:
        return make_desk(self.settings, {"ops": self.ops, "mail": self.mail}, self.path, self.clock)

    async def check(self, *alerts: Alert) -> dict[str, str]:
        return dict((await self.make_desk().check(alerts)).failures)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "alerts" / "work.json")


async def test_ten_checks_tell_once(bench: Bench) -> None:
    for _ in range(10):
        assert await bench.check(ALERT) == {}
        await bench.clock.advance(3600)
    assert bench.ops.told == bench.mail.told == [("raised", KEY)]


async def test_processes_that_check_at_once_tell_once(bench: Bench) -> None:
    await asyncio.gather(*(bench.check(ALERT) for _ in range(8)))
    assert bench.ops.told == bench.mail.told == [("raised", KEY)]


async def test_an_alert_that_ended_and_comes_again_is_told_again(bench: Bench) -> None:
    await bench.check(ALERT)
    await bench.clock.advance(300)
    await bench.check()
    await bench.check(ALERT)
    assert bench.ops.told == [("raised", KEY), ("ended", KEY), ("raised", KEY)]
    first, end, second = bench.ops.notices
    assert first.episode_id == end.episode_id != second.episode_id


async def test_an_alert_that_is_gone_for_less_than_the_debounce_time_goes_on(bench: Bench) -> None:
    for _ in range(5):
        await bench.check(ALERT)
        await bench.clock.advance(299)
        await bench.check()
    assert bench.ops.told == [("raised", KEY)]


async def test_an_acknowledged_alert_stays_quiet_until_it_ended_and_comes_again(bench: Bench) -> None:
    bench.mail.break_down()
    await bench.check(ALERT)
    assert await bench.make_desk().acknowledge("backlog.stuck") == 1
    bench.mail.fault = None
    for _ in range(3):
        await bench.clock.advance(RETRY_S)
        await bench.check(ALERT)
    assert bench.mail.told == []
    await bench.clock.advance(300)
    await bench.check()
    await bench.check(ALERT)
    assert bench.mail.told == [("raised", KEY)]


async def test_a_channel_that_fails_is_told_of_and_tried_again_while_others_are_told(bench: Bench) -> None:
    bench.ops.break_down()
    assert await bench.check(ALERT) == {"ops": "The line is dead."}
    assert bench.mail.told == [("raised", KEY)]
    assert await bench.check(ALERT) == {}
    assert bench.ops.tries == 1
    bench.ops.fault = None
    await bench.clock.advance(RETRY_S)
    assert await bench.check(ALERT) == {}
    assert bench.ops.told == bench.mail.told == [("raised", KEY)]


async def test_tries_of_a_dead_channel_lie_ever_further_apart(bench: Bench) -> None:
    bench.ops.break_down()
    for _ in range(6 * 6):
        await bench.check(ALERT)
        await bench.clock.advance(600)
    assert 9 <= bench.ops.tries <= 12


async def test_what_ended_before_a_channel_could_be_told_is_told_all_the_same(bench: Bench) -> None:
    bench.ops.break_down()
    await bench.check(ALERT)
    await bench.clock.advance(600)
    await bench.check()
    bench.ops.fault = None
    await bench.clock.advance(600)
    await bench.check()
    await bench.check()
    assert bench.ops.told == [("raised", KEY), ("ended", KEY)]
    assert bench.ops.notices[0].text.startswith("Ended at ")


@pytest.mark.parametrize("fault", [ValueError("odd"), KeyError("odd"), OSError("odd"), TimeoutError()])
async def test_a_fault_of_whatever_kind_in_a_channel_stays_there(bench: Bench, fault: Exception) -> None:
    bench.ops.fault = fault
    failures = await bench.check(ALERT)
    assert set(failures) == {"ops"}
    assert bench.mail.told == [("raised", KEY)]


async def test_a_channel_that_is_slow_keeps_no_other_waiting(bench: Bench) -> None:
    other_was_told = asyncio.Event()

    class Waiting(RememberingChannel):
        async def send(self, notice: Notice) -> None:
            await other_was_told.wait()
            await super().send(notice)

    class Freeing(RememberingChannel):
        async def send(self, notice: Notice) -> None:
            other_was_told.set()
            await super().send(notice)

    bench.ops, bench.mail = Waiting(), Freeing()
    assert await bench.check(ALERT) == {}
    assert bench.ops.told == bench.mail.told == [("raised", KEY)]


async def test_after_a_notice_that_fails_the_others_of_its_channel_wait(bench: Bench) -> None:
    bench.ops.break_down()
    await bench.check(ALERT, make_alert(subject="local/ada:export"))
    assert bench.ops.tries == 1
    assert len(bench.mail.told) == 2


def test_a_channel_has_less_time_than_lies_before_a_second_try() -> None:
    assert CHANNEL_S < RETRY_S


async def test_a_channel_that_fails_three_times_is_an_alert_for_the_others(bench: Bench) -> None:
    bench.ops.break_down()

    async def check() -> None:
        episodes = await bench.make_desk().list_episodes()
        await bench.check(ALERT, *judge_channels(episodes, bench.settings))
        await bench.clock.advance(3600)

    for _ in range(3):
        await check()
    assert bench.mail.told == [("raised", KEY)]
    await check()
    assert bench.mail.told == [("raised", KEY), ("raised", "channel.failing:ops")]
    assert "The line is dead." in bench.mail.notices[1].alert.summary
    bench.ops.fault = None
    await check()
    assert bench.ops.told == [("raised", KEY)]


async def test_a_channel_that_is_not_to_be_told_of_ends_is_not(bench: Bench) -> None:
    bench.settings = HealthSettings.model_validate({"channels": {"ops": {"kind": "log"}, "mail": {"kind": "log"}}})
    await bench.check(ALERT)
    await bench.clock.advance(300)
    await bench.check()
    assert bench.ops.told == [("raised", KEY)]
    assert await bench.make_desk().list_episodes() == ()


async def test_of_very_many_alerts_those_that_go_on_are_kept_before_those_that_ended(bench: Bench) -> None:
    goes_on = Episode(episode_id="on", alert=ALERT, began_at=NOW, seen_at=NOW)
    ended = [replace(goes_on, episode_id=str(number), ended_at=NOW) for number in range(MOST_EPISODES + 5)]
    await AlertFile(bench.path).change(lambda _: ((goes_on, *ended), None))
    kept = await AlertFile(bench.path).read()
    assert len(kept) == MOST_EPISODES
    assert goes_on in kept


async def test_a_new_channel_is_told_of_what_goes_on(bench: Bench) -> None:
    settings, bench.settings = bench.settings, make_settings("ops")
    await bench.check(ALERT)
    bench.settings = settings
    await bench.check(ALERT)
    assert bench.ops.told == bench.mail.told == [("raised", KEY)]


async def test_secrets_are_taken_out_of_what_is_told_and_of_why_it_failed(bench: Bench) -> None:
    bench.mail.fault = ActionError("The password hunter2 is wrong.", code="alert_not_sent")
    desk = AlertDesk(
        bench.settings,
        {"ops": bench.ops, "mail": bench.mail},
        AlertFile(bench.path),
        clock=bench.clock,
        source="work",
        redact=hide,
    )
    told = await desk.check([make_alert(subject="hunter2")])
    assert bench.ops.notices[0].alert.subject == "•••"
    assert told.failures == {"mail": "The password ••• is wrong."}


def hide(value: object) -> object:
    redactor = Redactor()
    redactor.add("hunter2")
    return redactor.redact(value)


async def test_where_nothing_can_be_kept_nothing_is_sent(tmp_path: Path) -> None:
    (tmp_path / "alerts").write_text("in the way")
    bench = Bench(tmp_path / "alerts" / "work.json")
    with pytest.raises(ActionError) as caught:
        await bench.check(ALERT)
    assert caught.value.code == "alerts_unavailable"
    assert bench.ops.tries == 0


async def test_a_file_that_is_damaged_is_moved_aside_and_said(bench: Bench) -> None:
    await bench.check(ALERT)
    bench.path.write_text("{")
    file = AlertFile(bench.path)
    await AlertDesk(
        bench.settings, {"ops": bench.ops, "mail": bench.mail}, file, clock=bench.clock, source="work"
    ).check([ALERT])
    assert len(bench.ops.told) == 2
    assert "could not be read" in file.notes[0]
    assert len(list(bench.path.parent.glob("work.json.corrupt-*"))) == 1


async def test_a_file_of_a_later_version_is_refused_and_kept(bench: Bench) -> None:
    bench.path.parent.mkdir()
    bench.path.write_text('{"version": 2, "episodes": []}')
    with pytest.raises(SchemaError, match="has version 2"):
        await bench.check(ALERT)
    assert bench.ops.tries == 0
    assert '"version": 2' in bench.path.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX")
async def test_nobody_else_can_read_what_is_kept(bench: Bench) -> None:
    mask = os.umask(0)
    try:
        await bench.check(ALERT)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(bench.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(bench.path.parent.stat().st_mode) == 0o700


def test_it_is_kept_outside_of_the_workspace_one_file_each(tmp_path: Path) -> None:
    one, other = locate_alerts(tmp_path / "a"), locate_alerts(tmp_path / "b")
    assert one != other
    assert not one.is_relative_to(tmp_path)
