"""Keys: from what people call them to Playwright's names."""

import difflib
import string

from core.base.errors import ActionError

_CALLED = {
    "Control": ("ctrl", "control", "strg"),
    "Shift": ("shift",),
    "Alt": ("alt", "option", "opt"),
    "Meta": ("meta", "cmd", "command", "win", "windows", "super"),
    "ControlOrMeta": ("controlormeta", "ctrlorcmd"),
}
MODIFIERS = {word: name for name, words in _CALLED.items() for word in words}
_NAMES = (
    *("Enter", "Escape", "Tab", "Backspace", "Delete", "Insert", "Home", "End", "PageUp", "PageDown"),
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Space"),
    *("CapsLock", "NumLock", "ScrollLock", "PrintScreen", "Pause", "ContextMenu"),
    *("Backquote", "Minus", "Equal", "Backslash", "BracketLeft", "BracketRight"),
    *("Semicolon", "Quote", "Comma", "Period", "Slash"),
    *("ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight", "AltGraph"),
    *("MetaLeft", "MetaRight"),
    *("NumpadEnter", "NumpadAdd", "NumpadSubtract", "NumpadMultiply", "NumpadDivide", "NumpadDecimal"),
)
_SERIES = [f"F{n}" for n in range(1, 13)] + [f"{kind}{n}" for kind in ("Digit", "Numpad") for n in range(10)]
_LETTERS = [f"Key{letter}" for letter in string.ascii_uppercase]
KEYS = {name.lower(): name for name in (*_NAMES, *_SERIES, *_LETTERS)} | {
    "return": "Enter",
    "esc": "Escape",
    "del": "Delete",
    "ins": "Insert",
    "back": "Backspace",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "pgdown": "PageDown",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "spacebar": "Space",
    "menu": "ContextMenu",
    "plus": "+",
    "hyphen": "-",
    "dash": "-",
    "dot": ".",
    "comma": ",",
    "slash": "/",
}


def parse_keys(text: str) -> str:
    """Turn a key or combination into Playwright's name for it.

    Args:
        text: Such as ``Enter``, ``ctrl+a``, ``Cmd + Shift + P``, ``page down`` or ``Control++``.

    Returns:
        Modifiers and key joined by ``+``, such as ``Control+a``. Letters keep their case.

    Raises:
        ActionError: With code ``unknown_key``, if there is no such key; names the nearest.
    """
    *modifiers, key = _split(text)
    return "+".join([*(_modifier(text, each) for each in modifiers), _key(text, key)])


def _split(text: str) -> list[str]:
    """Split at plus signs; a plus alone, or the second of two at the end, is a key."""
    stripped = text if text == " " else text.strip()
    if stripped == "+":
        return ["+"]
    if stripped.endswith("++"):
        return [*_split(stripped[:-2]), "+"]
    return [part if part == " " else part.strip() for part in stripped.split("+")]


def _modifier(text: str, name: str) -> str:
    if (found := MODIFIERS.get(_fold(name))) is None:
        raise _fail(text, name, MODIFIERS)
    return found


def _key(text: str, name: str) -> str:
    if len(name) == 1 and name.isascii() and name.isprintable():
        return "Space" if name == " " else name
    folded = _fold(name)
    found = KEYS.get(folded) or KEYS.get(folded.removesuffix("key").removesuffix("arrow")) or MODIFIERS.get(folded)
    if found is None:
        raise _fail(text, name, {**KEYS, **MODIFIERS})
    return found


def _fold(name: str) -> str:
    return "".join(name.lower().replace("-", "").replace("_", "").split())


def _fail(text: str, name: str, known: dict[str, str]) -> ActionError:
    near = difflib.get_close_matches(_fold(name), known, 3, 0.6)
    names = list(dict.fromkeys(known[each] for each in near))
    hint = (
        f"Did you mean {' or '.join(names)}?" if names else "To enter text, use type; a key is such as Enter or ctrl+a."
    )
    return ActionError(
        f"Unknown key {name!r} in {text!r}." if name else f"{text!r} does not name a key.",
        code="unknown_key",
        hint=hint,
        evidence={"key": text, "nearest": names},
    )
