"""Places in a grid, as people say them: "row 2, column 3", "the third row, second column", "the top left corner of the board"."""

import re
from functools import cached_property

from core.language.grammars.grammar import Vocabulary
from core.language.screens.element_kinds import KindFinder, choose_role
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span
from core.language.values.names import NameReader
from core.selectors.selectors import LAST, ROLE_WORDS, PlainSelector, Spot
from core.selectors.spots import read_spot
from core.selectors.visual_descriptions import is_look


class GridPlaceReader:
    """Reads places in a grid in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        self._vocabulary, self._names = vocabulary, names

    def read(self, span: Span, kinds: KindFinder) -> tuple[PlainSelector, str] | None:
        """Return what stands at a place in a grid, with its role; None unless the words say that and its kind or looks alone.

        Args:
            span: Such as ``the square in the second row and third column``, ``the top left tile``.
        """
        taken = self.take_place(span)
        if taken is None:
            return None
        spot, inner = taken[0], self._names.drop_article(taken[1])
        kind = kinds.find_bare(inner, "control", "list")
        role = choose_role(kind, "control") if kind else ""
        if kind and kind.form and role not in {"", "record"}:
            return PlainSelector("role", "", role if role in ROLE_WORDS else kind.form, spot=spot), role
        is_seen = inner.words == inner.text and is_look(inner.words)
        return (PlainSelector("look", inner.words, spot=spot), "look") if is_seen else None

    def take_place(self, span: Span) -> tuple[Spot, Span] | None:
        """Return the place in a grid that words say of something, and the words for that; None where they say none.

        Args:
            span: Such as ``the square in the second row and third column``, ``the top left tile``.
        """
        if not self._vocabulary.descriptions.grids:
            return None
        for pattern in self._patterns:
            match = pattern.fullmatch(span.mask)
            spot = self._read(match) if match else None
            if match and spot:
                return spot, span.cut_group(match, "rest")
        return None

    def _read(self, match: re.Match[str]) -> Spot | None:
        said = match.groupdict()
        if "corner" in said:
            return read_spot(said["corner"])
        row, column = (self._read_number(said[part]) for part in ("row", "column"))
        return read_spot(f"row {row} column {column}") if row and column else None

    def _read_number(self, said: str) -> str:
        """Return which of several is meant, as selectors write it; empty where that is none from the beginning."""
        word = said.lower()
        number = self._vocabulary.ordinals.get(word) or self._vocabulary.numbers.small.get(word)
        if number == LAST:
            return "last"
        digits = re.match(r"\d+", word)
        return digits[0] if digits else str(int(number)) if number and number > 0 else ""

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        words, articles = self._vocabulary.descriptions, match_any_of(self._vocabulary.articles)
        endings = self._vocabulary.numbers.endings
        the, number = f"(?:(?:{articles})\\s+)?", rf"(?:\d{{1,3}}(?:{endings})?|[^\W\d]+)"
        inside = f"(?:{match_any_of(self._vocabulary.inside)}|{words.grid_at})\\s+{the}"
        joint = rf"(?:\s*,)?\s+(?:(?:{words.grid_joint})\s+)?{the}"
        row, column = rf"(?P<row>{number})", rf"(?P<column>{number})"
        plain = [rf"(?:{words.grid_row})\s+{row}", rf"(?:{words.grid_column})\s+{column}"]
        counted = [rf"{row}\s+(?:{words.grid_row})", rf"{column}\s+(?:{words.grid_column})"]
        both = [f"{one}{joint}{other}" for pair in (plain, counted) for one, other in (pair, pair[::-1])]
        tail = rf"(?:\s+{inside}(?:{words.grids}))?"
        corner = r"(?P<corner>[^\W\d]+(?:[\s-][^\W\d]+)?)"
        return (
            *(compile_pattern(rf"(?P<rest>.+?)\s+{inside}{each}{tail}") for each in both),
            compile_pattern(rf"{the}{column}\s+(?P<rest>\S+)\s+{inside}{row}\s+(?:{words.grid_row}){tail}"),
            compile_pattern(rf"(?P<rest>.+?)\s+{inside}{corner}(?:\s+(?:{words.grid_corner}))?{tail}"),
            compile_pattern(rf"{the}{corner}\s+(?P<rest>\S+(?:\s+\S+)?){tail}"),
        )
