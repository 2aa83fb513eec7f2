"""MssScreen: pixels by mss."""

from typing import Any

import mss
from mss.exception import ScreenShotError

from actuators.base import Availability, Environment
from actuators.desktop.ports.desktop import Picture, Rect
from actuators.platforms.device_thread import DeviceThread
from actuators.platforms.x11_connection import check_listening
from actuators.platforms.x11_displays import assess_display
from core.base.errors import DeviceError

GRAB_S = 5.0


class MssScreen:
    """The screen of an X11 session."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._thread = DeviceThread("x11-screen", end=self._disconnect)
        self._mss: Any = None

    def assess(self) -> Availability:
        """Say whether the display answers."""
        return assess_display(self._environment, "screen", ("mss",))

    async def grab(self, bounds: Rect | None = None) -> Picture:
        """Return the pixels of a part, or of the whole screen; ``target_off_screen`` if the part isn't on it."""
        try:
            return await self._thread.run(lambda: self._grab(bounds), timeout_s=GRAB_S)
        except TimeoutError:
            self._mss = None
            raise DeviceError(f"The screen could not be read within {GRAB_S:g} s.", code="not_settled") from None

    async def close(self) -> None:
        """Let go of the display; calling it again does nothing."""
        await self._thread.close()

    def _grab(self, bounds: Rect | None) -> Picture:
        try:
            if self._mss is None:
                display = self._environment.variables.get("DISPLAY", "")
                check_listening(display)
                self._mss = mss.MSS(display=display)
            whole = self._mss.monitors[0]
            part = Rect(whole["left"], whole["top"], whole["width"], whole["height"]).clip(bounds)
            area = {"left": part.x, "top": part.y, "width": part.width, "height": part.height}
            shot = self._mss.grab(area)
        except ScreenShotError as error:
            self._disconnect()
            raise DeviceError(
                f"The screen can't be read: {error}.",
                code="server_missing",
                hint="Check whether the display is there.",
            ) from error
        return Picture(part, shot.width, shot.height, shot.rgb)

    def _disconnect(self) -> None:
        opened, self._mss = self._mss, None
        if opened is not None:
            opened.close()
