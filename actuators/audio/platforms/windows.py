"""The back end of the audio tools on Windows: Core Audio through pycaw. Windows only."""

import sys

from actuators.audio.mixing.mixer import AudioBackEnd
from actuators.base import Environment

if sys.platform != "win32":
    raise ImportError("Core Audio is a part of Windows")

from actuators.audio.pycaw.server import PycawServer


def make_back_end(environment: Environment) -> AudioBackEnd:
    """Return the audio tools on Windows' sound system; nothing is started or connected."""
    del environment  # the sound system is the session's own
    return AudioBackEnd(PycawServer())
