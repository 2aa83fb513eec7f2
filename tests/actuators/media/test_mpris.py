import asyncio
import os
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.base import Environment
from actuators.media.mpris import read_player
from actuators.media.platforms.linux import make_back_end
from core.base.errors import DeviceError
from core.tools.ports import ActionContext
from fixtures.machine.bus import PrivateBus
from tests.contracts.media.bench import BusStage, MediaBench, PlayerSpec, find_tools


async def test_a_player_that_takes_its_time_is_waited_for(bench: MediaBench, stage: BusStage):
    stage.add(PlayerSpec(name="Slow"), fault="slow")
    assert (await bench.call("play")).output["status"] == "playing"


async def test_a_track_without_an_id_is_sought_in_by_an_offset(bench: MediaBench, stage: BusStage):
    tracks = [{"title": "Stream", "nameless": True}]
    stage.add(PlayerSpec(name="Radio", status="paused"), tracks=tracks)
    assert (await bench.call("seek", position=30.0)).output["position"] == pytest.approx(30.0, abs=0.01)
    assert (await bench.call("seek", position=10.0)).output["position"] == pytest.approx(10.0, abs=0.01)


async def test_a_player_that_takes_no_orders_at_all_is_not_told_anything(bench: MediaBench, stage: BusStage):
    stage.add(PlayerSpec(name="Kiosk"), refuses=["CanControl"])
    with pytest.raises(DeviceError) as caught:
        await bench.call("play")
    assert (caught.value.code, caught.value.evidence["allows"]) == ("not_possible", [])


async def test_what_only_passes_on_other_players_is_none(bench: MediaBench, stage: BusStage):
    stage.add(PlayerSpec(name="Radio", status="playing"))
    stage.add(PlayerSpec(name="Proxy", status="playing"), name="playerctld")
    assert [each["name"] for each in (await bench.call("status")).output["players"]] == ["Radio"]


async def test_a_second_process_of_a_program_has_a_name_of_its_own(bench: MediaBench, stage: BusStage):
    stage.add(PlayerSpec(name="Browser"), name="browser.instance12")
    stage.add(PlayerSpec(name="Browser"), name="browser.instance34")
    with pytest.raises(DeviceError, match=r"Browser \(browser.instance12\), Browser \(browser.instance34\)"):
        await bench.call("play", player="Browser")
    played = await bench.call("play", player="instance34")
    assert played.output["player"] == "Browser (browser.instance34)"
    assert played.undo_record is not None
    back = await bench.call(played.undo_record.operation, **played.undo_record.params)
    assert (back.output["player"], back.output["status"]) == (played.output["player"], "stopped")


async def test_a_bus_that_comes_back_is_used_again(bus: PrivateBus, bench: MediaBench, stage: BusStage):
    stage.add(PlayerSpec(name="Radio"))
    await bench.call("play")
    bus.stop()
    stage.end(0)
    with pytest.raises(DeviceError) as caught:
        await bench.call("status")
    assert caught.value.code == "server_missing"
    assert not bench.back_end.assess("media").available
    bus.start()
    stage.add(PlayerSpec(name="Video"))
    assert (await bench.call("play")).output["player"] == "Video"


async def test_a_bus_that_hangs_times_out(bus: PrivateBus, bench: MediaBench):
    await bench.call("status")
    os.kill(bus.pid, signal.SIGSTOP)
    try:
        with pytest.raises(DeviceError) as caught:
            await bench.call("status", timeout_s=20.0)
        assert caught.value.code == "not_settled"
        assert not bench.back_end.assess("media").available
    finally:
        os.kill(bus.pid, signal.SIGCONT)


async def test_an_act_that_is_cancelled_leaves_no_listener(bench: MediaBench, stage: BusStage):
    stage.add(PlayerSpec(name="Radio", fault="deaf"))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bench.call("play"), 0.5)
    assert (await bench.call("status")).output["status"] == "stopped"


async def test_without_a_bus_it_says_how_to_get_one():
    back_end = make_back_end(Environment(platform="linux"))
    found = back_end.assess("media")
    assert (found.available, found.reason) == (False, "there is no session bus")
    assert "DBUS_SESSION_BUS_ADDRESS" in found.remedy
    with pytest.raises(DeviceError) as caught:
        await find_tools(back_end).play(ActionContext("a1"))
    assert caught.value.code == "server_missing"
    await back_end.close()


values = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.lists(st.text()), st.floats())
names = st.sampled_from(["Metadata", "PlaybackStatus", "Position", "CanPlay", "CanControl", "CanGoNext"])
tags = st.sampled_from(["xesam:title", "xesam:artist", "xesam:album", "mpris:length", "mpris:trackid"])


@given(st.dictionaries(names, values | st.dictionaries(tags, values)))
def test_whatever_a_player_says_is_read_or_left_out(facts: dict[str, object]):
    player = read_player("org.mpris.MediaPlayer2.odd", "Odd", facts)
    assert player.status in {"playing", "paused", "stopped"}
    assert isinstance(player.title, str)
    assert player.length_s is None or player.length_s > 0
