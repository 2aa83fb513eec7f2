"""Lines where nobody sees colour: what a pipe or a file gets, without the library that draws."""

import os
from typing import Any, TextIO

_COLOUR = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""Variables by which somebody wants a stream drawn on as if it were a terminal, as `rich` reads them."""


def is_plain(stream: TextIO) -> bool:
    """Tell whether nothing is drawn on a stream."""
    return not stream.isatty() and not any(os.environ.get(name) for name in _COLOUR)


class PlainText:
    """A text whose style nobody sees."""

    def __init__(self, plain: str = "", style: str = "") -> None:
        del style
        self.plain = plain

    def append(self, plain: str, style: str = "") -> "PlainText":
        """Add to it."""
        del style
        self.plain += plain
        return self

    def __add__(self, other: "PlainText") -> "PlainText":
        """Return both, one behind the other."""
        return PlainText(self.plain + other.plain)


class PlainConsole:
    """Writes such texts, a line each."""

    is_dumb_terminal = True

    def __init__(self, outlet: Any) -> None:
        self._outlet = outlet
        self.encoding = str(outlet.encoding).lower()

    def print(self, text: PlainText) -> None:
        """Write a line, with its tabs as blanks."""
        self._outlet.write(f"{text.plain.expandtabs(8)}\n")
