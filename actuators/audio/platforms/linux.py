"""The back end of the audio tools on Linux: PulseAudio, or PipeWire in its place."""

from actuators.audio.mixing.mixer import AudioBackEnd
from actuators.audio.pulse.server import PulseServer
from actuators.base import Environment


def make_back_end(environment: Environment) -> AudioBackEnd:
    """Return the audio tools on the sound server that the environment names; nothing is started or connected."""
    return AudioBackEnd(PulseServer(environment.variables))
