"""Ways to say what carries nothing, compiled when a sentence first begins one."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from core.language.grammars.fillers import Fillers
from core.language.grammars.templates import (
    Beginnings,
    compile_template,
    find_first_words,
    list_needed_words,
    parse_template,
)
from core.language.grammars.templates import (
    Sequence as TemplateParts,
)

FIRST_WORD = re.compile(r"[^\W_]+")
"""The word that stands at a place."""
_MARKS = str.maketrans(".;!?…", "     ")


class TalkWay:
    """One way to say what carries nothing, compiled when a sentence first holds the word that it begins with."""

    def __init__(self, template: str, fragments: Mapping[str, str]) -> None:
        """Take a way; nothing of it is looked at.

        Args:
            fragments: What ``<name>`` in it stands for.
        """
        self._template, self._fragments = template, fragments

    @cached_property
    def _parsed(self) -> TemplateParts:
        return parse_template(self._template, self._fragments)

    @cached_property
    def _needed(self) -> list[frozenset[str]]:
        return list_needed_words(self._parsed)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return compile_template(self._parsed, {}, greedy=False)

    def match(self, said: str, start: int) -> re.Match[str] | None:
        """Return what fits at a place; nothing is compiled for what lacks a word that the way can't do without."""
        if "_pattern" not in vars(self):
            words = said[start:].lower()
            if not all(any(word in words for word in ways) for ways in self._needed):
                return None
        return self._pattern.match(said, start)


class TalkClass:
    """The ways to say what carries nothing in one place."""

    def __init__(self, templates: Iterable[str], fillers: Fillers) -> None:
        self._ways: dict[str, list[TalkWay]] = {}
        known: Beginnings = {}
        for template in templates:
            way = TalkWay(template, fillers.fragments)
            first = fillers.beginnings.get(template)
            for word in find_first_words(template, fillers.fragments, known) if first is None else first:
                self._ways.setdefault(word, []).append(way)

    @property
    def first_words(self) -> frozenset[str]:
        """The words that they begin with."""
        return frozenset(self._ways)

    def find_end(self, mask: str, start: int) -> int:
        """Return where the longest of what stands at a place ends, without blanks behind it; the place itself where nothing does."""
        word = FIRST_WORD.match(mask, start)
        ways = self._ways.get(word[0].lower(), ()) if word else ()
        if not ways:
            return start
        # Each word of a template takes the blanks behind it along; a mark may stand there instead.
        said = mask.translate(_MARKS)
        matches = (way.match(said, start) for way in ways)
        return max((start + len(match[0].rstrip(" \t\r\n,:")) for match in matches if match), default=start)
