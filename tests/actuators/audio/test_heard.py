"""What is set is what is heard: a tone into a null sink, measured on its monitor."""

import math
import wave
from pathlib import Path

import pytest

from core.base.errors import FileError
from core.policy.policy import Policy
from tests.contracts.audio.linux_bench import LinuxBench
from tests.contracts.audio.waves import RATE_HZ, make_tone, write_tone

A, B = "desk_a", "desk_b"


async def test_half_the_volume_is_18_db_less(bench: LinuxBench) -> None:
    await bench.call("set_volume", level=100)
    await bench.play_app("Tone")
    loud = await bench.listen(A)
    await bench.call("set_volume", level=50)
    assert await bench.listen(A) - loud == pytest.approx(60 * math.log10(0.5), abs=0.5)


async def test_a_muted_output_is_silent_and_then_as_loud_as_before(bench: LinuxBench) -> None:
    await bench.play_app("Tone")
    loud = await bench.listen(A)
    assert loud > -40
    await bench.call("mute")
    assert await bench.listen(A) == -math.inf
    await bench.call("unmute")
    assert await bench.listen(A) == pytest.approx(loud, abs=0.5)


async def test_the_volume_of_an_application_is_heard_on_it_alone(bench: LinuxBench) -> None:
    await bench.call("set_volume", level=100)
    await bench.play_app("Tone")
    loud = await bench.listen(A)
    await bench.call("set_volume", level=50, app="Tone")
    assert await bench.listen(A) - loud == pytest.approx(-18, abs=0.5)
    await bench.play_app("Bell")
    assert await bench.listen(A) > loud - 6


async def test_a_routed_application_is_heard_there_and_no_longer_here(bench: LinuxBench) -> None:
    await bench.play_app("Tone")
    assert (await bench.listen(A) > -40, await bench.listen(B)) == (True, -math.inf)
    await bench.call("route_app", app="Tone", device=B)
    assert (await bench.listen(A), await bench.listen(B) > -40) == (-math.inf, True)


async def test_a_sound_that_is_played_is_seen_and_heard(bench: LinuxBench, tmp_path: Path) -> None:
    outcome = await bench.call("play_sound", path=str(write_tone(tmp_path / "one second.wav", 1)))
    assert outcome.effect == "confirmed"
    assert outcome.evidence["device"] == A
    assert 1 <= outcome.output["seconds"] < 10


def write_damaged(path: Path, kind: str) -> Path:
    whole = write_tone(path, 0.1).read_bytes()
    contents = {
        "empty": b"",
        "cut in the header": whole[:20],
        "without sound": whole[:44],
        "another kind": b"RIFX" + whole[4:],
        "no channels": whole[:22] + b"\0\0" + whole[24:],
        "text": b"This is a text, whatever its name says." * 9,
    }
    path.write_bytes(contents[kind])
    return path


@pytest.mark.parametrize("kind", ["empty", "cut in the header", "without sound", "another kind", "no channels", "text"])
async def test_a_damaged_wave_is_refused_before_anything_plays(bench: LinuxBench, tmp_path: Path, kind: str) -> None:
    with pytest.raises(FileError) as caught:
        await bench.call("play_sound", path=str(write_damaged(tmp_path / "damaged.wav", kind)))
    assert caught.value.code == "wrong_type"


async def test_a_wave_with_chunks_of_other_programs_is_played(bench: LinuxBench, tmp_path: Path) -> None:
    with wave.open(str(path := tmp_path / "tagged.wav"), "wb") as file:
        file.setparams((2, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(make_tone(0.2))
    whole = path.read_bytes()
    path.write_bytes(whole[:12] + b"LIST" + (5).to_bytes(4, "little") + b"INFOx\0" + whole[12:])
    assert (await bench.call("play_sound", path=str(path))).output["seconds"] > 0


@pytest.mark.parametrize(("made", "code"), [("nothing", "not_found"), ("folder", "wrong_type")])
async def test_what_is_no_file_is_not_played(bench: LinuxBench, tmp_path: Path, made: str, code: str) -> None:
    path = tmp_path / "sound.wav"
    if made == "folder":
        path.mkdir()
    with pytest.raises(FileError) as caught:
        await bench.call("play_sound", path=str(path))
    assert caught.value.code == code


async def test_a_link_out_of_the_allowed_folders_is_not_followed(bench: LinuxBench, tmp_path: Path) -> None:
    (roots := tmp_path / "allowed").mkdir()
    (roots / "link.wav").symlink_to(bench.sound_file)
    with pytest.raises(FileError) as caught:
        await bench.call("play_sound", path=str(roots / "link.wav"), policy=Policy(roots=(str(roots),)))
    assert caught.value.code == "outside_roots"
    (roots / "own.wav").write_bytes(bench.sound_file.read_bytes())
    await bench.call("play_sound", path=str(roots / "own.wav"), policy=Policy(roots=(str(roots),)))
