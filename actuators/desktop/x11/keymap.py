"""Keys of an X keyboard: which makes what, with the shift level that the current map asks for, and with borrowed keys for what it lacks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from Xlib import XK, X
from Xlib.ext import xtest

from core.base.late_dataclasses import dataclass

XK.load_keysym_group("xkb")  # AltGr is among these

NO_SYMBOL = 0
_UNICODE = 0x01000000
_CONTROLS = {"\n": "Return", "\r": "Return", "\t": "Tab"}
_NAMES = {
    "Enter": "Return",
    "Backspace": "BackSpace",
    "PageUp": "Prior",
    "PageDown": "Next",
    "CapsLock": "Caps_Lock",
    "NumLock": "Num_Lock",
    "ScrollLock": "Scroll_Lock",
    "PrintScreen": "Print",
    "ContextMenu": "Menu",
    "Backquote": "grave",
    "Quote": "apostrophe",
    "Shift": "Shift_L",
    "ShiftLeft": "Shift_L",
    "ShiftRight": "Shift_R",
    "Control": "Control_L",
    "ControlOrMeta": "Control_L",
    "ControlLeft": "Control_L",
    "ControlRight": "Control_R",
    "Alt": "Alt_L",
    "AltLeft": "Alt_L",
    "AltRight": "Alt_R",
    "AltGraph": "ISO_Level3_Shift",
    "Meta": "Super_L",
    "MetaLeft": "Super_L",
    "MetaRight": "Super_R",
}


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key, and whether Shift is held with it."""

    keycode: int
    shift: bool = False


class KeyMap:
    """A keyboard map as the server has it; spare keys make nothing and modify nothing, the longest rows of neighbours first."""

    def __init__(self, first_keycode: int, rows: Sequence[Sequence[int]], modifiers: Collection[int] = ()) -> None:
        """Read a map: the keysyms of each key (plain, with Shift, further ones), and the modifiers, which are never spare."""
        self._strokes: dict[int, Stroke] = {}
        for level in (0, 1):
            for keycode, row in enumerate(rows, first_keycode):
                if len(row) > level and row[level] != NO_SYMBOL:
                    self._strokes.setdefault(row[level], Stroke(keycode, level == 1))
        free = {
            keycode
            for keycode, row in enumerate(rows, first_keycode)
            if not any(row) and keycode not in modifiers and keycode > first_keycode
        }
        runs = sorted(find_runs(free), key=lambda run: -run[1])
        self.spare = tuple(first + step for first, count in runs for step in range(count))

    def find(self, keysym: int) -> Stroke | None:
        """Return how a keysym is made, with as little as possible; None if no key makes it."""
        return self._strokes.get(keysym)


def find_runs(keycodes: Collection[int]) -> list[tuple[int, int]]:
    """Return where neighbours among keycodes begin, and how many there are."""
    runs: list[tuple[int, int]] = []
    for keycode in sorted(keycodes):
        if runs and keycode == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((keycode, 1))
    return runs


def find_key_symbol(key: str) -> int:
    """Return the keysym of a key by its name in core.selectors.keys; 0 if X knows none."""
    if len(key) == 1:
        return find_character_symbol(key)
    for prefix, stem in (("Digit", ""), ("Arrow", ""), ("Numpad", "KP_")):
        if key.startswith(prefix):
            return XK.string_to_keysym(stem + key.removeprefix(prefix))
    if key.startswith("Key") and len(key) == 4:
        return XK.string_to_keysym(key[-1].lower())
    name = _NAMES.get(key, key)
    return XK.string_to_keysym(name) or XK.string_to_keysym(name.lower())


def find_character_symbol(character: str) -> int:
    """Return the keysym of a character; 0 if it is a control character or half of a pair, which nobody can type."""
    if character in _CONTROLS:
        return XK.string_to_keysym(_CONTROLS[character])
    code = ord(character)
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
        return NO_SYMBOL
    return code if code < 0x100 else _UNICODE + code


@dataclass(frozen=True, slots=True)
class TypedPart:
    """A part of a text, in order, that is typed with one set of borrowed keys."""

    symbols: tuple[int, ...]
    borrowed: Mapping[int, int]


def divide(symbols: Sequence[int], known: Collection[int], spare: Sequence[int]) -> Iterator[TypedPart]:
    """Divide a text so that no part of it takes more keycodes than can be borrowed, of which it needs at least one."""
    part: list[int] = []
    borrowed: dict[int, int] = {}
    for symbol in symbols:
        if symbol not in known and symbol not in borrowed:
            if len(borrowed) == len(spare):
                yield TypedPart(tuple(part), {keycode: each for each, keycode in borrowed.items()})
                part, borrowed = [], {}
            borrowed[symbol] = spare[len(borrowed)]
        part.append(symbol)
    yield TypedPart(tuple(part), {keycode: each for each, keycode in borrowed.items()})


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

    def release_all(self) -> None:
        """Let go of everything, the last first."""
        while self._down:
            stroke, shift = self._down.popitem()[1]
            self._fake(X.KeyRelease, stroke.keycode)
            if shift:
                self._fake(X.KeyRelease, shift)
            self.display.sync()

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
