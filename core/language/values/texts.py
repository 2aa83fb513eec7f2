"""Reading texts: what is typed, searched for, or shown by a page."""

import re

from core.base.late_parts import compile_late
from core.goals.references import Reference
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.literals import MARKS
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.names import NameReader

_FILE_MARKS = (MARKS["path"], MARKS["dotted"])
_PRICE = compile_late(r"[$£€¥₹]\s?\d|\d[\d.,]*\s?[$£€¥₹]")
_DATE = compile_late(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_FIGURE = compile_late(r"[-+]?[$£€¥₹#]?\s?\d")


class TextPhraseReader:
    """Reads texts; what is quoted comes out byte for byte, and unquoted words only if they can't mean something else."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        self._vocabulary = vocabulary
        self._names = names
        self._condition = compile_pattern(vocabulary.condition, re.IGNORECASE)
        self._question = compile_pattern(vocabulary.question, re.IGNORECASE)
        self._file_words = compile_pattern(vocabulary.file_words, re.IGNORECASE)
        self._negation = compile_pattern(vocabulary.negation, re.IGNORECASE)
        self._next_field = compile_pattern(vocabulary.next_field, re.IGNORECASE)
        self._described = compile_pattern(vocabulary.described, re.IGNORECASE)
        self._date_in_words = compile_pattern(vocabulary.date_in_words, re.IGNORECASE)
        self._not_shown = compile_pattern(vocabulary.not_shown, re.IGNORECASE)
        self._refusing = compile_pattern(rf"(?:{vocabulary.fields.refusing})\b", re.IGNORECASE)
        self._joint = compile_pattern(vocabulary.fields.into, re.IGNORECASE)
        self._placing = compile_pattern(vocabulary.placing, re.IGNORECASE)
        self._particle = compile_pattern(vocabulary.no_beginning, re.IGNORECASE)
        self._own = compile_pattern(vocabulary.own, re.IGNORECASE)
        self._unfinished = compile_pattern(vocabulary.unfinished, re.IGNORECASE)

    def read_text(self, span: Span) -> str:
        """Return quoted content, or unquoted words as they are."""
        if span.quoted is not None:
            return span.quoted
        words = span.words
        is_stand_in = words in self._vocabulary.stand_ins and span.text.islower()
        if not words or is_stand_in or span.has_quotes or self._condition.search(words):
            raise UnreadableError
        return span.literal.value if span.literal else span.text

    def read_typed(self, span: Span) -> str:
        """Return a text that is to be typed; what only tells which text it is ("my password") is none."""
        if span.quoted is None and span.text[:1].islower() and self._described.fullmatch(span.mask):
            raise UnreadableError
        if span.quoted is None and self._joint.search(span.words):
            raise UnreadableError  # "type Ada into Name and Bob into Nickname"
        return self.read_text(span)

    def read_jotted(self, span: Span) -> str:
        """Return a text for a file; ``the weather`` and ``a poem`` rather tell what to write than being it."""
        words = span.words
        is_told = words.partition(" ")[0] in self._vocabulary.articles and span.text[:1].islower()
        if span.quoted is None and (is_told or any(mark in span.mask for mark in _FILE_MARKS)):
            raise UnreadableError
        return self.read_typed(span)

    def read_described(self, span: Span) -> str:
        """Return words that tell which text is meant, rather than being it."""
        if span.quoted is not None or not self._described.fullmatch(span.mask):
            raise UnreadableError
        return span.text

    def read_stated(self, span: Span) -> str:
        """Return a text that something is said to be; ``is not Basket`` says the contrary."""
        if span.quoted is None and self._negation.match(span.words):
            raise UnreadableError
        return self.read_text(span)

    def read_filling(self, span: Span) -> str:
        """Return a text, unless it may as well hold the next of several fields, or says what it shall not be."""
        if span.quoted is None and (self._next_field.search(span.mask) or self._refusing.match(span.words)):
            raise UnreadableError
        return self.read_typed(span)

    def read_figure(self, span: Span) -> str:
        """Return quoted content, or a few words that begin with a number or a currency sign: ``£12.00``, ``2 mugs``."""
        if span.quoted is None and (not _FIGURE.match(span.mask) or span.words.count(" ") > 3):
            raise UnreadableError
        return self.read_text(span)

    def read_date(self, span: Span) -> str:
        """Return a date as it was said, if the words look like one: ``12/24/2026``, ``24 December``, ``March 3, 2026``."""
        said = span.text
        in_words = self._date_in_words.fullmatch(said) and any(each.isdigit() for each in said)
        is_date = _DATE.fullmatch(said) or in_words
        if span.has_quotes or not is_date:
            raise UnreadableError
        return said

    def read_purpose(self, span: Span) -> str:
        """Return words that say what a step is for, and add nothing to it; a number, a name or a place would."""
        says_more = span.has_literals or not span.text.islower() or any(each.isdigit() for each in span.text)
        if says_more or self._placing.search(span.words):
            raise UnreadableError
        return span.text

    def read_price(self, span: Span) -> str:
        """Return quoted content, or an amount of money: what is just a number may be about anything."""
        if span.quoted is None and not _PRICE.match(span.mask):
            raise UnreadableError
        return self.read_figure(span)

    def read_query(self, span: Span) -> str:
        """Return what to search for; quotes within more words belong to it."""
        if span.quoted is not None:
            return span.quoted
        words = span.words
        is_open = self._condition.search(words) or self._unfinished.search(words)
        is_empty = not words or words in self._vocabulary.pronouns or self._particle.fullmatch(words)
        if is_empty or (is_open and not self._question.match(words)) or self._file_words.search(words):
            raise UnreadableError
        return span.text

    def read_own_query(self, span: Span) -> str:
        """Return the same, where only the person can know it: "when my payday is"."""
        if span.quoted is not None or not self._own.search(span.words):
            raise UnreadableError
        return self.read_query(span)

    def read_shown(self, span: Span) -> str:
        """Return a text that a page may show: quoted, or a few words that are not a sentence."""
        if span.quoted is None and (span.words.count(" ") > 4 or self._not_shown.search(span.words)):
            raise UnreadableError
        return self._names.read_name(span)

    def read_given(self, span: Span, context: Context) -> Reference:
        """Return the text that was read last, or the one that was called so: "it", "the text", "the total"."""
        words = span.words
        if not context.given or span.quoted is not None:
            raise UnreadableError
        called = context.find_given(words.removeprefix("the "))
        if called is None and words not in self._vocabulary.given:
            raise UnreadableError
        return (called or context.given[-1]).reference

    def read_content(self, span: Span, context: Context) -> str | Reference:
        """Return quoted content, or the text of an earlier step."""
        return span.quoted if span.quoted is not None else self.read_given(span, context)
