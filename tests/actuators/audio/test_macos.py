"""MacServer on stand-ins for macOS' programs, which answer as Apple documents it. No Mac has run it yet."""

import json
import sys
from pathlib import Path

import pytest

from actuators.audio.mixing.mixer import AudioTools
from actuators.audio.platforms.macos import MacServer, make_back_end
from actuators.base import Environment
from core.base.errors import DeviceError, FileError, UnsupportedError
from core.tools.ports import ActionContext
from tests.contracts.audio.waves import write_tone

if sys.platform == "win32":
    pytest.skip("the stand-ins are shell scripts", allow_module_level=True)

CONTEXT = ActionContext("g0_x_1")
SCRIPTING = """#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> said
case "$2" in
"get volume settings") echo "output volume:$(cat level), input volume:75, alert volume:100, output muted:$(cat muted)" ;;
"set volume output volume "*) echo "${2##* }" > level ;;
"set volume output muted "*) echo "${2##* }" > muted ;;
*) echo "execution error: $2" >&2; exit 1 ;;
esac
"""
PLAYER = """#!/bin/sh
case "$1" in *.wav) exit 0 ;; esac
echo "Error: AudioFileOpen failed" >&2
exit 1
"""
PROFILE = {
    "SPAudioDataType": [
        {
            "_name": "coreaudio_device",
            "_items": [
                {"_name": "Ada’s AirPods", "coreaudio_device_output": 2},
                {
                    "_name": "MacBook Pro Speakers",
                    "coreaudio_default_audio_output_device": "spaudio_yes",
                    "coreaudio_device_output": 2,
                },
                {
                    "_name": "MacBook Pro Microphone",
                    "coreaudio_default_audio_input_device": "spaudio_yes",
                    "coreaudio_device_input": 1,
                },
            ],
        }
    ]
}


@pytest.fixture
def mac(tmp_path: Path) -> Path:
    """A folder with the stand-ins and their state."""
    (tmp_path / "profile.json").write_text(json.dumps(PROFILE))
    (tmp_path / "level").write_text("44")
    (tmp_path / "muted").write_text("false")
    profiler = f"#!/bin/sh\ncat '{tmp_path}/profile.json'\n"
    for name, content in (("osascript", SCRIPTING), ("system_profiler", profiler), ("afplay", PLAYER)):
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o755)
    return tmp_path


@pytest.fixture
def mixer(mac: Path) -> AudioTools:
    return AudioTools(MacServer({"PATH": f"{mac}:/usr/bin:/bin"}))


async def test_devices_are_those_of_the_system_profile(mixer: AudioTools) -> None:
    outcome = await mixer.list_devices(CONTEXT)
    assert [(each["name"], each["target"], each["default"], each["level"]) for each in outcome.output["devices"]] == [
        ("Ada’s AirPods", "output", False, None),
        ("MacBook Pro Speakers", "output", True, 44),
        ("MacBook Pro Microphone", "input", True, 75),
    ]


async def test_volume_and_mute_of_the_default_are_set_and_read_back(mixer: AudioTools, mac: Path) -> None:
    assert (await mixer.set_volume(CONTEXT, level=20)).output["level"] == 20
    assert (await mixer.mute(CONTEXT)).output["muted"] is True
    assert (await mixer.get_volume(CONTEXT)).output["text"] == "The volume is 20 % and muted."
    assert "-e set volume output volume 20" in (mac / "said").read_text().splitlines()


async def test_what_the_scripting_can_not_do_is_refused(mixer: AudioTools) -> None:
    for act in (
        mixer.set_volume(CONTEXT, level=10, device="AirPods"),
        mixer.mute(CONTEXT, device="AirPods"),
        mixer.mute(CONTEXT, target="input"),
        mixer.set_default(CONTEXT, device="AirPods"),
        mixer.list_apps(CONTEXT),
        mixer.route_app(CONTEXT, app="Music", device="AirPods"),
    ):
        with pytest.raises(UnsupportedError):
            await act


async def test_a_television_whose_volume_is_fixed_has_no_level(mixer: AudioTools, mac: Path) -> None:
    (mac / "level").write_text("missing value")
    with pytest.raises(UnsupportedError):
        await mixer.get_volume(CONTEXT)


async def test_a_sound_is_played_and_what_is_none_is_refused(mixer: AudioTools, mac: Path) -> None:
    assert (await mixer.play_sound(CONTEXT, path=str(write_tone(mac / "tone.wav", 0.1)))).effect == "unverified"
    (mac / "letter.mp3").write_text("Dear Ada")
    with pytest.raises(FileError) as caught:
        await mixer.play_sound(CONTEXT, path=str(mac / "letter.mp3"))
    assert "AudioFileOpen" in caught.value.evidence["said"]


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"SPAudioDataType": 3}'])
async def test_a_profile_that_can_not_be_understood_is_an_error(mixer: AudioTools, mac: Path, written: str) -> None:
    (mac / "profile.json").write_text(written)
    with pytest.raises(DeviceError) as caught:
        await mixer.get_volume(CONTEXT)
    assert caught.value.code == "server_missing"


async def test_a_program_that_hangs_is_ended(mac: Path) -> None:
    (mac / "system_profiler").write_text("#!/bin/sh\nexec sleep 600\n")
    with pytest.raises(DeviceError) as caught:
        await MacServer({"PATH": f"{mac}:/usr/bin:/bin"}, answer_limit_s=0.2).devices("output")
    assert caught.value.code == "server_missing"


async def test_a_system_without_the_scripting_says_so(tmp_path: Path) -> None:
    back_end = make_back_end(Environment(platform="darwin", variables={"PATH": str(tmp_path)}))
    assert not back_end.assess("audio").available
    with pytest.raises(DeviceError):
        await MacServer({"PATH": str(tmp_path)}).devices("output")
    await back_end.close()


def test_a_mac_can_be_used_though_it_is_unproven(mac: Path) -> None:
    availability = make_back_end(Environment(platform="darwin", variables={"PATH": str(mac)})).assess("audio")
    assert availability.available
    assert "not proven" in availability.reason
