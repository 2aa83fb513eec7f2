"""Media on macOS: refused, since the system has no public interface for the players that run."""

from actuators.base import Environment
from actuators.media.back_end import AbsentPlayers, MediaBackEnd


def make_back_end(environment: Environment) -> MediaBackEnd:
    """Return a back end that says why it can do nothing."""
    del environment
    return MediaBackEnd(AbsentPlayers("macOS does not let programs ask players or press media keys."))
