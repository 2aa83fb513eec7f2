"""The displays of a machine, by mss; imported only by back ends, since mss is an extra."""

from collections.abc import Callable

import mss
from mss.exception import ScreenShotError

from actuators.platforms.device_thread import DeviceThread
from actuators.platforms.x11_displays import answers
from actuators.system.ports.facts import DisplayFacts
from core.base.errors import DeviceError

_ANSWER_S = 3.0


class MssDisplays:
    """The displays of the session; each question has a connection of its own."""

    def __init__(self, display: str | None = None) -> None:
        """Connect to nothing yet; without a display on systems that have none."""
        self._display = display
        self._thread = DeviceThread("displays")

    async def list(self) -> tuple[DisplayFacts, ...]:
        """Return the displays; ``server_missing`` if they can't be asked."""
        try:
            return await self._thread.run(make_reader(self._display), timeout_s=_ANSWER_S)
        except TimeoutError:
            raise _missing(f"it doesn't answer within {_ANSWER_S:g} s") from None

    async def close(self) -> None:
        """End the thread."""
        await self._thread.close()


def make_reader(display: str | None) -> Callable[[], tuple[DisplayFacts, ...]]:
    """Return what reads the displays on a thread that may wait."""

    def read() -> tuple[DisplayFacts, ...]:
        if display is not None and not (display and answers(display)):
            raise _missing("no X display found")
        try:
            with mss.MSS() if display is None else mss.MSS(display=display) as screen:
                monitors = screen.monitors[1:]  # the first is all of them together
        except ScreenShotError as error:
            raise _missing(str(error)) from error
        return tuple(
            DisplayFacts(index, each["width"], each["height"], each["left"], each["top"])
            for index, each in enumerate(monitors)
        )

    return read


def _missing(why: str) -> DeviceError:
    return DeviceError(
        f"The displays can't be asked: {why}.", code="server_missing", hint="Start Surehand within a desktop session."
    )
