"""Media on Linux: MPRIS over the session bus, and the media keys of an X display."""

from actuators.base import Environment
from actuators.media.back_end import MediaBackEnd
from actuators.media.mpris import MprisPlayers
from actuators.media.x11_media_keys import X11MediaKeys
from actuators.platforms.session_bus import Bus, find_session_bus
from actuators.seat.attending import Attendance


def make_back_end(environment: Environment) -> MediaBackEnd:
    """Return the back end; it connects to nothing before a tool is called."""
    players = MprisPlayers(Bus(find_session_bus(environment.variables)))
    keys = X11MediaKeys(environment.variables.get("DISPLAY", ""))
    return MediaBackEnd(players, keys, Attendance(environment.lease))
