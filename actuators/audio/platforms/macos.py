"""The back end of the audio tools on macOS, by the system's own scripting."""

from actuators.audio.mixing.back_end import AudioBackEnd
from actuators.audio.osascript import MacServer
from actuators.base import Environment


def make_back_end(environment: Environment) -> AudioBackEnd:
    """Return the audio tools of macOS; nothing is started."""
    return AudioBackEnd(MacServer(environment.variables))
