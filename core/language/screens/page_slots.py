"""Slots about controls on a page: times of day, colours, stars, pages of a list."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.base.late_parts import compile_late
from core.language.grammars.terms import FillingWords
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.amounts import AmountReader
from core.language.values.names import NameReader
from core.language.values.texts import TextPhraseReader
from core.selectors.colour_names import find_colour
from core.selectors.selectors import PlainSelector, Region, render_plain
from core.selectors.spots import read_spot
from core.selectors.visual_descriptions import is_look

_LEAST = 2


class FormSlots:
    """Reads them in the words of one language."""

    def __init__(
        self, texts: TextPhraseReader, amounts: AmountReader, words: FillingWords, articles: tuple[str, ...]
    ) -> None:
        self._texts, self._amounts = texts, amounts
        self._ends = compile_pattern(rf"[\s,;]*(?:\s(?:{words.also}))?[\s,;]*$")
        self._one, self._kinds = compile_pattern(rf"(?:{words.indefinite})\s+"), compile_pattern(words.kinds)
        self._definite = frozenset(each for each in articles if not self._one.match(f"{each} "))
        label = match_any_of(words.labels)
        article = rf"(?:(?:{match_any_of(articles)})\s+)?"
        link = rf"(?:\s*(?::|=)|\s+(?:{words.link}))?"
        bare = "".join(rf"|(?P<bare{at}>{pattern})" for at, pattern in enumerate(words.bare.values()))
        self._bare = tuple(words.bare)
        self._relation = compile_pattern(
            rf"(?<!\S)(?:(?P<told>{words.relation})|(?:{words.lead})\s+{article}(?P<label>{label}){link}{bare})\s+"
        )
        self._named = compile_pattern(
            rf"(?:^|\s*[,;]\s*(?:{words.also}\s+)?|\s+(?:{words.also})\s+)(?:{words.own}\s+)*(?:"
            rf"(?P<label>{label}){link}\s+|(?P<said>[^\W\d_]+(?:\s[^\W\d_]+){{0,2}})\s*[:=]\s*)"
        )

    @property
    def readers(self) -> dict[str, Callable[[Span], Any]]:
        """The readers by kind of slot."""
        return {"named_fields": self.read_named, "asked_fields": self.read_asked, "several": self.read_several}

    def read_several(self, span: Span) -> int:
        """Return a number of things: ``three``, ``2``."""
        number = self._amounts.read_count(span)
        if number < _LEAST:
            raise UnreadableError
        return number

    def read_named(self, span: Span) -> dict[str, str]:
        """Return what is to be filled in, by the names of the fields: ``name Ada, email a@b.example and city: London``."""
        matches = list(self._named.finditer(span.mask))
        if not matches or matches[0].start() != 0:
            raise UnreadableError
        return self._pair(span, [(self._name(span, match), match.start(), match.end()) for match in matches])

    def read_asked(self, span: Span) -> dict[str, str]:
        """Return what is to be filled in, by words that describe what is looked for: ``urban movies directed by Ada from year 1974``."""
        matches = list(self._relation.finditer(span.mask))
        if len(matches) < _LEAST:
            raise UnreadableError
        found = self._pair(span, [(self._call(match), match.start(), match.end()) for match in matches])
        head = span.cut(0, matches[0].start())
        is_one = False
        while asking := self._one.match(head.mask):
            is_one = True
            head = head.cut(asking.end(), len(head.mask))
        what, _, kind = head.mask.rpartition(" ")
        if not kind.strip() or head.has_literals or head.words.partition(" ")[0] in self._definite:
            raise UnreadableError
        if what.strip():
            # "Movie Alien" is called so, and no kind of Alien.
            if not head.text[len(what) :].strip().islower() or not (is_one or self._kinds.fullmatch(kind)):
                raise UnreadableError
            found = {kind.strip(): self._texts.read_typed(head.cut(0, len(what))), **found}
        return found

    def _call(self, match: re.Match[str]) -> str:
        bare = (name for at, name in enumerate(self._bare) if match[f"bare{at}"])
        return match["told"] or match["label"] or next(bare)

    def _name(self, span: Span, match: re.Match[str]) -> str:
        return span.cut_group(match, "label" if match["label"] else "said").text

    def _pair(self, span: Span, called: list[tuple[str, int, int]]) -> dict[str, str]:
        found = dict(self._list_values(span, called))
        if len(found) < max(_LEAST, len(called)):
            raise UnreadableError
        return found

    def _list_values(self, span: Span, called: list[tuple[str, int, int]]) -> Iterator[tuple[str, str]]:
        starts = [start for _, start, _ in called[1:]]
        for (name, _, end), until in zip(called, [*starts, len(span.mask)], strict=True):
            value = span.cut(end, until)
            ending = self._ends.search(value.mask)
            value = value.cut(0, ending.start() if ending else len(value.mask))
            yield " ".join(name.split()), self._texts.read_typed(value)


_HEX = compile_late(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_PLAIN = compile_late(r"(?P<number>[^\s\w]?\d[\d.,]*\s?%?)(?:\s[^\W\d]+)?")
_NUMBERLESS = frozenset({"even", "odd"})
_HALF = compile_late(r"\d+(?:\.5)?")


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
