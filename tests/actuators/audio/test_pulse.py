"""PulseServer on real servers that are restarted, hang, and are used by others meanwhile."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from actuators.audio.mixing.mixer import AudioTools
from actuators.audio.platforms.linux import make_back_end
from actuators.audio.ports import AudioServer
from actuators.audio.pulse.server import PulseServer
from actuators.base import Environment
from core.base.errors import DeviceError, FileError
from core.tools.ports import ActionContext
from fixtures.machine.pipewire import PrivatePipeWire
from fixtures.machine.sound import PrivatePulse
from tests.contracts.audio.linux_bench import LinuxBench
from tests.contracts.audio.waves import write_tone

ROOT = Path(__file__).resolve().parents[3]
CONTEXT = ActionContext("g0_x_1", timeout_s=10)


def control(environ: Mapping[str, str], *words: str) -> str:
    """Do something to a sound server as another program would."""
    asked = subprocess.run(["pactl", *words], env=dict(environ), capture_output=True, text=True, check=True)
    return asked.stdout.strip()


@pytest.fixture
async def server(own_pulse: PrivatePulse) -> AsyncIterator[PulseServer]:
    made = PulseServer(own_pulse.environ, answer_limit_s=5)
    yield made
    await made.close()


async def list_ids(server: AudioServer) -> list[str]:
    return [device.id for device in await server.devices("output")]


async def test_a_server_that_was_restarted_is_found_again(own_pulse: PrivatePulse, server: PulseServer) -> None:
    mixer = AudioTools(server)
    await mixer.set_volume(CONTEXT, level=30)
    for _ in range(2):
        own_pulse.restart()
        assert (await mixer.set_volume(CONTEXT, level=40)).output["level"] == 40


async def test_changes_are_told_after_a_restart_too(own_pulse: PrivatePulse, server: PulseServer) -> None:
    await list_ids(server)
    own_pulse.restart()
    await list_ids(server)
    waiting = asyncio.ensure_future(server.await_change(30))
    await asyncio.sleep(0)
    await asyncio.to_thread(control, own_pulse.environ, "set-sink-volume", "desk_b", "10%")
    async with asyncio.timeout(10):
        await waiting


async def test_a_server_that_is_gone_is_missing_and_is_said_to_be(own_pulse: PrivatePulse, server: PulseServer) -> None:
    assert server.assess().available
    await list_ids(server)
    own_pulse.stop()
    assert not server.assess().available
    assert server.assess().remedy
    with pytest.raises(DeviceError) as caught:
        await list_ids(server)
    assert caught.value.code == "server_missing"
    own_pulse.start()
    assert server.assess().available
    assert "desk_a" in await list_ids(server)


async def test_a_server_that_hangs_times_out_while_the_loop_goes_on(own_pulse: PrivatePulse) -> None:
    server = PulseServer(own_pulse.environ, answer_limit_s=0.5)
    await list_ids(server)
    os.kill(own_pulse.pid, signal.SIGSTOP)
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.ensure_future(count_turns())
    try:
        for _ in range(2):  # an operation, and then a connection
            start_s = time.monotonic()
            with pytest.raises(DeviceError) as caught:
                await list_ids(server)
            assert caught.value.code == "server_missing"
            assert time.monotonic() - start_s < 3
    finally:
        os.kill(own_pulse.pid, signal.SIGCONT)
        counting.cancel()
    assert turns > 100
    assert "desk_a" in await list_ids(server)
    await server.close()


async def test_whoever_is_cancelled_leaves_the_connection_usable(own_pulse: PrivatePulse, server: PulseServer) -> None:
    mixer = AudioTools(server)
    await mixer.get_volume(CONTEXT)
    for turns in range(30):
        act = asyncio.ensure_future(mixer.set_volume(CONTEXT, level=turns))
        for _ in range(turns):
            await asyncio.sleep(0)
        act.cancel()
        await asyncio.gather(act, return_exceptions=True)
    assert (await mixer.set_volume(CONTEXT, level=77)).output["level"] == 77


async def test_a_cancelled_call_of_a_hung_server_ends_with_the_connection(own_pulse: PrivatePulse) -> None:
    server = PulseServer(own_pulse.environ, answer_limit_s=2)
    await list_ids(server)
    os.kill(own_pulse.pid, signal.SIGSTOP)
    try:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(list_ids(server), 0.2)
        await server.close()
    finally:
        os.kill(own_pulse.pid, signal.SIGCONT)
    assert "desk_a" in await list_ids(server)
    await server.close()


async def test_many_at_once_share_one_connection(own_pulse: PrivatePulse, server: PulseServer) -> None:
    found = await asyncio.gather(*(list_ids(server) for _ in range(20)))
    assert all(ids == found[0] for ids in found)
    clients = control(own_pulse.environ, "list", "short", "clients")
    assert clients.count(f"python{os.sep}") <= 1
    assert len([line for line in clients.splitlines() if "pactl" not in line]) <= 1


async def test_the_balance_is_kept_also_over_silence(bench: LinuxBench) -> None:
    control(bench.environ, "set-sink-volume", "desk_a", "80%", "40%")
    assert (await bench.call("get_volume")).output["level"] == 80
    for level in (40, 0, 80):
        assert (await bench.call("set_volume", level=level)).output["level"] == level
    told = control(bench.environ, "get-sink-volume", "desk_a")
    assert "80%" in told
    assert "40%" in told


async def test_what_is_amplified_is_told_and_never_lowered_by_turning_up(bench: LinuxBench) -> None:
    control(bench.environ, "set-sink-volume", "desk_a", "130%")
    assert (await bench.call("get_volume")).output["level"] == 130
    assert (await bench.call("volume_up")).output["level"] == 130
    outcome = await bench.call("volume_down")
    assert (outcome.output["before"], outcome.output["level"]) == (130, 100)
    assert outcome.undo_record is None
    assert "130" in outcome.undo


async def test_devices_have_names_in_all_scripts(own_pulse: PrivatePulse, server: PulseServer) -> None:
    title = "Żółte Głośniki 日本 😀"
    for number in (1, 2):
        properties = f"sink_properties='device.description=\"{title} {number}\"'"
        control(own_pulse.environ, "load-module", "module-null-sink", f"sink_name=extra_{number}", properties)
    mixer = AudioTools(server)
    outcome = await mixer.set_volume(CONTEXT, level=20, device="żółte głośniki 日本 😀 2")
    assert outcome.output["device"] == f"{title} 2"
    with pytest.raises(DeviceError) as caught:
        await mixer.set_volume(CONTEXT, level=20, device="日本")
    assert caught.value.code == "device_ambiguous"
    assert [device["id"] for device in caught.value.evidence["devices"]] == ["extra_1", "extra_2"]


async def test_a_device_that_goes_while_it_is_muted_for_a_time_is_missing_at_the_end(
    own_pulse: PrivatePulse, server: PulseServer
) -> None:
    module = control(own_pulse.environ, "load-module", "module-null-sink", "sink_name=brief")
    act = asyncio.ensure_future(AudioTools(server).mute(CONTEXT, device="brief", duration=1))
    async with asyncio.timeout(10):
        while not any(device.muted for device in await server.devices("output") if device.id == "brief"):
            await server.await_change(0.05)
    control(own_pulse.environ, "unload-module", module)
    with pytest.raises(DeviceError) as caught:
        await act
    assert caught.value.code == "device_missing"
    assert {"desk_a", "desk_b"} <= {device["id"] for device in caught.value.evidence["devices"]}


async def test_programs_of_one_name_but_another_program_are_told_apart(bench: LinuxBench) -> None:
    streams = [await bench.play_app("Tone", binary) for binary in ("tuner", "organ")]
    with pytest.raises(DeviceError) as caught:
        await bench.call("mute", app="Tone")
    assert caught.value.code == "app_ambiguous"
    outcome = await bench.call("mute", app="organ")
    assert outcome.output["streams"] == [streams[1].id]
    await bench.undo(outcome)
    assert not (await bench.stream(streams[1].id)).muted


async def test_a_number_that_belongs_to_another_stream_by_now_is_not_acted_on(bench: LinuxBench) -> None:
    stream = await bench.play_app("Tone")
    other = await bench.play_app("Bell")
    mixed_up = type(stream)(
        other.id, stream.app, stream.binary, stream.pid, "output", stream.device, stream.level_percent, muted=False
    )
    with pytest.raises(DeviceError):
        await bench.server.set_mute(mixed_up, muted=True)
    assert not (await bench.stream(other.id)).muted


async def test_of_two_who_choose_the_default_at_once_each_tells_the_truth(bench: LinuxBench) -> None:
    for _ in range(5):
        results = await asyncio.gather(
            *(bench.call("set_default", device=each) for each in bench.outputs), return_exceptions=True
        )
        codes = [each.code for each in results if isinstance(each, DeviceError)]
        assert set(codes) <= {"not_settled"}
        assert len(codes) < 2
        assert [each for each in results if isinstance(each, Exception) and not isinstance(each, DeviceError)] == []


async def test_an_input_that_is_made_of_another_is_an_input(own_pulse: PrivatePulse, server: PulseServer) -> None:
    arguments = ("source_name=remapped", "master=mic_a", "source_properties='device.description=\"Head Set\"'")
    control(own_pulse.environ, "load-module", "module-remap-source", *arguments)
    mixer = AudioTools(server)
    assert (await mixer.set_volume(CONTEXT, level=35, target="input", device="head")).output["level"] == 35
    outcome = await mixer.set_default(CONTEXT, device="Head Set", target="input")
    assert control(own_pulse.environ, "get-default-source") == "remapped"
    assert outcome.undo_record is not None
    assert outcome.undo_record.params == {"device": "mic_a", "target": "input"}


async def test_a_sound_that_is_stopped_ends_at_once(bench: LinuxBench, tmp_path: Path) -> None:
    path = write_tone(tmp_path / "long.wav", 20)
    act = asyncio.ensure_future(bench.call("play_sound", path=str(path), timeout_s=60))
    async with asyncio.timeout(10):
        while not await bench.server.streams("output"):
            await bench.server.await_change(0.1)
        act.cancel()
        with pytest.raises(asyncio.CancelledError):
            await act
        while await bench.server.streams("output"):
            await bench.server.await_change(0.1)


async def test_a_player_that_loses_its_server_says_that_the_server_is_missing(own_pulse: PrivatePulse) -> None:
    server = PulseServer({**own_pulse.environ, "PULSE_SERVER": "unix:/nonexistent/native"})
    with pytest.raises(DeviceError) as caught:
        await server.play("/nonexistent/sound.ogg")
    assert caught.value.code == "server_missing"


async def test_a_machine_without_a_player_says_what_to_install(own_pulse: PrivatePulse, tmp_path: Path) -> None:
    server = PulseServer({**own_pulse.environ, "PATH": str(tmp_path)})
    with pytest.raises(Exception, match=r"pulseaudio-utils"):
        await server.play(str(write_tone(tmp_path / "tone.wav", 0.1)))


async def test_what_no_player_understands_is_no_sound(bench: LinuxBench, tmp_path: Path) -> None:
    (path := tmp_path / "letter.ogg").write_bytes(b"Dear Ada, " * 99)
    with pytest.raises(FileError) as caught:
        await bench.call("play_sound", path=str(path))
    assert caught.value.code == "wrong_type"


async def test_a_session_manager_that_hangs_keeps_the_default_from_being_real(own_pipewire: PrivatePipeWire) -> None:
    server = PulseServer(own_pipewire.environ)
    other = next(device for device in await server.devices("output") if not device.is_default)
    os.kill(own_pipewire.manager_pid, signal.SIGSTOP)
    try:
        with pytest.raises(DeviceError) as caught:
            await server.set_default(other, 0.5)
        assert caught.value.code == "not_settled"
    finally:
        os.kill(own_pipewire.manager_pid, signal.SIGCONT)
    await server.set_default(other, 10)
    assert next(device.id for device in await server.devices("output") if device.is_default) == other.id
    await server.close()


async def test_pipewire_is_found_again_after_a_restart_of_its_pulse_side(own_pipewire: PrivatePipeWire) -> None:
    server = PulseServer(own_pipewire.environ)
    before = await list_ids(server)
    own_pipewire.restart()
    assert await list_ids(server) == before
    await server.close()


def test_a_back_end_is_made_and_judged_without_a_server_in_a_moment(tmp_path: Path) -> None:
    start_s = time.monotonic()
    back_end = make_back_end(Environment(platform="linux", variables={"XDG_RUNTIME_DIR": str(tmp_path)}))
    availability = back_end.assess("audio")
    assert time.monotonic() - start_s < 0.2
    assert not availability.available
    assert str(tmp_path) in availability.reason
    assert availability.remedy
    assert not back_end.assess("vision").available


async def test_an_application_that_records_has_a_level_and_mute_of_its_own(bench: LinuxBench) -> None:
    recorder = await asyncio.create_subprocess_exec(
        *("parec", "--client-name=Recorder", "--device=mic_a", "--latency-msec=50"),
        stdout=subprocess.DEVNULL,
        env=dict(bench.environ),
    )
    try:
        async with asyncio.timeout(10):
            while not await bench.server.streams("input"):
                await bench.server.await_change(0.1)
        assert (await bench.call("list_apps", target="input")).output["text"] == "Recorder records sound."
        assert (await bench.call("mute", target="input", app="recorder")).output["muted"] is True
        outcome = await bench.call("set_volume", target="input", app="recorder", level=30)
        assert (outcome.output["level"], outcome.output["muted"]) == (30, True)
        assert not (await bench.device("mic_a", "input")).muted
        with pytest.raises(DeviceError) as caught:
            await bench.call("mute", app="Recorder")
        assert caught.value.code == "app_missing"
    finally:
        recorder.kill()
        await recorder.wait()


def test_judging_a_machine_does_not_load_the_library() -> None:
    code = (
        "import sys\n"
        "from actuators.audio.platforms.linux import make_back_end\n"
        "from actuators.base import Environment\n"
        "make_back_end(Environment(platform='linux')).assess('audio')\n"
        "print('pulsectl' in sys.modules)\n"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert asked.stdout.strip() == "False"
