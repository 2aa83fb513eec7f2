"""Tokens: the words, literals and commas of a clause."""

import re
from typing import NamedTuple

from core.language.sentences.literals import MARKS, Literal
from core.language.sentences.spans import Span

_OPENING, _CLOSING = "([{", ")]}"
_COMMAS = ",;:"
_COLON = ":"  # "C:" is a drive
_WRITTEN = frozenset("*?/\\~")
_NOT_PATHS = frozenset({"url", "email"})
_STARTS = frozenset(MARKS.values())
_GAP = re.compile(r"\s*")
# What nothing has to be taken off, as most words.
_PLAIN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*(?=\s|$)")


class FileToken(NamedTuple):
    """A word, a literal or a comma.

    Attributes:
        text: As it was said, in lower case; empty for a literal.
        literal: The literal that it is, if it is one.
        is_file: Whether it is the name of a file that has no ending: "Makefile".
    """

    start: int
    end: int
    text: str
    literal: Literal | None = None
    is_file: bool = False

    @property
    def is_quoted(self) -> bool:
        """Whether it is a text in quotes."""
        return self.literal is not None and self.literal.kind in {"quote", "code"}

    @property
    def is_written(self) -> bool:
        """Whether it is a path, a glob or a name in quotes: nothing that is only a word."""
        if self.literal is not None:
            return self.literal.kind not in _NOT_PATHS
        return self.is_file or (
            len(self.text) > 1 and (not _WRITTEN.isdisjoint(self.text) or self.text.startswith("."))
        )

    @property
    def is_word(self) -> bool:
        """Whether it is a word that may be a name."""
        return self.literal is None and self.text[:1].isalnum() and not self.is_written


def split_tokens(span: Span) -> list[FileToken]:
    """Return the tokens of a clause; what stands in brackets is read as if it stood there without them."""
    position, tokens = span.start, list[FileToken]()
    while position < span.end:
        position = _add_token(span, position, tokens)
    return tokens


def find_first_token(span: Span) -> FileToken | None:
    """Return the first token of a clause; None where it has none."""
    tokens = list[FileToken]()
    if span.start < span.end:
        _add_token(span, span.start, tokens)
    return tokens[0] if tokens else None


def _add_token(span: Span, start: int, tokens: list[FileToken]) -> int:
    """Add what begins at a place; return where the next begins."""
    mask, end = span.sentence.mask, span.end
    if plain := _PLAIN.match(mask, start, end):
        tokens.append(FileToken(start, plain.end(), plain[0].lower()))
        position = plain.end()
    elif literal := span.sentence.literals.get(start) if mask[start] in _STARTS else None:
        tokens.append(FileToken(start, literal.end, "", literal))
        position = literal.end
    elif mask[start].isspace():
        position = start + 1
    else:
        position = _add_word(span, start, tokens)
    gap = _GAP.match(mask, position, end)
    return gap.end() if gap else position


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of an entry of the lexicon, as ``split_tokens`` divides them."""
    return tuple(text.split())


def _add_word(span: Span, start: int, tokens: list[FileToken]) -> int:
    """Add the word that begins here, with the commas and brackets around it by themselves; return where it ends."""
    mask, end = span.sentence.mask, start
    while end < span.end and not mask[end].isspace() and mask[end] not in _STARTS:
        end += 1
    first, last = start, end
    word = mask[first:last]
    if word in _COMMAS:
        tokens.append(FileToken(start, end, ","))
        return end
    if word[0] in _OPENING and (len(word) == 1 or _CLOSING[_OPENING.index(word[0])] not in word):
        first += 1
    elif word[0] in _OPENING and word[-1] in _CLOSING:
        first, last = first + 1, last - 1
    commas: list[FileToken] = []
    while last > first + 1 + (mask[last - 1] == _COLON) and (mask[last - 1] in _COMMAS or _is_stray(mask[first:last])):
        last -= 1
        if mask[last] in _COMMAS:
            commas.append(FileToken(last, last + 1, ","))
    if last > first:
        tokens.append(FileToken(first, last, mask[first:last].lower()))
    tokens.extend(commas)
    return end


def _is_stray(word: str) -> bool:
    """Whether a word ends with a bracket that doesn't open in it."""
    return word[-1] in _CLOSING and _OPENING[_CLOSING.index(word[-1])] not in word
