"""Slots about controls on a page: times of day, colours, stars, pages of a list."""

import re
from collections.abc import Callable

from core.language.amounts import AmountReader
from core.language.names import NameReader
from core.language.patterns import match_any_of
from core.language.spans import Span, UnreadableError
from core.selectors.colour_names import find_colour
from core.selectors.selectors import PlainSelector, Region, render_plain

PAGE_SHAPES: dict[str, str] = {
    "clock": r"\d{1,2}(?::\d\d){1,2}(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?|noon|midnight",
    "colour": r"#?\w+(?:\s\w+)?",
    "digits": r"\d{1,4}",
    "plain_number": r"[-−+]?\d+(?:[.,]\d+)?",
    "figure_word": r"\S+",
    "result": r"\S+",
}
"""What the slots that aren't open can hold, as regular expressions over the mask."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_HALF = re.compile(r"\d+(?:\.5)?")


class PageSlots:
    """Reads them in the words of one language."""

    def __init__(self, names: NameReader, amounts: AmountReader, colour_words: frozenset[str]) -> None:
        """Prepare the patterns.

        Args:
            names: Reads names, and drops articles.
            amounts: Reads numbers.
            colour_words: What people call a colour, and what they choose it from: ``colour``, ``swatch``.
        """
        self._names, self._amounts = names, amounts
        word = match_any_of(colour_words)
        self._swatch = re.compile(rf"(?P<before>\w+(?: \w+)?) (?:{word})|(?:{word}) (?P<behind>\w+(?: \w+)?)")

    @property
    def readers(self) -> dict[str, Callable[[Span], str]]:
        """The readers by kind of slot."""
        return {
            "clock": lambda span: span.text,
            "digits": lambda span: span.text,
            "plain_number": lambda span: span.text,
            "colour": self.read_colour,
            "swatch": self.read_swatch,
            "figure_word": self.read_figure,
            "result": self.read_result,
        }

    def read_colour(self, span: Span) -> str:
        """Return a colour by its name or its hexadecimal digits.

        Raises:
            UnreadableError: If it is none.
        """
        if not _HEX.fullmatch(span.text) and not _is_colour(span.words):
            raise UnreadableError
        return span.text

    def read_swatch(self, span: Span) -> str:
        """Return the selector of a colour to choose from: ``the red colour``, ``the colour light blue``.

        Raises:
            UnreadableError: If no colour is said.
        """
        match = self._swatch.fullmatch(self._names.drop_article(span).words)
        colour = (match["before"] or match["behind"]) if match else ""
        if not _is_colour(colour):
            raise UnreadableError
        return render_plain(PlainSelector("look", self._names.drop_article(span).words))

    def read_figure(self, span: Span) -> str:
        """Return a number of stars in digits: ``4``, ``four``, ``4.5``.

        Raises:
            UnreadableError: If it is none.
        """
        if _HALF.fullmatch(span.text):
            return span.text
        return str(self._amounts.read_count(span))

    def read_result(self, span: Span) -> str:
        """Return the selector of what leads to one of several like parts, by its place: ``third``, ``3rd``."""
        record = PlainSelector("record", "", nth=self._amounts.read_nth(span))
        return render_plain(PlainSelector("role", "", "link", regions=(Region("", "", record),), nth=1))


def _is_colour(words: str) -> bool:
    shade, _, name = words.rpartition(" ")
    return bool(find_colour(words.replace(" ", ""))) or (shade in {"light", "dark"} and bool(find_colour(name)))
