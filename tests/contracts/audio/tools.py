"""What the audio tools do on every sound system."""

import asyncio
from typing import Any

import pytest

from core.base.errors import DeviceError, InputError, UnsupportedError
from tests.contracts.audio.bench import START_LEVEL, SoundBench


class AppVolumeConformance:
    """What concerns applications. A subclass has a fixture ``bench``, as for the port."""

    async def test_an_application_has_a_volume_of_its_own(self, bench: SoundBench) -> None:
        await bench.play_app("Tone")
        await bench.call("set_volume", level=60, app="tone")
        outcome = await bench.call("volume_down", amount=20, app="TONE")
        assert (outcome.output["app"], outcome.output["before"], outcome.output["level"]) == ("Tone", 60, 40)
        assert (await bench.call("get_volume", app="Tone")).output["text"] == "The volume of Tone is 40 %."
        assert (await bench.call("get_volume")).output["level"] == START_LEVEL
        await bench.undo(outcome)
        assert (await bench.call("get_volume", app="Tone")).output["level"] == 60

    async def test_all_streams_of_an_application_are_meant(self, bench: SoundBench) -> None:
        streams = [await bench.play_app("Tone"), await bench.play_app("Tone")]
        other = await bench.play_app("Bell")
        outcome = await bench.call("mute", app="Tone")
        assert outcome.output["streams"] == sorted(stream.id for stream in streams)
        assert [(await bench.stream(each.id)).muted for each in (*streams, other)] == [True, True, False]

    async def test_a_missing_application_is_an_error_that_lists_those_that_are_there(self, bench: SoundBench) -> None:
        await bench.play_app("Tone")
        with pytest.raises(DeviceError) as caught:
            await bench.call("mute", app="Gramophone")
        assert caught.value.code == "app_missing"
        assert "Tone" in {app["name"] for app in caught.value.evidence["apps"]}

    async def test_applications_with_sound_are_listed(self, bench: SoundBench) -> None:
        stream = await bench.play_app("Tone")
        outcome = await bench.call("list_apps")
        listed = {app["id"]: app for app in outcome.output["apps"]}
        assert listed[stream.id]["name"] == "Tone"
        assert listed[stream.id]["device"] == bench.outputs[0]
        assert "Tone" in outcome.output["text"]

    async def test_an_application_is_sent_to_a_device_and_back(self, bench: SoundBench) -> None:
        stream = await bench.play_app("Tone")
        if not bench.moves_streams:
            with pytest.raises(UnsupportedError):
                await bench.call("route_app", app="Tone", device=bench.outputs[1])
            return
        outcome = await bench.call("route_app", app="Tone", device=bench.outputs[1])
        first, second = [(await bench.device(each)).name for each in bench.outputs]
        assert (outcome.output["app"], outcome.output["before"], outcome.output["device"]) == ("Tone", first, second)
        assert outcome.effect == "confirmed"
        assert (await bench.stream(stream.id)).device == bench.outputs[1]
        await bench.undo(outcome)
        assert (await bench.stream(stream.id)).device == bench.outputs[0]


class DeviceChoiceConformance:
    """Which device is meant, and choosing one. A subclass has a fixture ``bench``, as for the port."""

    async def test_a_device_is_found_by_id_name_part_and_default(self, bench: SoundBench) -> None:
        device = await bench.device(bench.outputs[1])
        for words in (device.id, device.name, device.name.upper()):
            assert (await bench.call("get_volume", device=words)).output["device_id"] == device.id
        assert (await bench.call("get_volume", device="default")).output["device_id"] == bench.outputs[0]

    async def test_a_missing_device_is_an_error_that_lists_those_that_are_there(self, bench: SoundBench) -> None:
        acts: list[tuple[str, dict[str, Any]]] = [("set_volume", {"level": 1}), ("mute", {}), ("set_default", {})]
        for verb, args in [("get_volume", {}), *acts]:
            with pytest.raises(DeviceError) as caught:
                await bench.call(verb, device="Gramophone", **args)
            assert caught.value.code == "device_missing"
            assert {*bench.outputs} <= {device["id"] for device in caught.value.evidence["devices"]}
            assert (await bench.device(bench.outputs[0])).name in caught.value.message

    async def test_a_device_together_with_an_application_is_refused(self, bench: SoundBench) -> None:
        with pytest.raises(InputError):
            await bench.call("mute", device=bench.outputs[0], app="Tone")

    async def test_devices_are_listed(self, bench: SoundBench) -> None:
        outcome = await bench.call("list_devices", target="output")
        listed = {device["id"]: device for device in outcome.output["devices"]}
        assert listed[bench.outputs[0]]["default"] is True
        assert listed[bench.outputs[0]]["level"] == START_LEVEL
        assert outcome.output["count"] == len(listed)
        assert listed[bench.outputs[0]]["name"] in outcome.output["text"]
        everything = (await bench.call("list_devices")).output["devices"]
        assert {*bench.outputs, *bench.inputs} <= {device["id"] for device in everything}

    async def test_the_default_is_chosen_and_chosen_back(self, bench: SoundBench) -> None:
        if not bench.chooses_default:
            pytest.skip("this system lets no program choose the default")
        first, second = [(await bench.device(each)).name for each in bench.outputs]
        outcome = await bench.call("set_default", device=bench.outputs[1])
        assert (outcome.output["device"], outcome.output["before"]) == (second, first)
        assert outcome.effect == "confirmed"
        assert (await bench.device(bench.outputs[1])).is_default
        await bench.undo(outcome)
        assert (await bench.device(bench.outputs[0])).is_default

    async def test_a_sound_is_played(self, bench: SoundBench) -> None:
        if not bench.plays:
            pytest.skip("nothing can be played on this bench")
        outcome = await bench.call("play_sound", path=str(bench.sound_file))
        assert outcome.output["device_id"] == bench.outputs[0]
        assert outcome.effect in {"confirmed", "unverified"}
        assert outcome.undo_record is None


