"""The fake back end of the audio tools: the same tools on a sound system in memory."""

from collections.abc import Iterable

from actuators.audio.fake_server import FakeServer, FakeSound, SoundFault
from actuators.audio.mixing.back_end import AudioBackEnd


def make_fake_back_end(sound: FakeSound, faults: Iterable[SoundFault] = ()) -> AudioBackEnd:
    """Return the audio tools on a simulated sound system."""
    return AudioBackEnd(FakeServer(sound, faults))
