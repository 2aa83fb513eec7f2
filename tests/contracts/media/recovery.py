"""What is found out about an order to a player whose end nobody saw, and what is taken back."""

import pytest

from core.base.errors import ActionError
from core.results.tool_results import UndoRecord
from core.tools.ports import ActionContext
from tests.contracts.media.bench import MediaBench


class PlayerRecoveryConformance:
    """What a player does tells whether it was switched."""

    @pytest.mark.parametrize("status", ["playing", "paused"])
    async def test_a_switch_is_told_from_none_by_what_the_player_does(self, bench: MediaBench, status: str):
        bench.add("Radio", status=status)
        facts = await bench.predict("play_pause")
        assert (await bench.reconcile("play_pause", facts)).state == "not_done"
        told = await bench.call("play_pause")
        found = await bench.reconcile("play_pause", facts)
        assert found.outcome is not None
        assert (found.state, found.outcome.output, found.outcome.undo_record) == ("done", told.output, told.undo_record)
        await bench.undo(found.outcome)
        assert (await bench.reconcile("play_pause", facts)).state == "not_done"

    @pytest.mark.parametrize("verb", ["stop", "next"])
    async def test_a_player_that_somebody_else_used_is_unknown(self, bench: MediaBench, verb: str):
        bench.add("Radio", status="playing")
        facts = await bench.predict("play_pause")
        await bench.call(verb)
        assert (await bench.reconcile("play_pause", facts)).state == "unknown"

    async def test_a_player_that_is_gone_is_unknown(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        facts = await bench.predict("play_pause")
        assert (await bench.reconcile("play_pause", {**facts, "player": "another"})).state == "unknown"

    async def test_nothing_that_was_written_down_is_unknown(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        assert (await bench.reconcile("play_pause", {})).state == "unknown"

    async def test_what_somebody_changed_since_is_not_taken_back(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        outcome = await bench.call("pause")
        await bench.call("play")
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert (caught.value.code, caught.value.evidence["now"]) == ("changed_since", {"status": "playing"})

    async def test_a_place_in_another_track_is_not_taken_back(self, bench: MediaBench):
        bench.add("Radio", status="playing")
        outcome = await bench.call("seek", position=60)
        await bench.call("next")
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"

    async def test_a_place_in_the_same_track_is_taken_back(self, bench: MediaBench):
        bench.add("Radio", status="paused")
        outcome = await bench.call("seek", position=60)
        assert (await bench.undo(outcome)).output["position"] == pytest.approx(0, abs=1.5)

    async def test_an_order_that_has_no_way_back_is_refused(self, bench: MediaBench):
        with pytest.raises(ActionError) as caught:
            await bench.back_end.take_back(ActionContext("undo"), UndoRecord("media", "next"))
        assert caught.value.code == "not_undoable"
