"""Reading which files are looked for: "pdf files", "*.txt", "files that begin with Foto"."""

from core.language.grammars.grammar import Vocabulary
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import read_any
from core.language.values.names import NameReader

_MOST_LETTERS = 6
_MARKS = frozenset("*?[")


class GlobReader:
    """Reads what names of files look like."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        """Take the words.

        Args:
            vocabulary: The language's words.
            names: Reads names.
        """
        self._endings = vocabulary.file_endings
        self._no_name = vocabulary.files.no_name
        self._names = names

    def read_name(self, span: Span) -> str:
        """Return a name or a part of one."""
        if span.quoted is None and span.words in self._no_name:
            raise UnreadableError
        return read_any(span) if span.literal or " " not in span.text else self._names.read_name(span)

    def read_kind(self, span: Span) -> str:
        """Return the glob of a known kind of file: ``pdf`` and ``.pdf`` are ``*.pdf``."""
        word = span.text
        if word.startswith("."):
            return self.read_extension(span)
        if word.lower() not in self._endings:
            raise UnreadableError
        return f"*.{word.lower()}"

    def read_extension(self, span: Span) -> str:
        """Return the glob of an ending, which may be any."""
        word = read_any(span).removeprefix("*").removeprefix(".")
        if not word.isalnum() or len(word) > _MOST_LETTERS:
            raise UnreadableError
        return f"*.{word}"

    def read_any_case(self, span: Span) -> str:
        """Return a name or glob in which each letter stands for itself in any case."""
        return open_case(self.read_name(span))

    def read_glob(self, span: Span) -> str:
        """Return a name that is written as one: a glob, a quoted text, or a name with an ending."""
        text = read_any(span)
        if span.quoted is None and (" " in text or not (_MARKS.intersection(text) or "." in text.strip("."))):
            raise UnreadableError
        return text


def open_case(text: str) -> str:
    """Return a name or glob in which each letter stands for itself in any case."""
    return "".join(
        f"[{low}{high}]" if len(low := char.lower()) == len(high := char.upper()) == 1 and low != high else char
        for char in text
    )
