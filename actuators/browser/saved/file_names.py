"""Judges file names that a server or a page suggests: a bad one is refused, never repaired."""

import re
import unicodedata

from core.base.errors import ActionError

MOST_BYTES = 255

_DEVICE = re.compile(r"(CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³]|CONIN\$|CONOUT\$)\s*(\.|$)", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def judge_suggested_name(name: str) -> str:
    """Return a suggested file name if it is safe on every system.

    Args:
        name: As the server, the page or the browser suggests it.

    Raises:
        ActionError: If it is empty, hidden, too long, a device, ends in a dot or space, or has characters that are
            invisible, change the direction of writing, or separate folders; shows the name with those escaped.
    """
    reason = _find_fault(name)
    if not reason:
        return name
    shown = escape_name(name)
    raise ActionError(
        f'The suggested file name "{shown}" {reason}.',
        code="unsafe_file_name",
        hint="Give a path with a file name of your own instead of a folder.",
        evidence={"suggested_name": shown},
    )


def escape_name(name: str) -> str:
    """Return a name with all that isn't plainly visible written as escapes, and a long one cut."""
    shown = "".join(
        char
        if char == " " or (char.isprintable() and unicodedata.category(char) not in _INVISIBLE)
        else ascii(char)[1:-1]
        for char in name
    )
    return shown if len(shown) <= 120 else shown[:119] + "…"


def _find_fault(name: str) -> str:
    if not name.strip(" ."):
        return "is empty"
    if any(unicodedata.category(char) in _INVISIBLE for char in name):
        return "has invisible characters"
    faults = (
        (_FORBIDDEN.search(name), "has characters that file names can't have everywhere"),
        (name.startswith("."), "would be hidden"),
        (name != name.strip(" ") or name.endswith("."), "begins or ends with a space or dot"),
        (_DEVICE.match(name), "is the name of a device on Windows"),
        (len(name.encode("utf-8", "replace")) > MOST_BYTES, f"is longer than {MOST_BYTES} bytes"),
    )
    return next((reason for found, reason in faults if found), "")
