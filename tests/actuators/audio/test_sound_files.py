"""What is known of a sound file before it is played."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.audio.mixing.playing import measure_wave
from core.base.errors import FileError
from tests.contracts.audio.waves import write_tone

CHUNK = st.builds(
    lambda name, size, content: name + size.to_bytes(4, "little") + content,
    st.sampled_from([b"fmt ", b"data", b"LIST", b"fact", b"\0\0\0\0"]),
    st.one_of(st.integers(0, 64), st.just(2**32 - 1)),
    st.binary(max_size=64),
)


@given(
    st.one_of(
        st.binary(max_size=100), st.lists(CHUNK, max_size=5).map(lambda chunks: b"RIFF\0\0\0\0WAVE" + b"".join(chunks))
    )
)
def test_whatever_is_in_a_file_it_is_measured_or_refused(content: bytes) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        with contextlib.suppress(FileError):
            assert measure_wave(file, "sound.wav") > 0


@pytest.mark.parametrize("seconds", [0.1, 1.0])
def test_a_wave_is_as_long_as_its_sound(tmp_path: Path, seconds: float) -> None:
    with write_tone(tmp_path / "tone.wav", seconds).open("rb") as file:
        assert measure_wave(file, "tone.wav") == pytest.approx(seconds)
