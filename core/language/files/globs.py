"""Reading which files are looked for: "pdf files", "*.txt", "files that begin with Foto", "all pictures except a.png"."""

from collections.abc import Iterable, Sequence

from core.base.late_parts import compile_late
from core.language.grammars.grammar import Vocabulary
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import read_any
from core.language.values.names import NameReader

_MOST_LETTERS = 6
_MARKS = frozenset("*?[")
_SEVERAL = compile_late(r"\*\.\{([^{}]*)\}")
_ONE = compile_late(r"\*\.\w+")
_UNWRITABLE = frozenset("{},!/\\[]")


class GlobReader:
    """Reads what names of files look like."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
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

    def read_told(self, told: str, span: Span) -> str:
        """Return the glob that words tell.

        Args:
            told: What of the names they tell: a ``kind``, an ending (``ext``), how they ``start`` or ``end``, a ``part``; or all.
        """
        if told == "kind":
            return self.read_kind(span)
        if told == "ext":
            return self.read_extension(span)
        name = self.read_name(span)
        return f"{'*' * (told in {'end', 'part'})}{name}{'*' * (told in {'start', 'part'})}"

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


def write_kind(endings: Iterable[str]) -> str:
    """Return the glob of a kind of files that has several endings, each in small and in capital letters."""
    return f"*.{{{','.join(each for ending in endings for each in (ending.lower(), ending.upper()))}}}"


def list_endings(glob: str) -> list[str]:
    """Return the endings that the glob of a kind of files stands for, in small letters; none for another glob."""
    several = _SEVERAL.fullmatch(glob)
    if several is None:
        return [glob[2:].lower()] if _ONE.fullmatch(glob) else []
    return list(dict.fromkeys(several[1].lower().split(",")))


def ends_like(name: str, end: str) -> bool:
    """Whether a name ends as a glob does behind its star."""
    endings = list_endings(f"*{end}")
    return name.lower().endswith(tuple(f".{each}" for each in endings) or end.lower())


def leave_out(pattern: str, names: Sequence[str]) -> str | None:
    """Return a glob without some names or kinds of files; None where a name can't be written in one.

    Args:
        names: What is left out: names, and globs of kinds.
    """
    kinds = [list_endings(each) for each in names]
    own = list_endings(pattern)
    if len(own) > 1 and all(kinds):
        left = [each for each in own if not any(each in kind for kind in kinds)]
        return write_kind(left) if left else None
    written: list[str] = []
    for name, endings in zip(names, kinds, strict=True):
        if not endings and not _UNWRITABLE.isdisjoint(name):
            return None
        written += [f"*.{open_case(each)}" for each in endings] or [name]
    return f"!{{{','.join(dict.fromkeys(written))}}}{pattern}"
