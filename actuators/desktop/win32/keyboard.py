"""Keys by their names, and text as Windows takes it: events for SendInput. Windows only.

Source: Microsoft, "Virtual-Key Codes" and "KEYBDINPUT structure".
"""

import ctypes
import string
import sys
from ctypes import wintypes

from core.base.errors import ActionError

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import win32api

IS_KEYBOARD = 1
EXTENDED, UP, UNICODE = 0x1, 0x2, 0x4
SHIFT = 0x10
MODIFIER_CODES = {"Shift": 0x10, "Control": 0x11, "Alt": 0x12, "Meta": 0x5B, "RightMeta": 0x5C}
SHIFT_BIT, OTHER_BITS = 0x100, 0xFE00

# Those that the original keyboard lacked: the event must say so, or Windows takes the key of the number pad.
EXTENDED_CODES = {
    "PageUp": 0x21,
    "PageDown": 0x22,
    "End": 0x23,
    "Home": 0x24,
    "ArrowLeft": 0x25,
    "ArrowUp": 0x26,
    "ArrowRight": 0x27,
    "ArrowDown": 0x28,
    "PrintScreen": 0x2C,
    "Insert": 0x2D,
    "Delete": 0x2E,
    "Meta": 0x5B,
    "MetaLeft": 0x5B,
    "MetaRight": 0x5C,
    "ContextMenu": 0x5D,
    "NumpadDivide": 0x6F,
    "NumLock": 0x90,
    "ControlRight": 0xA3,
    "AltRight": 0xA5,
    "AltGraph": 0xA5,
    "NumpadEnter": 0x0D,
}
CODES = {
    **EXTENDED_CODES,
    "Backspace": 0x08,
    "Tab": 0x09,
    "Enter": 0x0D,
    "Shift": 0x10,
    "Control": 0x11,
    "ControlOrMeta": 0x11,
    "Alt": 0x12,
    "Pause": 0x13,
    "CapsLock": 0x14,
    "Escape": 0x1B,
    "Space": 0x20,
    "NumpadMultiply": 0x6A,
    "NumpadAdd": 0x6B,
    "NumpadSubtract": 0x6D,
    "NumpadDecimal": 0x6E,
    "ScrollLock": 0x91,
    "ShiftLeft": 0xA0,
    "ShiftRight": 0xA1,
    "ControlLeft": 0xA2,
    "AltLeft": 0xA4,
    "Semicolon": 0xBA,
    "Equal": 0xBB,
    "Comma": 0xBC,
    "Minus": 0xBD,
    "Period": 0xBE,
    "Slash": 0xBF,
    "Backquote": 0xC0,
    "BracketLeft": 0xDB,
    "Backslash": 0xDC,
    "BracketRight": 0xDD,
    "Quote": 0xDE,
    **{f"F{number}": 0x6F + number for number in range(1, 13)},
    **{f"Digit{number}": 0x30 + number for number in range(10)},
    **{f"Numpad{number}": 0x60 + number for number in range(10)},
    **{f"Key{letter}": ord(letter) for letter in string.ascii_uppercase},
}
TYPED_KEYS = {"\n": "Enter", "\t": "Tab"}  # what stands for a key in a text


class MouseEvent(ctypes.Structure):
    """MOUSEINPUT."""

    _fields_ = (
        ("x", wintypes.LONG),
        ("y", wintypes.LONG),
        ("data", wintypes.LONG),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("extra", ctypes.c_size_t),
    )


class KeyEvent(ctypes.Structure):
    """KEYBDINPUT."""

    _fields_ = (
        ("code", wintypes.WORD),
        ("scan", wintypes.WORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("extra", ctypes.c_size_t),
    )


class Content(ctypes.Union):
    """One of both."""

    _fields_ = (("mouse", MouseEvent), ("key", KeyEvent))


class KeyboardInput(ctypes.Structure):
    """INPUT."""

    _fields_ = (("kind", wintypes.DWORD), ("content", Content))


user32 = ctypes.WinDLL("user32", use_last_error=True)
user32.SendInput.argtypes = [wintypes.UINT, ctypes.c_void_p, ctypes.c_int]
user32.SendInput.restype = wintypes.UINT


def send(events: list[KeyboardInput]) -> None:
    """Send events, all or none: ``input_blocked`` on a locked screen, or where the front program has higher rights."""
    array = (KeyboardInput * len(events))(*events)
    taken = user32.SendInput(len(events), array, ctypes.sizeof(KeyboardInput))
    if taken != len(events):
        raise ActionError(
            f"Windows accepted {taken} of {len(events)} events: the screen is locked, or the program in front has "
            "higher rights.",
            code="input_blocked",
            hint="Unlock the screen, or run the program in front without administrator's rights.",
            evidence={"sent": len(events), "taken": taken, "winerror": ctypes.get_last_error()},
        )


def find_keys(key: str) -> list[tuple[int, int]]:
    """Return the virtual keys, each with its flags, that together make a key of this name; none where there is none."""
    if code := CODES.get(key):
        return [(code, EXTENDED if key in EXTENDED_CODES else 0)]
    if len(key) != 1 or (found := win32api.VkKeyScan(key)) == -1 or found & OTHER_BITS:
        return []
    shifted = [(SHIFT, 0)] if found & SHIFT_BIT else []
    return [*shifted, (found & 0xFF, 0)]


def make_key_event(code: int, flags: int, *, up: bool) -> KeyboardInput:
    """Return the event of a key that goes down or up."""
    event = KeyboardInput(kind=IS_KEYBOARD)
    event.content.key = KeyEvent(code, win32api.MapVirtualKey(code, 0), flags | (UP if up else 0), 0, 0)
    return event


def make_text_events(text: str) -> list[KeyboardInput]:
    """Return the events that type each character as itself, whatever the layout; ``unsupported_text`` if none can stand for it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    # One half of a pair that stands for another character has no key.
    lost = sorted(
        {each for each in lines if each not in TYPED_KEYS and (ord(each) < 0x20 or (0xD800 <= ord(each) <= 0xDFFF))}
    )
    if lost:
        raise ActionError(
            f"{', '.join(map(repr, lost))} can't be typed.",
            code="unsupported_text",
            hint="Leave it out, or set the field's value instead.",
            evidence={"characters": [f"U+{ord(each):04X}" for each in lost]},
        )
    return [event for each in lines for event in make_character_events(each)]


def make_character_events(character: str) -> list[KeyboardInput]:
    """Return the events of one character: a key where it stands for one, else its UTF-16 units."""
    if character in TYPED_KEYS:
        code = CODES[TYPED_KEYS[character]]
        return [make_key_event(code, 0, up=up) for up in (False, True)]
    raw = character.encode("utf-16-le")
    units = [int.from_bytes(raw[index : index + 2], "little") for index in range(0, len(raw), 2)]
    events: list[KeyboardInput] = []
    for up in (False, True):
        for unit in units:
            event = KeyboardInput(kind=IS_KEYBOARD)
            event.content.key = KeyEvent(0, unit, UNICODE | (UP if up else 0), 0, 0)
            events.append(event)
    return events
