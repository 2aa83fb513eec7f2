"""Media on Windows: the media keys."""

from actuators.base import Environment
from actuators.media.absent_players import AbsentPlayers
from actuators.media.back_end import MediaBackEnd
from actuators.media.windows_media_keys import WindowsMediaKeys
from actuators.seat.attending import Attendance


def make_back_end(environment: Environment) -> MediaBackEnd:
    """Return the back end."""
    players = AbsentPlayers("Surehand can't yet ask players on Windows what they play.")
    return MediaBackEnd(players, WindowsMediaKeys(), Attendance(environment.lease))
