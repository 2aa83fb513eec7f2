"""What every sound system does."""

import asyncio
import math
from dataclasses import replace

import pytest

from core.base.errors import DeviceError, FileError, UnsupportedError
from tests.contracts.audio.bench import BROKEN, START_LEVEL, WAIT_S, SoundBench


class AudioStreamConformance:
    """Streams, and playing. A subclass has a fixture ``bench``, as for devices."""

    async def test_a_stream_names_its_application_and_device(self, bench: SoundBench) -> None:
        stream = await bench.play_app("Café 日本")
        assert (stream.app, stream.target, stream.device) == ("Café 日本", "output", bench.outputs[0])
        assert not stream.muted

    async def test_the_level_and_mute_of_a_stream_are_its_own(self, bench: SoundBench) -> None:
        stream = await bench.play_app("Tone")
        await bench.server.set_level(stream, 40)
        await bench.server.set_mute(stream, muted=True)
        read = await bench.stream(stream.id)
        assert read.muted
        assert math.isclose(read.level_percent or 0, 40, abs_tol=0.5)
        assert not (await bench.device(bench.outputs[0])).muted

    async def test_a_stream_that_has_ended_is_missing(self, bench: SoundBench) -> None:
        stream = await bench.play_app("Tone")
        await bench.end_apps()
        assert stream.id not in {each.id for each in await bench.server.streams("output")}
        with pytest.raises(DeviceError) as caught:
            await bench.server.set_level(stream, 10)
        assert caught.value.code == "device_missing"

    async def test_a_stream_is_sent_to_another_device_or_that_is_refused(self, bench: SoundBench) -> None:
        stream = await bench.play_app("Tone")
        other = await bench.device(bench.outputs[1])
        if not bench.moves_streams:
            with pytest.raises(UnsupportedError):
                await bench.server.move_stream(stream, other)
            return
        await bench.server.move_stream(stream, other)
        async with asyncio.timeout(WAIT_S):
            while (await bench.stream(stream.id)).device != other.id:
                await bench.server.await_change(0.1)

    async def test_waiting_for_a_change_ends(self, bench: SoundBench) -> None:
        await bench.server.devices("output")
        async with asyncio.timeout(WAIT_S):
            await bench.server.await_change(0.05)

    async def test_a_file_is_played_to_its_end(self, bench: SoundBench) -> None:
        if not bench.plays:
            pytest.skip("nothing can be played on this bench")
        assert await bench.server.play(str(bench.sound_file)) >= 0

    async def test_a_file_that_is_no_sound_is_not_played(self, bench: SoundBench) -> None:
        if not bench.plays:
            pytest.skip("nothing can be played on this bench")
        (broken := bench.sound_file.with_name(BROKEN)).write_bytes(b"no sound at all" * 99)
        with pytest.raises((FileError, DeviceError, UnsupportedError)):
            await bench.server.play(str(broken))

    async def test_closing_twice_is_closing_once(self, bench: SoundBench) -> None:
        await bench.server.close()
        await bench.server.close()


class AudioDeviceConformance:
    """Devices. A subclass has a fixture ``bench`` that gives its back end with everything as every test finds it."""

    async def test_outputs_have_ids_names_levels_and_one_default(self, bench: SoundBench) -> None:
        devices = await bench.server.devices("output")
        assert {*bench.outputs} <= {device.id for device in devices}
        assert all(device.id and device.name and device.target == "output" for device in devices)
        assert [device.id for device in devices if device.is_default] == [bench.outputs[0]]
        assert bench.server.scale

    async def test_no_monitor_of_an_output_is_an_input(self, bench: SoundBench) -> None:
        inputs = {device.id for device in await bench.server.devices("input")}
        assert {*bench.inputs} <= inputs
        assert not {each for each in inputs if each.endswith(".monitor")}

    @pytest.mark.parametrize("level", [0.0, 1.0, 37.0, 50.0, 99.0, 100.0])
    async def test_a_level_is_read_back_as_it_was_set(self, bench: SoundBench, level: float) -> None:
        await bench.server.set_level(await bench.device(bench.outputs[0]), level)
        read = (await bench.device(bench.outputs[0])).level_percent
        assert read is not None
        assert math.isclose(read, level, abs_tol=0.5)

    async def test_the_level_of_one_device_leaves_the_others_alone(self, bench: SoundBench) -> None:
        await bench.server.set_level(await bench.device(bench.outputs[0]), 20)
        other = (await bench.device(bench.outputs[1])).level_percent
        assert other is not None
        assert math.isclose(other, START_LEVEL, abs_tol=0.5)

    async def test_mute_and_level_leave_each_other_alone(self, bench: SoundBench) -> None:
        device = await bench.device(bench.outputs[0])
        await bench.server.set_mute(device, muted=True)
        await bench.server.set_level(device, 30)
        read = await bench.device(device.id)
        assert read.muted
        await bench.server.set_mute(device, muted=False)
        read = await bench.device(device.id)
        assert not read.muted
        assert math.isclose(read.level_percent or 0, 30, abs_tol=0.5)

    async def test_muting_twice_is_muting_once(self, bench: SoundBench) -> None:
        for _ in range(2):
            await bench.server.set_mute(await bench.device(bench.outputs[0]), muted=True)
        assert (await bench.device(bench.outputs[0])).muted

    async def test_an_input_has_a_level_and_mute_of_its_own(self, bench: SoundBench) -> None:
        if not bench.inputs:
            pytest.skip("this bench has no input device")
        device = await bench.device(bench.inputs[0], "input")
        await bench.server.set_level(device, 25)
        await bench.server.set_mute(device, muted=True)
        read = await bench.device(device.id, "input")
        assert read.muted
        assert math.isclose(read.level_percent or 0, 25, abs_tol=0.5)
        assert not (await bench.device(bench.outputs[0])).muted

    async def test_a_device_that_is_gone_is_missing(self, bench: SoundBench) -> None:
        gone = replace(await bench.device(bench.outputs[0]), id="no-such-device")
        with pytest.raises(DeviceError) as caught:
            await bench.server.set_level(gone, 10)
        assert caught.value.code == "device_missing"
        with pytest.raises(DeviceError) as caught:
            await bench.server.set_mute(gone, muted=True)
        assert caught.value.code == "device_missing"

    async def test_the_default_is_chosen(self, bench: SoundBench) -> None:
        if not bench.chooses_default:
            pytest.skip("this system lets no program choose the default")
        await bench.server.set_default(await bench.device(bench.outputs[1]), WAIT_S)
        assert [device.id for device in await bench.server.devices("output") if device.is_default] == [bench.outputs[1]]
