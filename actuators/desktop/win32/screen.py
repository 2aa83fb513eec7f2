"""Win32Screen: pixels of Microsoft Windows by mss. Windows only."""

import sys

from actuators.base import Availability
from actuators.desktop.ports.desktop import Picture, Rect
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import DeviceError

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import mss
from mss.exception import ScreenShotError

from actuators.desktop.win32.calls import see_real_pixels

GRAB_S = 5.0


class Win32Screen:
    """The screen of a session."""

    def __init__(self) -> None:
        self._thread = DeviceThread("win32-screen", begin=see_real_pixels)

    def assess(self) -> Availability:
        """Say that it is there: Windows has no session without it."""
        return Availability("screen", available=True, reason="Windows' own pixels by mss.")

    async def grab(self, bounds: Rect | None = None) -> Picture:
        """Return the pixels of a part, or of the whole screen; ``server_missing`` on a locked one."""
        try:
            return await self._thread.run(lambda: grab(bounds), timeout_s=GRAB_S)
        except TimeoutError as error:
            raise DeviceError(f"The screen could not be read within {GRAB_S:g} s.", code="not_settled") from error
        except ScreenShotError as error:
            raise DeviceError(
                f"The screen can't be read: {error}.", code="server_missing", hint="Unlock the screen."
            ) from error

    async def close(self) -> None:
        """Let the thread end; calling it again does nothing."""
        await self._thread.close()


def grab(bounds: Rect | None) -> Picture:
    """Return the pixels of a part; opened each time, since displays come and go."""
    with mss.MSS() as opened:
        whole = opened.monitors[0]
        part = Rect(whole["left"], whole["top"], whole["width"], whole["height"]).clip(bounds)
        shot = opened.grab({"left": part.x, "top": part.y, "width": part.width, "height": part.height})
        return Picture(part, shot.width, shot.height, shot.rgb)
