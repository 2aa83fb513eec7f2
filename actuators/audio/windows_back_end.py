"""The back end of the audio tools on Windows: Core Audio through pycaw. Windows only."""

from actuators.audio.back_end import AudioBackEnd
from actuators.audio.pycaw_backend import PycawServer
from actuators.base import Environment


def make_back_end(environment: Environment) -> AudioBackEnd:
    """Return the audio tools on Windows' sound system; nothing is started or connected."""
    del environment  # the sound system is the session's own
    return AudioBackEnd(PycawServer())
