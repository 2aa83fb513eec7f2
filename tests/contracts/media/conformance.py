"""What every back end of the media tools does."""

import pytest

from core.base.errors import DeviceError
from tests.contracts.media.bench import MediaBench
from tests.contracts.media.recovery import PlayerRecoveryConformance


class PlayingConformance:
    """Orders, and what is read back of them."""

    async def test_play_is_confirmed_by_the_status_that_was_read_back(self, bench: MediaBench):
        bench.add("Radio")
        outcome = await bench.call("play")
        assert outcome.output == {"player": "Radio", "status": "playing", "before": "stopped"}
        assert outcome.effect == "confirmed"
        assert outcome.evidence["status"] == "playing"

    async def test_a_player_that_plays_already_goes_on(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        outcome = await bench.call("play")
        assert (outcome.output["status"], outcome.output["before"]) == ("playing", "playing")
        assert outcome.undo_record is None

    async def test_pause_is_taken_back_by_play(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        outcome = await bench.call("pause")
        assert outcome.output["status"] == "paused"
        undo = outcome.undo_record
        assert undo is not None
        assert (undo.domain, undo.operation, dict(undo.params)) == ("media", "play", {"player": "Radio"})
        assert (await bench.undo(outcome)).output["status"] == "playing"

    async def test_a_silent_player_stays_silent_when_it_shall_pause(self, bench: MediaBench):
        bench.add("Radio")
        assert (await bench.call("pause")).output["status"] == "stopped"

    async def test_play_pause_switches_back_and_forth(self, bench: MediaBench):
        bench.add("Radio")
        assert [(await bench.call("play_pause")).output["status"] for _ in range(3)] == ["playing", "paused", "playing"]

    async def test_stop_stops(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        assert (await bench.call("stop")).output["status"] == "stopped"

    async def test_next_and_previous_tell_the_titles(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        forth = await bench.call("next")
        assert (forth.output["title"], forth.output["before"]) == ("Second", "First")
        back = await bench.call("previous")
        assert (back.output["title"], back.output["before"]) == ("First", "Second")
        assert back.output["artist"] == "Ada"

    async def test_the_last_track_has_no_next(self, bench: MediaBench):
        bench.add("Radio", titles=("Only",), status="playing")
        with pytest.raises(DeviceError) as caught:
            await bench.call("next")
        assert caught.value.code == "not_possible"
        assert "next" not in caught.value.evidence["allows"]

    async def test_a_player_that_refuses_next_is_not_told_to(self, bench: MediaBench):
        bench.add("Radio", refuses=("next",), status="playing")
        with pytest.raises(DeviceError, match="can't do that now: next"):
            await bench.call("next")
        assert (await bench.call("status")).output["title"] == "First"

    async def test_seek_reads_the_position_back(self, bench: MediaBench):
        bench.add("Radio", status="paused")
        outcome = await bench.call("seek", position=42.0)
        assert outcome.output["position"] == pytest.approx(42.0, abs=0.01)
        assert (outcome.output["before"], outcome.output["length"]) == (0.0, 180.0)
        assert outcome.undo_record is not None
        assert dict(outcome.undo_record.params) == {"position": 0.0, "player": "Radio"}

    async def test_a_place_beyond_the_track_is_refused_before_the_player_is_told(self, bench: MediaBench):
        bench.add("Radio", status="paused")
        with pytest.raises(DeviceError) as caught:
            await bench.call("seek", position=181.0)
        assert caught.value.code == "not_possible"
        assert (await bench.call("status")).output["position"] == 0.0


class ChoosingConformance:
    """Which player is meant, and players that misbehave."""

    async def test_the_one_that_plays_is_meant(self, bench: MediaBench):
        bench.add("Radio")
        bench.add("Video", status="playing")
        assert (await bench.call("pause")).output["player"] == "Video"

    async def test_else_the_one_that_played_last_is_meant(self, bench: MediaBench):
        bench.add("Radio")
        bench.add("Video", status="playing")
        await bench.call("stop")
        assert (await bench.call("play")).output["player"] == "Video"

    async def test_else_the_only_one_that_pauses_is_meant(self, bench: MediaBench):
        bench.add("Radio")
        bench.add("Video", status="paused")
        assert (await bench.call("play")).output["player"] == "Video"

    async def test_two_that_may_be_meant_are_listed(self, bench: MediaBench):
        bench.add("Radio")
        bench.add("Video")
        with pytest.raises(DeviceError) as caught:
            await bench.call("play")
        assert caught.value.code == "player_ambiguous"
        assert [each["name"] for each in caught.value.evidence["players"]] == ["Radio", "Video"]

    async def test_two_that_play_are_listed_and_a_name_decides(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        bench.add("Video", status="playing")
        with pytest.raises(DeviceError, match="Radio, Video"):
            await bench.call("pause")
        assert (await bench.call("pause", player="vid")).output["player"] == "Video"

    async def test_a_player_that_is_not_there_lists_those_that_are(self, bench: MediaBench):
        bench.add("Radio")
        with pytest.raises(DeviceError, match="Running: Radio") as caught:
            await bench.call("play", player="Gramophone")
        assert caught.value.code == "player_missing"

    async def test_where_none_runs_it_says_so(self, bench: MediaBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("play")
        assert caught.value.code == "player_missing"
        status = await bench.call("status")
        assert (status.output["text"], status.output["players"]) == ("Nothing is playing.", [])

    async def test_status_tells_titles_of_any_script(self, bench: MediaBench):
        bench.add("Grający", titles=("Zażółć “gęślą” 日本 😀",), artist="Łukasz", status="playing")
        outcome = await bench.call("status")
        assert outcome.output["title"] == "Zażółć “gęślą” 日本 😀"
        assert outcome.output["text"] == "Grający plays “Zażółć “gęślą” 日本 😀” by Łukasz."
        assert outcome.effect == "none"

    async def test_a_player_that_does_not_follow_is_not_settled(self, bench: MediaBench):
        bench.add("Radio", fault="deaf")
        with pytest.raises(DeviceError) as caught:
            await bench.call("play", timeout_s=1.0)
        assert caught.value.code == "not_settled"
        assert caught.value.evidence["after"]["status"] == "stopped"

    async def test_a_player_that_hangs_is_named_and_does_not_hold_up_the_others(self, bench: MediaBench):
        bench.add("Radio", fault="hung")
        bench.add("Video")
        players = (await bench.call("status")).output["players"]
        assert sorted(each["status"] for each in players) == ["stopped", "unresponsive"]
        assert (await bench.call("play")).output["player"] == "Video"
        hung = next(each["name"] for each in players if each["status"] == "unresponsive")
        with pytest.raises(DeviceError) as caught:
            await bench.call("play", player=hung)
        assert caught.value.code == "not_settled"

    async def test_a_player_that_vanishes_is_missing(self, bench: MediaBench):
        bench.add("Radio", fault="vanishes")
        with pytest.raises(DeviceError) as caught:
            await bench.call("play")
        assert caught.value.code in {"player_missing", "not_settled"}
        assert "Radio" in caught.value.message
        assert (await bench.call("status")).output["players"] == []

    async def test_the_capability_is_there(self, bench: MediaBench):
        assert bench.back_end.assess("media").available

    async def test_closing_twice_is_allowed(self, bench: MediaBench):
        await bench.back_end.close()
        await bench.back_end.close()


class MediaConformance(PlayingConformance, ChoosingConformance, PlayerRecoveryConformance):
    """The whole suite; inherited with a fixture ``bench``."""
