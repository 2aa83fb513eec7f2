"""Slots about controls on a page: times of day, colours, stars, pages of a list."""

import re
from collections.abc import Callable, Mapping

from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.amounts import AmountReader
from core.language.values.names import NameReader
from core.selectors.colour_names import find_colour
from core.selectors.selectors import PlainSelector, Region, render_plain
from core.selectors.spots import read_spot
from core.selectors.visual_descriptions import is_look

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_PLAIN = re.compile(r"(?P<number>[^\s\w]?\d[\d.,]*\s?%?)(?:\s[^\W\d]+)?")
_NUMBERLESS = frozenset({"even", "odd"})
_HALF = re.compile(r"\d+(?:\.5)?")


class PageSlots:
    """Reads them in the words of one language."""

    def __init__(
        self, names: NameReader, amounts: AmountReader, colour_words: frozenset[str], bounds: Mapping[str, str]
    ) -> None:
        """Prepare the patterns.

        Args:
            colour_words: What people call a colour, and what they choose it from: ``colour``, ``swatch``.
            bounds: How a value is compared, and what conditions call it: ``less than`` is ``below``.
        """
        self._names, self._amounts, self._bounds = names, amounts, bounds
        self._bound = compile_pattern(
            rf"(?P<how>{match_any_of(bounds) or '(?!)'})(?:\s+(?P<number>\S*\d\S*))?", re.IGNORECASE
        )
        word = match_any_of(colour_words)
        self._swatch = compile_pattern(rf"(?P<before>\w+(?: \w+)?) (?:{word})|(?:{word}) (?P<behind>\w+(?: \w+)?)", 0)

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
            "bound": self.read_bound,
            "value_of": self.read_value_of,
            "look_words": self.read_look_words,
            "grid_spot": self.read_grid_spot,
            "result": self.read_result,
        }

    def read_colour(self, span: Span) -> str:
        """Return a colour by its name or its hexadecimal digits."""
        if not _HEX.fullmatch(span.text) and not _is_colour(span.words):
            raise UnreadableError
        return span.text

    def read_swatch(self, span: Span) -> str:
        """Return the selector of a colour to choose from: ``the red colour``, ``the colour light blue``."""
        match = self._swatch.fullmatch(self._names.drop_article(span).words)
        colour = (match["before"] or match["behind"]) if match else ""
        if not _is_colour(colour):
            raise UnreadableError
        return render_plain(PlainSelector("look", self._names.drop_article(span).words))

    def read_bound(self, span: Span) -> str:
        """Return a condition that a value must meet: ``less than $38.50`` is ``below $38.50``, ``an even number`` is ``even``, ``20 degrees`` is ``20``."""
        if span.quoted is not None:
            return span.quoted
        if plain := _PLAIN.fullmatch(span.text.rstrip(".")):
            return plain["number"]
        match = self._bound.fullmatch(span.text.rstrip("."))
        how = self._bounds[match["how"].lower()] if match else ""
        number = match["number"] if match else None
        if not how or (number is None) != (how in _NUMBERLESS):
            raise UnreadableError
        return f"{how} {number}" if number else how

    def read_value_of(self, span: Span) -> str:
        """Return the selector of the value that people call so: ``the price``."""
        if self._names.stands_for_someone(span):
            raise UnreadableError
        return render_plain(PlainSelector("value", self._names.read_name(self._names.drop_article(span))))

    def read_look_words(self, span: Span) -> str:
        """Return what several things look like: ``red circles``."""
        if not is_look(span.words):
            raise UnreadableError
        return span.words

    def read_grid_spot(self, span: Span) -> str:
        """Return a place in a grid: ``top left``."""
        if read_spot(span.words) is None:
            raise UnreadableError
        return span.words

    def read_figure(self, span: Span) -> str:
        """Return a number of stars in digits: ``4``, ``four``, ``4.5``."""
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
