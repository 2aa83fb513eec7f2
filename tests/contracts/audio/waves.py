"""Sounds that are made for the tests."""

import array
import math
import wave
from pathlib import Path

RATE_HZ = 48_000


def make_tone(seconds: float, *, hertz: float = 440.0, share: float = 0.5) -> bytes:
    """Return a sine as raw sound: 16 bits, two channels, 48 kHz.

    Args:
        seconds: How long it is.
        hertz: How high.
        share: How loud, as a share of the loudest.
    """
    steps = range(int(seconds * RATE_HZ))
    peak = share * 32767
    values = [round(peak * math.sin(2 * math.pi * hertz * step / RATE_HZ)) for step in steps]
    return array.array("h", [value for value in values for _ in range(2)]).tobytes()


def write_tone(path: Path, seconds: float) -> Path:
    """Write a tone as a wave file, and return its path."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(make_tone(seconds))
    return path


def measure_db(raw: bytes) -> float:
    """Return the peak of raw sound of 16 bits in decibels below full scale; minus infinity for silence.

    The peak, since a busy machine lets sound stutter, which makes it quieter on the average.
    """
    samples = array.array("h", raw[: len(raw) // 2 * 2])
    peak = max(map(abs, samples), default=0)
    return 20 * math.log10(peak / 32768) if peak else -math.inf
