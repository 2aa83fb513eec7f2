"""Reading names: words that a person gave something, as opposed to words that describe it."""

import re
from typing import TYPE_CHECKING

from core.base.late_parts import compile_late
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError

if TYPE_CHECKING:
    from core.language.grammars.grammar import Vocabulary

_MOST_WORDS = 8
_ENDS = compile_late(r"(?:^|[.!?;])\s*$")


class NameReader:
    """Reads names in the words of one language.

    Attributes:
        joints: The words for "and".
    """

    def __init__(self, vocabulary: "Vocabulary") -> None:
        self._vocabulary = vocabulary
        self.joints = vocabulary.numbers.joints
        self._articles = set(vocabulary.articles)
        self._no_name = compile_pattern(vocabulary.no_name, re.IGNORECASE)
        self._no_beginning = compile_pattern(rf"(?:{vocabulary.no_beginning})", re.IGNORECASE)
        self._date = compile_pattern(vocabulary.date_in_words, re.IGNORECASE)
        self._condition = compile_pattern(vocabulary.condition, re.IGNORECASE)

    def read_name(self, span: Span) -> str:
        """Return a name: the content of quotes, or words that can be one."""
        if span.quoted is not None:
            if not span.quoted.strip():
                raise UnreadableError
            return span.quoted
        words = span.words
        if len(span.text) == 1 and span.text.isupper():
            return span.text  # a letter, even where it is a word as well
        if (
            not words
            or span.has_quotes
            or (words in self._vocabulary.pronouns and span.text.islower())
            or words.count(" ") >= _MOST_WORDS
            or self._is_no_name(span)
            or self._condition.search(words)
        ):
            raise UnreadableError
        return span.text

    def _is_no_name(self, span: Span) -> bool:
        """Whether words describe something; "In stock" is a name, and so is a date."""
        words = span.words
        if any(each.isdigit() for each in words) and self._date.fullmatch(words):
            return False
        is_written = span.text[:1].isupper() and not span.text.isupper()
        return self._no_name.search(words) is not None or (
            not is_written and self._no_beginning.match(words) is not None
        )

    def read_person(self, span: Span, *, is_on_page: bool) -> str:
        """Return the name of somebody that letters and the like are from or for.

        Args:
            is_on_page: Whether a page was spoken of in front; elsewhere the name must be written as one, because such
                things are outside pages as well.
        """
        name = self.read_name(span)
        is_written = span.literal is not None or not any(each[0].islower() for each in span.text.split())
        if span.quoted is None and (span.words in self._vocabulary.nobody or not (is_on_page or is_written)):
            raise UnreadableError
        return name

    def stands_for_someone(self, span: Span) -> bool:
        """Whether words stand for somebody or something that was spoken of: "you", "it"."""
        return span.quoted is None and span.words in self._vocabulary.nobody

    def drop_article(self, span: Span) -> Span:
        """Drop an article, unless it is capitalised and so a part of the name; in front of a sentence, a capital says nothing."""
        first, _, rest = span.mask.partition(" ")
        says_nothing = (first.isupper() and len(first) > 1) or _ENDS.search(span.sentence.mask, 0, span.start)
        is_article = first in self._articles or (first.lower() in self._articles and says_nothing)
        return span.cut(len(first), span.end - span.start) if is_article and rest.strip() else span

    def is_elsewhere(self, span: Span, besides: frozenset[str] = frozenset()) -> bool:
        """Whether unquoted words rather mean something outside a page: "the volume", "my calendar".

        Args:
            besides: What may be on a page nevertheless, such as "the brightness".
        """
        named = {*span.words.split()[-1:]} - besides
        return self.is_mine(span) or (span.quoted is None and not self._vocabulary.elsewhere.isdisjoint(named))

    def is_mine(self, span: Span) -> bool:
        """Whether unquoted words begin with one that names nothing by itself, and no name: "my calendar", "this one"."""
        first, *more = self.drop_article(span).words.split() or [""]
        pronouns = self._vocabulary.pronouns - (self._vocabulary.qualifying if more else frozenset())
        return span.quoted is None and first in pronouns and span.text[0].islower()

    def check_written(self, span: Span) -> None:
        """See to it that words are written as a name is: in quotes, as one word, or with a capital or a digit."""
        inner = self.drop_article(span)
        is_short = inner.start == span.start and len(inner.mask.split()) == 1
        is_any = not is_short and span.mask.partition(" ")[0] in self._vocabulary.descriptions.indefinite
        if (is_any and not span.has_quotes) or not (
            is_short or span.has_literals or any(each.isupper() or each.isdigit() for each in inner.text)
        ):
            raise UnreadableError
