"""X11Hands: pointer, keys and text through XTEST."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from Xlib import X
from Xlib.ext import xtest

from actuators.base import Availability, Environment
from actuators.deadlines import Deadline, pause, settle
from actuators.desktop.ports.desktop import Direction, MouseButton
from actuators.desktop.ports.guarding import fail_safe
from actuators.desktop.x11.connection import X11Connection, await_answer
from actuators.desktop.x11.keymap import NO_SYMBOL, TypedPart, X11Keyboard, divide, find_character_symbol
from actuators.platforms.x11_displays import assess_display
from core.base.errors import ActionError

Result = TypeVar("Result")

_AT_ONCE = 100  # strokes between two chances to be cancelled
_ANSWER_S = 1.0
_FEW_BORROWED = 6
_GRACE_S = 0.3  # for applications that don't say when they have taken their keys
_MODIFIERS_S = 3.0
_STEP_S = 0.02
_TAKEN_S = 1.0
_BUTTONS = X.Button1Mask | X.Button2Mask | X.Button3Mask | X.Button4Mask | X.Button5Mask
_BUTTON_NUMBERS = {"left": 1, "middle": 2, "right": 3}
_WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}


class X11Hands:
    """Pointer and keyboard of an X11 session."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._connection = X11Connection(environment, "x11-hands")
        self._keyboard: X11Keyboard | None = None
        self._buttons: list[MouseButton] = []

    def assess(self) -> Availability:
        """Say whether the display answers and takes input."""
        return assess_display(self._environment, "input", ("Xlib",))

    async def position(self) -> tuple[int, int]:
        """Return where the pointer is."""

        def ask(display: Any) -> tuple[int, int]:
            found = display.screen().root.query_pointer()
            return found.root_x, found.root_y

        return await self._connection.run(ask)

    async def move_to(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._point(lambda display: xtest.fake_input(display, X.MotionNotify, x=x, y=y))

    async def button_down(self, button: MouseButton) -> None:
        """Press a mouse button and hold it; return once the press has taken effect."""
        self._buttons.append(button)
        held = await self._connection.run(_read_buttons)
        await self._point(lambda display: xtest.fake_input(display, X.ButtonPress, _BUTTON_NUMBERS[button]))
        await self._await_buttons(lambda now: now != held)

    async def button_up(self, button: MouseButton) -> None:
        """Let a mouse button go, and return once that has taken effect; no fail-safe keeps it down."""
        held = await self._connection.run(lambda display: _let_go(display, button))
        if button in self._buttons:
            self._buttons.remove(button)
        if held:
            await self._await_buttons(lambda now: now != held)

    async def wheel(self, direction: Direction, notches: int) -> None:
        """Turn the wheel, which is a button that is clicked for each notch."""
        number = _WHEEL[direction]
        for _ in range(notches):
            held = await self._connection.run(_read_buttons)
            await self._point(lambda display: _turn(display, number))
            await self._await_buttons(lambda now, before=held: now == before)

    async def can_press(self, key: str) -> bool:
        """Tell whether this keyboard has a key."""
        return await self._type(lambda keyboard: self._renew(keyboard).find(key) is not None)

    async def key_down(self, key: str) -> None:
        """Press a key and hold it; ``unknown_key`` if this keyboard lacks it."""

        def press(keyboard: X11Keyboard) -> None:
            _need_key(keyboard, key)
            keyboard.press(key)

        await self._type(press)

    async def strike(self, keys: Sequence[str]) -> None:
        """Press keys together and let them go, in one piece; ``unknown_key`` if this keyboard lacks one."""

        def strike(keyboard: X11Keyboard) -> None:
            for key in keys:
                _need_key(keyboard, key)
            keyboard.strike(keys)

        await self._type(strike)

    async def is_slow_for(self, text: str) -> bool:
        """Tell whether many keys would be borrowed: window managers take long over each change of the keyboard."""

        def count(keyboard: X11Keyboard) -> int:
            symbols = {find_character_symbol(character) for character in text}
            return len(symbols - self._renew(keyboard).list_known(symbols))

        return await self._type(count) > _FEW_BORROWED

    async def type_text(self, text: str) -> None:
        """Type text as keys; characters that the keyboard map lacks get spare keys for that long."""
        passages, caps = await self._type(lambda keyboard: _plan(self._renew(keyboard), text))
        await self._wait_for_modifiers()
        try:
            if caps:
                await self._type(X11Keyboard.toggle_caps)
            await self._type_passages(passages)
        finally:
            if caps:
                await asyncio.shield(self._type(X11Keyboard.toggle_caps))

    async def release_all(self) -> None:
        """Let go of every key and button that is still held by us."""
        for button in self._buttons.copy():
            await self.button_up(button)
        if self._keyboard is not None and self._keyboard.holds_keys:
            await self._type(X11Keyboard.release_all)

    async def close(self) -> None:
        """Let go of everything and of the display; calling it again does nothing."""
        if self._keyboard is not None or self._buttons:
            await self.release_all()
        self._keyboard = None
        await self._connection.close()

    async def _await_buttons(self, is_so: Callable[[int], bool]) -> None:
        """Wait until a press or release has taken effect.

        A window manager holds a click up until it has decided about the focus. If the button is pressed again by then,
        the server takes the release for none, since the button is down by now, and both are lost.
        """

        async def have_changed() -> bool:
            return is_so(await self._connection.run(_read_buttons))

        async def wait(left_s: float) -> None:
            await pause(min(_STEP_S, left_s))

        await settle(have_changed, wait, Deadline(_TAKEN_S))

    async def _point(self, act: Callable[[Any], None]) -> None:
        """Do something with the pointer unless it is in a corner."""

        def do(display: Any) -> None:
            root = display.screen().root
            place, screen = root.query_pointer(), root.get_geometry()
            if place.root_x in {0, screen.width - 1} and place.root_y in {0, screen.height - 1}:
                raise fail_safe(place.root_x, place.root_y)
            act(display)
            display.sync()

        await self._connection.run(do)

    async def _type(self, work: Callable[[X11Keyboard], Result]) -> Result:
        def do(display: Any) -> Result:
            if self._keyboard is None or self._keyboard.display is not display:
                self._keyboard = X11Keyboard(display)
            return work(self._keyboard)

        return await self._connection.run(do)

    def _renew(self, keyboard: X11Keyboard) -> X11Keyboard:
        """Return the keyboard as it is now: a person may have chosen another."""
        if self._connection.take_map_change(keyboard.display):
            keyboard.refresh()
        return keyboard

    async def _wait_for_modifiers(self) -> None:
        loop = asyncio.get_running_loop()
        end_s = loop.time() + _MODIFIERS_S
        while await self._type(lambda keyboard: keyboard.has_modifier_down):
            if loop.time() > end_s:
                raise ActionError(
                    "Someone is holding Shift, Control, Alt or Meta, so text would come out wrong.",
                    code="person_active",
                    hint="Release the keys and ask again.",
                )
            await pause(_STEP_S)

    async def _type_passages(self, passages: Sequence[TypedPart]) -> None:
        """Type passage after passage; what spare keys mean changes only after it has been looked up."""
        borrowed: set[int] = set()
        try:
            for passage in passages:
                if borrowed:
                    await self._settle()
                borrowed.update(passage.borrowed)
                strokes = await self._type(lambda keyboard, passage=passage: keyboard.prepare(passage))
                for part in [strokes[start : start + _AT_ONCE] for start in range(0, len(strokes), _AT_ONCE)]:
                    await self._type(lambda keyboard, part=part: keyboard.tap(part))
        finally:
            if borrowed:
                await asyncio.shield(self._give_back(borrowed))

    async def _give_back(self, keycodes: Collection[int]) -> None:
        try:
            await self._settle()
        finally:
            await self._type(lambda keyboard: keyboard.give_back(keycodes))

    async def _settle(self) -> None:
        """Wait until the application has looked up what the keys that were pressed mean."""
        if not await self._connection.run(lambda display: await_answer(display, _ANSWER_S)):
            await pause(_GRACE_S)


def _need_key(keyboard: X11Keyboard, key: str) -> None:
    if keyboard.find(key) is None:
        raise ActionError(f"This keyboard has no key {key}.", code="unknown_key", evidence={"key": key})


def _plan(keyboard: X11Keyboard, text: str) -> tuple[list[TypedPart], bool]:
    text = text.replace("\r\n", "\n")
    symbols = [find_character_symbol(character) for character in text]
    lost = [character for character, symbol in zip(text, symbols, strict=True) if symbol == NO_SYMBOL]
    known = keyboard.list_known(set(symbols))
    if not lost and not keyboard.map.spare:
        lost = [character for character, symbol in zip(text, symbols, strict=True) if symbol not in known]
    if lost:
        raise ActionError(
            f"{', '.join(sorted(set(map(repr, lost))))} can't be typed on this keyboard.",
            code="unsupported_text",
            hint="Leave it out, or set the field's value instead.",
            evidence={"characters": sorted({f"U+{ord(each):04X}" for each in lost})},
        )
    return list(divide(symbols, known, keyboard.map.spare)), keyboard.is_caps_locked


def _turn(display: Any, number: int) -> None:
    xtest.fake_input(display, X.ButtonPress, number)
    xtest.fake_input(display, X.ButtonRelease, number)


def _read_buttons(display: Any) -> int:
    """Return which buttons are down as applications know it: what a window manager holds up is not in it."""
    return display.screen().root.query_pointer().mask & _BUTTONS


def _let_go(display: Any, button: MouseButton) -> int:
    held = _read_buttons(display)
    xtest.fake_input(display, X.ButtonRelease, _BUTTON_NUMBERS[button])
    display.sync()
    return held
