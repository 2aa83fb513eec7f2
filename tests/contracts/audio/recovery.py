"""What is found out about a change of sound whose end nobody saw, and what is taken back, on every sound system."""

from typing import Any

import pytest

from core.base.errors import ActionError
from tests.contracts.audio.bench import SoundBench

CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("volume_up", {}),
    ("volume_down", {}),
    ("toggle_mute", {}),
    ("set_volume", {"level": 20}),
    ("mute", {}),
]


class SoundRecoveryConformance:
    """A subclass has a fixture ``bench``, as for the port."""

    @pytest.mark.parametrize(("verb", "args"), CHANGES)
    async def test_a_change_that_was_not_begun_is_not_done(
        self, bench: SoundBench, verb: str, args: dict[str, Any]
    ) -> None:
        facts = await bench.predict(verb, **args)
        assert (await bench.reconcile(verb, facts, **args)).state == "not_done"

    @pytest.mark.parametrize(("verb", "args"), CHANGES)
    async def test_a_change_that_was_made_is_told_as_it_would_have_been(
        self, bench: SoundBench, verb: str, args: dict[str, Any]
    ) -> None:
        facts = await bench.predict(verb, **args)
        told = await bench.call(verb, **args)
        found = await bench.reconcile(verb, facts, **args)
        assert found.outcome is not None
        assert (found.state, found.outcome.output) == ("done", told.output)
        assert found.outcome.undo_record == told.undo_record
        await bench.undo(found.outcome)
        assert (await bench.reconcile(verb, facts, **args)).state == "not_done"

    async def test_a_level_that_something_else_has_set_is_set_again_where_that_does_no_harm(
        self, bench: SoundBench
    ) -> None:
        facts = await bench.predict("set_volume", level=20)
        await bench.server.set_level(await bench.device(bench.outputs[0]), 33)
        assert (await bench.reconcile("set_volume", facts, level=20)).state == "not_done"

    async def test_silence_for_a_time_that_was_cut_short_ends_before_it_begins_anew(self, bench: SoundBench) -> None:
        facts = await bench.predict("mute", duration=5)
        await bench.call("mute")
        found = await bench.reconcile("mute", facts, duration=5)
        assert (found.state, (await bench.device(bench.outputs[0])).muted) == ("not_done", False)
        assert (await bench.reconcile("mute", facts, duration=5)).state == "not_done"

    async def test_a_default_that_was_made_keeps_its_way_back(self, bench: SoundBench) -> None:
        if not bench.chooses_default:
            pytest.skip("the default can't be chosen here")
        wanted = bench.outputs[1]
        facts = await bench.predict("set_default", device=wanted)
        assert (await bench.reconcile("set_default", facts, device=wanted)).state == "not_done"
        told = await bench.call("set_default", device=wanted)
        found = await bench.reconcile("set_default", facts, device=wanted)
        assert found.outcome is not None
        assert (found.state, found.outcome.undo_record) == ("done", told.undo_record)

    @pytest.mark.parametrize("verb", ["volume_up", "volume_down"])
    async def test_a_level_that_something_else_has_set_is_unknown(self, bench: SoundBench, verb: str) -> None:
        facts = await bench.predict(verb, amount=20)
        await bench.server.set_level(await bench.device(bench.outputs[0]), 33)
        found = await bench.reconcile(verb, facts, amount=20)
        assert (found.state, round((await bench.device(bench.outputs[0])).level_percent or 0)) == ("unknown", 33)

    async def test_a_step_that_is_smaller_than_systems_round_is_told_apart(self, bench: SoundBench) -> None:
        facts = await bench.predict("volume_up", amount=1)
        assert (await bench.reconcile("volume_up", facts)).state == "not_done"
        await bench.call("volume_up", amount=1)
        assert (await bench.reconcile("volume_up", facts)).state == "done"

    async def test_a_change_of_the_default_between_does_not_move_what_is_looked_at(self, bench: SoundBench) -> None:
        if not bench.chooses_default:
            pytest.skip("the default can't be chosen here")
        facts = await bench.predict("volume_down")
        await bench.call("volume_down")
        await bench.call("set_default", device=bench.outputs[1])
        assert (await bench.reconcile("volume_down", facts)).state == "done"

    async def test_a_change_that_died_between_two_streams_is_brought_to_its_end(self, bench: SoundBench) -> None:
        streams = [await bench.play_app("Tone"), await bench.play_app("Tone")]
        facts = await bench.predict("volume_down", amount=30, app="Tone")
        first = await bench.stream(streams[0].id)
        await bench.server.set_level(first, first.level_percent - 30)
        found = await bench.reconcile("volume_down", facts, amount=30, app="Tone")
        levels = [round((await bench.stream(each.id)).level_percent) for each in streams]
        assert (found.state, levels) == ("done", [round(each.level_percent - 30) for each in streams])

    async def test_a_change_for_a_time_is_not_guessed_at(self, bench: SoundBench) -> None:
        facts = await bench.predict("toggle_mute", duration=5)
        assert (await bench.reconcile("toggle_mute", facts, duration=5)).state == "unknown"

    @pytest.mark.parametrize(("verb", "args"), [("set_volume", {"level": 20}), ("volume_up", {}), ("mute", {})])
    async def test_what_somebody_changed_since_is_not_taken_back(
        self, bench: SoundBench, verb: str, args: dict[str, Any]
    ) -> None:
        outcome = await bench.call(verb, **args)
        device = await bench.device(bench.outputs[0])
        await bench.server.set_level(device, 77)
        await bench.server.set_mute(device, muted=False)
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"
        assert caught.value.evidence["now"] in ({"level": 77}, {"muted": False})
        assert round((await bench.device(bench.outputs[0])).level_percent or 0) == 77

    async def test_nothing_is_taken_back_twice(self, bench: SoundBench) -> None:
        outcome = await bench.call("volume_down")
        assert (await bench.undo(outcome)).undo_record is None
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"

    async def test_a_default_that_somebody_chose_since_stays(self, bench: SoundBench) -> None:
        if not bench.chooses_default:
            pytest.skip("the default can't be chosen here")
        outcome = await bench.call("set_default", device=bench.outputs[1])
        await bench.call("set_default", device=bench.outputs[0])
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert caught.value.code == "changed_since"