class VolumeConformance:
    """Volume and mute. A subclass has a fixture ``bench``, as for the port."""

    async def test_the_volume_is_told_in_words_fit_to_be_spoken(self, bench: SoundBench) -> None:
        outcome = await bench.call("get_volume")
        assert outcome.output["level"] == START_LEVEL
        assert outcome.output["text"] == "The volume is 50 %."
        assert outcome.output["device_id"] == bench.outputs[0]
        assert outcome.output["scale"] == bench.server.scale
        assert outcome.effect == "none"
        await bench.call("mute")
        assert (await bench.call("get_volume")).output["text"] == "The volume is 50 % and muted."

    async def test_the_volume_that_was_set_is_read_back(self, bench: SoundBench) -> None:
        outcome = await bench.call("set_volume", level=20)
        assert (outcome.output["level"], outcome.output["before"]) == (20, START_LEVEL)
        assert outcome.effect == "confirmed"
        assert outcome.evidence["level"] == 20

    async def test_setting_the_volume_leaves_mute_as_it_is(self, bench: SoundBench) -> None:
        await bench.call("mute")
        assert (await bench.call("set_volume", level=30)).output["muted"] is True
        await bench.call("unmute")
        assert (await bench.call("set_volume", level=40)).output["muted"] is False

    @pytest.mark.parametrize(
        ("start", "verb", "amount", "level"),
        [
            (50, "volume_up", 10, 60),
            (95, "volume_up", 10, 100),
            (100, "volume_up", 10, 100),
            (50, "volume_down", 10, 40),
            (5, "volume_down", 10, 0),
            (50, "volume_down", 100, 0),
            (0, "volume_up", 0, 0),
        ],
    )
    async def test_louder_and_quieter_stay_between_0_and_100(
        self, bench: SoundBench, start: float, verb: str, amount: float, level: float
    ) -> None:
        await bench.call("set_volume", level=start)
        outcome = await bench.call(verb, amount=amount)
        assert (outcome.output["before"], outcome.output["level"]) == (start, level)

    async def test_mute_is_idempotent(self, bench: SoundBench) -> None:
        first, second = await bench.call("mute"), await bench.call("mute")
        assert (first.output["before"], first.output["muted"]) == (False, True)
        assert (second.output["before"], second.output["muted"]) == (True, True)
        assert (await bench.call("unmute")).output["muted"] is False
        assert (await bench.call("unmute")).output["muted"] is False

    async def test_mute_is_toggled(self, bench: SoundBench) -> None:
        assert (await bench.call("toggle_mute")).output["muted"] is True
        assert (await bench.call("toggle_mute")).output["muted"] is False

    async def test_muted_for_a_time_it_is_as_before_afterwards(self, bench: SoundBench) -> None:
        outcome = await bench.call("mute", duration=0.2)
        assert outcome.evidence["muted_meanwhile"] is True
        assert outcome.evidence["held_s"] >= 0.2
        assert outcome.output["muted"] is False
        assert outcome.undo_record is None
        assert not (await bench.device(bench.outputs[0])).muted

    async def test_what_was_muted_stays_so_after_a_time_of_mute(self, bench: SoundBench) -> None:
        await bench.call("mute")
        assert (await bench.call("mute", duration=0)).output["muted"] is True

    async def test_a_time_of_mute_that_is_stopped_ends_at_once(self, bench: SoundBench) -> None:
        act = asyncio.ensure_future(bench.call("mute", duration=600, timeout_s=700))
        async with asyncio.timeout(10):
            while not (await bench.device(bench.outputs[0])).muted:
                await bench.server.await_change(0.05)
            act.cancel()
            with pytest.raises(asyncio.CancelledError):
                await act
        assert not (await bench.device(bench.outputs[0])).muted

    @pytest.mark.parametrize("verb", ["set_volume", "volume_up", "volume_down", "mute"])
    async def test_what_was_done_can_be_taken_back(self, bench: SoundBench, verb: str) -> None:
        args: dict[str, Any] = {"level": 10} if verb == "set_volume" else {}
        before = await bench.device(bench.outputs[0])
        outcome = await bench.call(verb, **args)
        assert outcome.undo
        assert outcome.undo_record is not None
        assert outcome.undo_record.guard in ({"level": outcome.output["level"]}, {"muted": True})
        await bench.undo(outcome)
        assert await bench.device(bench.outputs[0]) == before

    @pytest.mark.parametrize("level", [-1, 100.5, 101, float("nan"), float("inf")])
    async def test_a_volume_beyond_0_to_100_is_refused(self, bench: SoundBench, level: float) -> None:
        with pytest.raises(InputError):
            await bench.call("set_volume", level=level)
        assert (await bench.call("get_volume")).output["level"] == START_LEVEL

    async def test_a_microphone_is_spoken_of_by_its_target(self, bench: SoundBench) -> None:
        if not bench.inputs:
            pytest.skip("this bench has no input device")
        await bench.call("set_volume", level=80, target="input")
        assert (await bench.call("get_volume", target="input")).output["text"] == "The microphone's level is 80 %."
        assert (await bench.call("get_volume")).output["level"] == START_LEVEL
