"""Slots for what is chosen, ticked and set on a page: one or several of what is offered, moments, ranges."""

import re
from collections.abc import Callable
from typing import Any

from core.base.moments import is_timely
from core.language.grammars.grammar import Vocabulary
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import split_list, split_several
from core.language.values.names import NameReader
from core.language.values.texts import TextPhraseReader
from core.selectors.selectors import PlainSelector, render_plain

_MOST_WORDS = 4
_FIGURE = r"[^\s\w]?\d[\d.,]*(?:\s?[^\s\w])?"


class ChoiceSlots:
    """Reads them in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, texts: TextPhraseReader) -> None:
        self._vocabulary, self._names, self._texts = vocabulary, names, texts
        words = vocabulary.fields
        self._range = compile_pattern(rf"(?P<first>{_FIGURE})\s*(?:{words.range})\s*(?P<last>{_FIGURE})", re.IGNORECASE)
        self._figure = compile_pattern(rf"{_FIGURE}(?:\s*(?:{words.range})\s*{_FIGURE})?(?:\s[^\W\d]+)?", re.IGNORECASE)

        self._inside = compile_pattern(rf"\s+(?:{match_any_of(words.joints) or '(?!)'})\s+", re.IGNORECASE)
        self._pair = compile_pattern(
            rf"(?P<name>\S+(?:\s+\S+){{0,3}}?)\s+(?:{words.filled_with})\s+(?P<value>.+)", re.IGNORECASE
        )

    @property
    def readers(self) -> dict[str, Callable[[Span], Any]]:
        """The readers by kind of slot."""
        return {
            "chosen": self.read_chosen,
            "chosen_as": self.read_chosen_as,
            "chosen_path": self.read_path,
            "several_chosen": lambda span: [self.read_chosen(each) for each in split_several(span, self._names.joints)],
            "box_names": self.read_box_names,
            "capital_boxes": lambda span: self.read_box_names(span, is_capital=True),
            "record_names": lambda span: [self._read_written(each) for each in split_list(span, self._names.joints)],
            "capital_names": lambda span: [self._read_capital(each) for each in split_list(span, self._names.joints)],
            "written_name": self._read_capital,
            "page_editor": self.read_editor,
            "plain_name": self._read_plain,
            "timely": read_timely,
            "figures": self.read_figures,
            "styled": self.read_styled,
            "field_pairs": self.read_field_pairs,
        }

    def read_chosen(self, span: Span) -> str:
        """Return what is chosen of what a field offers: a name, a figure, a range: ``New Zealand``, ``18 to 64``."""
        if span.quoted is not None or self._figure.fullmatch(span.mask):
            return self._texts.read_text(span)
        first = span.words.partition(" ")[0]
        is_any = first in self._vocabulary.descriptions.indefinite or span.words in self._vocabulary.stand_ins
        if span.text[:1].islower() and (is_any or first in self._vocabulary.articles):
            raise UnreadableError
        text = self._texts.read_typed(span)
        is_word = " " not in span.words and span.words not in self._vocabulary.pronouns
        return text if is_word else self._names.read_name(span)

    def read_path(self, span: Span) -> str:
        """Return what lies below others, from the outside inwards: ``Bergen in Norway in Europe`` is ``Europe > Norway > Bergen``."""
        joints = list(self._inside.finditer(span.mask))
        if len(joints) < 2:
            raise UnreadableError
        starts, ends = [0, *(each.end() for each in joints)], [*(each.start() for each in joints), len(span.mask)]
        names = [self._read_capital(span.cut(start, end)) for start, end in zip(starts, ends, strict=True)]
        return " > ".join(reversed(names))

    def read_chosen_as(self, span: Span) -> str:
        """Return the same in front of an "as" without an article; "Save as PDF" is rather a name."""
        if span.quoted is None and span.words.partition(" ")[0] in self._vocabulary.fields.acts:
            raise UnreadableError
        return self.read_chosen(span)

    def read_box_names(self, span: Span, *, is_capital: bool = False) -> list[str]:
        """Return the names of two boxes or more: ``Monday and Friday``; ``Terms and Conditions`` is one.

        Args:
            is_capital: Whether each must be in quotes or have a capital.
        """
        if span.words in self._vocabulary.fields.pairs:
            raise UnreadableError
        read = self._read_capital if is_capital else self._read_written
        return [read(each) for each in split_several(span, self._names.joints)]

    def read_figures(self, span: Span) -> str:
        """Return two numbers: ``30 to 60``, ``30 and 60``."""
        match = self._range.fullmatch(span.text)
        if match is None:
            raise UnreadableError
        return f"{match['first']} to {match['last']}"

    def read_styled(self, span: Span) -> str:
        """Return a text that gets another style; in "turn on bold" there is none."""
        if span.quoted is None and span.words in self._vocabulary.fields.particles:
            raise UnreadableError
        return self._texts.read_typed(span)

    def read_field_pairs(self, span: Span) -> dict[str, str]:
        """Return what is to be filled in, by names of fields: ``city with Rome and friend with Ada``."""
        pairs: dict[str, str] = {}
        parts = split_list(span, self._names.joints)
        for part in parts:
            match = self._pair.fullmatch(part.mask)
            if match is None:
                raise UnreadableError
            name = self._names.drop_article(part.cut_group(match, "name"))
            pairs[self._names.read_name(name)] = self.read_chosen(part.cut_group(match, "value"))
        if len(pairs) < max(2, len(parts)):
            raise UnreadableError
        return pairs

    def read_editor(self, span: Span) -> str:
        """Return the selector of what longer texts are written in: ``the editor``."""
        inner = self._names.drop_article(span)
        if inner.words not in self._vocabulary.fields.editors:
            raise UnreadableError
        return render_plain(PlainSelector("field", "editor"))

    def _read_plain(self, span: Span) -> str:
        if not span.text.islower() or not self._vocabulary.fields.acts.isdisjoint(span.words.split()):
            raise UnreadableError
        return self._names.read_name(span)

    def _read_capital(self, span: Span) -> str:
        name = self._read_written(span)
        if span.quoted is None and not name[:1].isupper():
            raise UnreadableError
        return name

    def _read_written(self, span: Span) -> str:
        inner = self._names.drop_article(span)
        is_written = " " not in inner.words or inner.text[:1].isupper() or inner.text[:1].isdigit()
        if inner.quoted is None and (inner.words.count(" ") >= _MOST_WORDS or not is_written):
            raise UnreadableError
        return self._names.read_name(inner)


def read_timely(span: Span) -> str:
    """Return a date, a time, both, or two of them: ``24 December 2026 at 18:30``, ``2026-04-17 to 2026-04-20``."""
    if span.has_quotes or not any(each.isdigit() for each in span.text) or not is_timely(span.text):
        raise UnreadableError
    return span.text
