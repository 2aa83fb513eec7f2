"""Marks in front of lines, and what stands for them where an encoding has none."""

from collections.abc import Mapping

MARKS: Mapping[str, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "failed": ("✗", "red"),
    "refused": ("⊘", "red"),
    "skipped": ("–", "yellow"),
    "cancelled": ("■", "yellow"),
}
"""The mark and the colour of each status."""

_PLAIN: Mapping[int, str] = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "⊘": "!",
        "■": "#",
        "◐": "~",
        "·": "-",
        "–": "-",
        "—": "-",
        "→": "->",
        "…": "...",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "├": "|",
        "└": "`",
        "│": "|",
        "─": "-",
    }
)


def fit_encoding(text: str, encoding: str) -> str:
    """Return a text with ASCII marks and quotes where an encoding lacks the others; everything else stays as it is."""
    if text.isascii():
        return text
    try:
        text.encode(encoding)
    except UnicodeError:
        return text.translate({code: plain for code, plain in _PLAIN.items() if not _has(encoding, chr(code))})
    return text


def _has(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeError:
        return False
    return True
