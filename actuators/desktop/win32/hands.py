"""Win32Hands: pointer and keyboard of Microsoft Windows by SendInput. Windows only."""

import functools
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from actuators.base import Availability
from actuators.deadlines import Deadline, pause
from actuators.desktop.ports.desktop import Direction, MouseButton
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import ActionError, DeviceError

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import win32api
import win32con

from actuators.desktop.win32 import keyboard
from actuators.desktop.win32.calls import see_real_pixels
from actuators.desktop.win32.keyboard import KeyboardInput, MouseEvent

Result = TypeVar("Result")
ANSWER_LIMIT_S = 5.0
MODIFIERS_S = 3.0
STEP_S = 0.02
AT_ONCE = 100  # events between two chances to be cancelled
NOTCH = 120
STEPS = 65536  # into which Windows divides each side of the screen
VIRTUAL_SCREEN = (76, 77, 78, 79)  # left, top, width and height of all displays together
TO_PLACE = win32con.MOUSEEVENTF_MOVE | win32con.MOUSEEVENTF_ABSOLUTE | 0x4000  # of all displays together
BUTTONS: dict[MouseButton, tuple[int, int]] = {
    "left": (win32con.MOUSEEVENTF_LEFTDOWN, win32con.MOUSEEVENTF_LEFTUP),
    "middle": (win32con.MOUSEEVENTF_MIDDLEDOWN, win32con.MOUSEEVENTF_MIDDLEUP),
    "right": (win32con.MOUSEEVENTF_RIGHTDOWN, win32con.MOUSEEVENTF_RIGHTUP),
}
SWAPPED: dict[MouseButton, MouseButton] = {"left": "right", "middle": "middle", "right": "left"}
WHEELS: dict[Direction, tuple[int, int]] = {
    "up": (win32con.MOUSEEVENTF_WHEEL, 1),
    "down": (win32con.MOUSEEVENTF_WHEEL, -1),
    "right": (win32con.MOUSEEVENTF_HWHEEL, 1),
    "left": (win32con.MOUSEEVENTF_HWHEEL, -1),
}


class Win32Hands:
    """Pointer and keyboard."""

    def __init__(self) -> None:
        self._thread = DeviceThread("win32-hands", begin=see_real_pixels)
        self._buttons: list[MouseButton] = []
        self._keys: list[str] = []

    def assess(self) -> Availability:
        """Say that they are there: Windows has no session without them."""
        return Availability("input", available=True, reason="Windows' own input events (SendInput).")

    async def position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        return await self._call(win32api.GetCursorPos)

    async def move_to(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._call(functools.partial(point_at, x, y))

    async def button_down(self, button: MouseButton) -> None:
        """Press a mouse button and hold it."""
        self._buttons.append(button)
        await self._press(button, down=True)

    async def button_up(self, button: MouseButton) -> None:
        """Let a mouse button go."""
        await self._press(button, down=False)
        if button in self._buttons:
            self._buttons.remove(button)

    async def wheel(self, direction: Direction, notches: int) -> None:
        """Turn the wheel."""
        flags, sign = WHEELS[direction]
        await self._send([make_mouse_event(flags, sign * notches * NOTCH)])

    async def can_press(self, key: str) -> bool:
        """Tell whether this keyboard has a key."""
        return bool(await self._call(functools.partial(keyboard.find_keys, key)))

    async def key_down(self, key: str) -> None:
        """Press a key and hold it, Shift with it where its character needs it; ``unknown_key`` if this keyboard lacks it."""
        keys = await self._find_keys(key)
        self._keys.append(key)
        await self._send([keyboard.make_key_event(code, flags, up=False) for code, flags in keys])

    async def strike(self, keys: Sequence[str]) -> None:
        """Press keys together and let them go, in one piece; ``unknown_key`` if this keyboard lacks one."""
        found = [pair for key in keys for pair in await self._find_keys(key)]
        down = [keyboard.make_key_event(code, flags, up=False) for code, flags in found]
        await self._send(down + [keyboard.make_key_event(code, flags, up=True) for code, flags in reversed(found)])

    async def is_slow_for(self, text: str) -> bool:
        """Say no: each character is an event of its own, whether or not a key makes it."""
        del text
        return False

    async def type_text(self, text: str) -> None:
        """Type text as characters, whatever the keyboard's layout."""
        events = keyboard.make_text_events(text)
        await self._wait_for_modifiers()
        for start in range(0, len(events), AT_ONCE):
            await self._send(events[start : start + AT_ONCE])

    async def release_all(self) -> None:
        """Let go of every key and button that is still held by us."""
        for button in self._buttons.copy():
            await self.button_up(button)
        for key in reversed(self._keys.copy()):
            keys = await self._find_keys(key)
            await self._send([keyboard.make_key_event(code, flags, up=True) for code, flags in reversed(keys)])
            self._keys.remove(key)

    async def close(self) -> None:
        """Let go of everything and let the thread end; calling it again does nothing."""
        await self.release_all()
        await self._thread.close()

    async def _find_keys(self, key: str) -> list[tuple[int, int]]:
        if not (keys := await self._call(functools.partial(keyboard.find_keys, key))):
            raise ActionError(f"This keyboard has no key {key}.", code="unknown_key", evidence={"key": key})
        return keys

    async def _press(self, button: MouseButton, *, down: bool) -> None:
        def make() -> KeyboardInput:
            swapped = win32api.GetSystemMetrics(win32con.SM_SWAPBUTTON)
            press, release = BUTTONS[SWAPPED[button] if swapped else button]
            return make_mouse_event(press if down else release, 0)

        await self._send([await self._call(make)])

    async def _send(self, events: list[KeyboardInput]) -> None:
        if events:
            await self._call(functools.partial(keyboard.send, events))

    async def _wait_for_modifiers(self) -> None:
        deadline = Deadline(MODIFIERS_S)
        while await self._call(is_modifier_down):
            if deadline.is_over:
                raise ActionError(
                    "Someone is holding Shift, Control, Alt or the Windows key, so text would come out wrong.",
                    code="person_active",
                    hint="Release the keys and ask again.",
                )
            await pause(STEP_S)

    async def _call(self, work: Callable[[], Result]) -> Result:
        try:
            return await self._thread.run(work, timeout_s=ANSWER_LIMIT_S)
        except TimeoutError as error:
            raise DeviceError(
                f"Windows accepted no input within {ANSWER_LIMIT_S:g} s.", code="server_missing"
            ) from error


def make_mouse_event(flags: int, data: int) -> KeyboardInput:
    """Return the event of a button or the wheel; the pointer stays."""
    event = KeyboardInput(kind=0)
    event.content.mouse = MouseEvent(0, 0, data, flags, 0, 0)
    return event


def point_at(x: int, y: int) -> None:
    """Move the pointer to a pixel, by an event as a mouse makes it; programs that watch the mouse see it move."""
    metrics = map(win32api.GetSystemMetrics, VIRTUAL_SCREEN)
    left, top, width, height = metrics
    event = KeyboardInput(kind=0)
    event.content.mouse = MouseEvent(spread(x - left, width), spread(y - top, height), 0, TO_PLACE, 0, 0)
    keyboard.send([event])


def spread(offset_px: int, length_px: int) -> int:
    """Return a pixel's place on a side of the screen as Windows counts it: from 0 to 65535, rounding down to the pixel."""
    return -(-offset_px * STEPS // max(length_px, 1))


def is_modifier_down() -> bool:
    """Tell whether a modifier is held now."""
    return any(win32api.GetAsyncKeyState(code) & 0x8000 for code in keyboard.MODIFIER_CODES.values())
