"""Which key of an X keyboard makes what: keysyms, their places on the keyboard map, and keys that make nothing. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from Xlib import XK

XK.load_keysym_group("xkb")  # AltGr is among these

NO_SYMBOL = 0
_UNICODE = 0x01000000
_CONTROLS = {"\n": "Return", "\r": "Return", "\t": "Tab"}
_NAMES = {
    "Enter": "Return",
    "Backspace": "BackSpace",
    "PageUp": "Prior",
    "PageDown": "Next",
    "ArrowUp": "Up",
    "ArrowDown": "Down",
    "ArrowLeft": "Left",
    "ArrowRight": "Right",
    "Space": "space",
    "CapsLock": "Caps_Lock",
    "NumLock": "Num_Lock",
    "ScrollLock": "Scroll_Lock",
    "PrintScreen": "Print",
    "ContextMenu": "Menu",
    "Backquote": "grave",
    "Minus": "minus",
    "Equal": "equal",
    "Backslash": "backslash",
    "BracketLeft": "bracketleft",
    "BracketRight": "bracketright",
    "Semicolon": "semicolon",
    "Quote": "apostrophe",
    "Comma": "comma",
    "Period": "period",
    "Slash": "slash",
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
    "NumpadEnter": "KP_Enter",
    "NumpadAdd": "KP_Add",
    "NumpadSubtract": "KP_Subtract",
    "NumpadMultiply": "KP_Multiply",
    "NumpadDivide": "KP_Divide",
    "NumpadDecimal": "KP_Decimal",
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
    for prefix, stem in (("Digit", ""), ("Numpad", "KP_")):
        if key.startswith(prefix) and key.removeprefix(prefix).isdigit():
            return XK.string_to_keysym(stem + key.removeprefix(prefix))
    if key.startswith("Key") and len(key) == 4:
        return XK.string_to_keysym(key[-1].lower())
    return XK.string_to_keysym(_NAMES.get(key, key))


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
