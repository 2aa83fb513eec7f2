"""Keys through XTEST: with the shift level that the current map asks for, and with borrowed keys for what it lacks."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from Xlib import X
from Xlib.ext import xtest

from actuators.desktop.x11.keymap import KeyMap, Stroke, TypedPart, find_key_symbol, find_runs

_GROUP_SHIFT = 13
_GROUP_MASK = 0b11
_KEYPAD = range(0xFF80, 0xFFBA)
_HELD = X.ShiftMask | X.ControlMask | X.Mod1Mask | X.Mod4Mask | X.Mod5Mask


class X11Keyboard:
    """The keyboard of one connection, used on its thread."""

    def __init__(self, display: Any) -> None:
        """Read the keyboard map of an ``Xlib.display.Display``."""
        self.display = display
        self._down: dict[str, tuple[Stroke, int]] = {}
        self._root = display.screen().root
        self._first = display.display.info.min_keycode
        self._shift = display.keysym_to_keycode(find_key_symbol("Shift"))
        self._caps = display.keysym_to_keycode(find_key_symbol("CapsLock"))
        self.map = self._read_map()

    def refresh(self) -> None:
        """Read the keyboard map again."""
        self.map = self._read_map()

    @property
    def mask(self) -> int:
        """The state of modifiers and locks."""
        return self._root.query_pointer().mask

    @property
    def has_modifier_down(self) -> bool:
        """Whether somebody holds Shift, Control, Alt, Meta or AltGr."""
        return bool(self.mask & _HELD)

    @property
    def holds_keys(self) -> bool:
        """Whether keys are down that were pressed here."""
        return bool(self._down)

    @property
    def is_caps_locked(self) -> bool:
        """Whether Caps Lock is on."""
        return bool(self.mask & X.LockMask)

    @property
    def _is_in_first_group(self) -> bool:
        """Whether the first of the keyboard's layouts is in use, which is the one that the core protocol shows."""
        return (self.mask >> _GROUP_SHIFT) & _GROUP_MASK == 0

    def find(self, key: str) -> Stroke | None:
        """Return how a key, named as core.selectors.keys does, is pressed; None if this keyboard lacks it."""
        symbol = find_key_symbol(key)
        stroke = self.map.find(symbol)
        if stroke and symbol in _KEYPAD and self.mask & X.Mod2Mask:
            return Stroke(stroke.keycode, not stroke.shift)
        return stroke

    def press(self, key: str) -> None:
        """Press a key that this keyboard has, and hold it."""
        stroke = self.find(key)
        assert stroke is not None
        shift = self._shift if stroke.shift and not self._holds_shift() else 0
        if shift:
            self._fake(X.KeyPress, shift)
        self._down[key] = (stroke, shift)
        self._fake(X.KeyPress, stroke.keycode)
        self.display.sync()

    def strike(self, keys: Sequence[str]) -> None:
        """Press keys that this keyboard has together, and let them go, the last first; the server gets all of it at once."""
        strokes = [stroke for key in keys if (stroke := self.find(key))]
        is_shifted = self._holds_shift() or any(key.startswith("Shift") for key in keys)
        codes = [stroke.keycode for stroke in strokes]
        if not is_shifted and any(stroke.shift for stroke in strokes):
            codes.insert(0, self._shift)
        for kind, row in ((X.KeyPress, codes), (X.KeyRelease, codes[::-1])):
            for keycode in row:
                self._fake(kind, keycode)
        self.display.sync()

    def release(self, key: str) -> None:
        """Let a key go that was pressed; nothing happens otherwise."""
        if key not in self._down:
            return
        stroke, shift = self._down.pop(key)
        self._fake(X.KeyRelease, stroke.keycode)
        if shift:
            self._fake(X.KeyRelease, shift)
        self.display.sync()

    def release_all(self) -> None:
        """Let go of everything, the last first."""
        for key in reversed(list(self._down)):
            self.release(key)

    def list_known(self, symbols: Collection[int]) -> set[int]:
        """Return those of some keysyms that the layout in use makes without borrowed keys."""
        return {each for each in symbols if self.map.find(each)} if self._is_in_first_group else set()

    def prepare(self, passage: TypedPart) -> list[Stroke]:
        """Let spare keys make what the map lacks, and return the strokes that make a part of a text."""
        self._change({keycode: [symbol, symbol] for keycode, symbol in passage.borrowed.items()})
        own = {symbol: Stroke(keycode) for keycode, symbol in passage.borrowed.items()}
        strokes = [own.get(symbol) or self.map.find(symbol) for symbol in passage.symbols]
        return [each for each in strokes if each is not None]

    def give_back(self, keycodes: Collection[int]) -> None:
        """Let keys make nothing again."""
        self._change({keycode: [X.NoSymbol, X.NoSymbol] for keycode in keycodes})

    def tap(self, strokes: Sequence[Stroke]) -> None:
        """Press and let go of keys, one after another."""
        shifted = False
        try:
            for stroke in strokes:
                if stroke.shift != shifted:
                    self._fake(X.KeyPress if stroke.shift else X.KeyRelease, self._shift)
                    shifted = stroke.shift
                self._fake(X.KeyPress, stroke.keycode)
                self._fake(X.KeyRelease, stroke.keycode)
        finally:
            if shifted:
                self._fake(X.KeyRelease, self._shift)
            self.display.sync()

    def toggle_caps(self) -> None:
        """Press Caps Lock."""
        self.tap([Stroke(self._caps)])

    def _change(self, rows: Mapping[int, list[int]]) -> None:
        """Change keys, neighbours together: window managers take all their shortcuts anew after each change."""
        for first, count in find_runs(rows):
            self.display.change_keyboard_mapping(first, [rows[first + step] for step in range(count)])
        self.display.sync()

    def _holds_shift(self) -> bool:
        return any(key.startswith("Shift") for key in self._down) or bool(self.mask & X.ShiftMask)

    def _fake(self, kind: int, keycode: int) -> None:
        xtest.fake_input(self.display, kind, keycode)

    def _read_map(self) -> KeyMap:
        info = self.display.display.info
        rows = self.display.get_keyboard_mapping(self._first, info.max_keycode - self._first + 1)
        modifiers = set(chain.from_iterable(self.display.get_modifier_mapping()))
        return KeyMap(self._first, [tuple(map(int, row)) for row in rows], modifiers)
