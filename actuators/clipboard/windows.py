"""WindowsClipboard: the text clipboard of Microsoft Windows through pywin32. Windows only."""

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from actuators.base import Availability
from actuators.deadlines import pause
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import ActionError, DeviceError

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import pywintypes
import win32clipboard

Result = TypeVar("Result")
UNICODE_TEXT = 13
ACCESS_DENIED = 5
PATIENCE_S = 2.0
STEP_S = 0.01


class WindowsClipboard:
    """The text clipboard. Windows keeps what is in it; another program that has it open keeps everybody else out."""

    def __init__(self, *, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._thread = DeviceThread("win32-clipboard")

    def assess(self) -> Availability:
        """Say that it is there."""
        return Availability("clipboard", available=True, reason="Windows' own clipboard by pywin32.")

    async def read(self) -> str | None:
        """Return its text; None if it holds no text."""
        return await self._hold(get_text)

    async def write(self, text: str) -> None:
        """Replace its content; ``unsupported_text`` for NUL, which ends every text here, and halves of characters."""
        if lost := sorted({each for each in text if each == "\0" or 0xD800 <= ord(each) <= 0xDFFF}):
            raise ActionError(
                f"Windows' clipboard would lose {', '.join(map(ascii, lost))}.",
                code="unsupported_text",
                hint="Leave that character out.",
                evidence={"characters": [f"U+{ord(each):04X}" for each in lost]},
            )
        await self._hold(lambda: set_text(text))

    async def close(self) -> None:
        """Let the thread end; calling it again does nothing."""
        await self._thread.close()

    async def _hold(self, act: Callable[[], Result]) -> Result:
        """Do something with the clipboard open, as soon as nobody else has it open."""
        end_s = time.monotonic() + self._patience_s
        while True:
            try:
                return await self._thread.run(lambda: with_clipboard(act), timeout_s=self._patience_s)
            except TimeoutError as error:
                raise held(self._patience_s) from error
            except pywintypes.error as error:
                if error.winerror != ACCESS_DENIED or time.monotonic() >= end_s:
                    raise held(self._patience_s) from error
            await pause(STEP_S)


def held(patience_s: float) -> DeviceError:
    """Return the error of a clipboard that another program doesn't let go of."""
    return DeviceError(
        f"Another program has had the clipboard open for {patience_s:g} s.",
        code="not_settled",
        hint="Close clipboard tools or remote desktop windows, and try again.",
    )


def with_clipboard(act: Callable[[], Result]) -> Result:
    """Open the clipboard, do something and close it."""
    win32clipboard.OpenClipboard()
    try:
        return act()
    finally:
        win32clipboard.CloseClipboard()


def get_text() -> str | None:
    """Return the open clipboard's text."""
    if not win32clipboard.IsClipboardFormatAvailable(UNICODE_TEXT):
        return None
    return win32clipboard.GetClipboardData(UNICODE_TEXT)


def set_text(text: str) -> None:
    """Replace the open clipboard's content."""
    win32clipboard.EmptyClipboard()
    win32clipboard.SetClipboardData(UNICODE_TEXT, text)
