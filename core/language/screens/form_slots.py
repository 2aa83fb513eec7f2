"""Slots that hold several fields of a form and their values: named one by one, or described."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from core.language.grammars.terms import FillingWords
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.amounts import AmountReader
from core.language.values.texts import TextPhraseReader

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
        return {
            "named_fields": self.read_named,
            "asked_fields": self.read_asked,
            "several": self.read_several,
        }

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
        """Return the name of a field as it was written."""
        return span.cut_group(match, "label" if match["label"] else "said").text

    def _pair(self, span: Span, called: list[tuple[str, int, int]]) -> dict[str, str]:
        """Return the values that stand behind what fields are called."""
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
