"""What is PipeWire's own: its player, and what is heard through it."""

import math
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.audio.pulse.server import PulseServer
from core.base.errors import FileError
from fixtures.machine.pipewire import PrivatePipeWire
from tests.contracts.audio.linux_bench import LinuxBench
from tests.contracts.audio.waves import write_tone
from tests.prerequisites import miss


@pytest.fixture
async def pipewire_bench(own_pipewire: PrivatePipeWire, tmp_path: Path) -> AsyncIterator[LinuxBench]:
    made = LinuxBench(own_pipewire, tmp_path)
    await made.settle_down()
    yield made
    await made.end_apps()
    await made.server.close()


async def test_half_the_volume_is_18_db_less_and_mute_is_silence(pipewire_bench: LinuxBench) -> None:
    await pipewire_bench.call("set_volume", level=100)
    await pipewire_bench.play_app("Tone")
    loud = await pipewire_bench.listen("desk_a")
    await pipewire_bench.call("set_volume", level=50)
    assert await pipewire_bench.listen("desk_a") - loud == pytest.approx(60 * math.log10(0.5), abs=0.5)
    await pipewire_bench.call("mute")
    assert await pipewire_bench.listen("desk_a") == -math.inf


async def test_its_own_player_is_used_where_there_is_no_other(own_pipewire: PrivatePipeWire, tmp_path: Path) -> None:
    player = shutil.which("pw-play")
    if player is None:
        miss("pw-play is not installed")
    (tmp_path / "pw-play").symlink_to(player)
    server = PulseServer({**own_pipewire.environ, "PATH": str(tmp_path)})
    assert await server.play(str(write_tone(tmp_path / "tone.wav", 0.3))) >= 0.3
    (letter := tmp_path / "letter.ogg").write_text("Dear Ada")
    with pytest.raises(FileError):
        await server.play(str(letter))
    await server.close()
