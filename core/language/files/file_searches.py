"""Reading what is looked for among files: which, called what, and where, in whatever order that is said.

    all *.c files in src and below                       *.c in src
    python files below the home folder ending in .py     *.py in home:/
    the /etc tree for files with "net" in their names    *net* in /etc

What stands behind the files is taken off piece by piece, from the end: a place, a name, an age, a remark. What is left must
be the files. Whatever says more than that isn't understood, because to find too much is no answer.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.base.late_parts import compile_late
from core.language.files.file_names import FolderReader
from core.language.files.globs import GlobReader, open_case
from core.language.files.located_paths import LocatedPath
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.patterns import CODE, QUOTE, compile_pattern
from core.language.sentences.spans import Span, UnreadableError, require, try_read
from core.language.values.amounts import AmountReader

_PART = compile_late(r"(?<!\?P)<(\w+)>")
_WORD = rf"(?:{QUOTE}|{CODE}|[^\s,()]+)"
_SLASHED = compile_late(r"[\w.-]+(?:/[\w.-]+)*/|[\w.-]+(?:/[\w.-]+)+")
_MOST_PIECES = 5
_MOST_TRIES = 200
_PATTERN, _PATH, _ANY_CASE, _KIND = "pattern", "path", "_any_case", "_kind"


class SearchReader:
    """Reads what is looked for among files in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, folders: FolderReader, globs: GlobReader) -> None:
        words = vocabulary.files
        self._words = words.searching
        self._endings = vocabulary.file_endings
        self._odd = (words.telling | words.no_name | self._words.odd) - self._words.nouns
        self._folders = folders
        self.globs = globs
        self._amounts = AmountReader(vocabulary)
        self._compiled: dict[str, re.Pattern[str]] = {}

    def read(self, span: Span, context: Context, *, is_wide: bool = False) -> dict[str, Any]:
        """Return the params of a search for files whose names are told.

        Args:
            is_wide: Whether all files of a folder may be meant.
        """
        if not self._compile(self._words.hint).search(span.mask):
            raise UnreadableError
        return self._finish(_Peeling(self, context).peel(span, {}, _MOST_PIECES, is_wide=is_wide))

    def read_behind_place(self, span: Span, context: Context) -> dict[str, Any]:
        """Return the same where the folder is named first: "Documents for all pdf files"."""
        for match in self._compile(self._words.behind).finditer(span.mask):
            place = self.read_place(span.cut(0, match.start()), context)
            if place is not None:
                rest = span.cut(match.end(), len(span.mask))
                return self._finish(_Peeling(self, context).peel(rest, {_PATH: place}, _MOST_PIECES, is_wide=False))
        raise UnreadableError

    def list_heads(self, span: Span) -> Iterator[re.Match[str]]:
        """Yield how a span can be the files themselves."""
        for head in self._words.heads:
            if match := self._compile(head).fullmatch(span.mask):
                yield match

    def list_tails(self, span: Span) -> Iterator[re.Match[str]]:
        """Yield what the end of a span can tell about the files in front of it."""
        for tail in self._words.tails:
            pattern = self._compile(rf"\s+(?:{tail})\s*,?$")
            match = pattern.search(span.mask)
            while match:
                yield match
                match = pattern.search(span.mask, match.start() + 1)

    def read_piece(self, name: str, span: Span, context: Context) -> dict[str, Any]:
        """Return what a piece tells."""
        if name == "place":
            return {_PATH: require(self.read_place(span, context))}
        if name in {"newer", "older"}:
            return {name: self._amounts.read_age(span)}
        if name == "any":
            return {_ANY_CASE: True}
        if name == "remark":
            self._check_remark(span)
            return {}
        if name == "name" and span.quoted is None and span.words in self._odd:
            raise UnreadableError
        if name == "desc":
            self._check_remark(span)
            return {_KIND: span}
        return {_PATTERN: self._read_pattern(name, span)}

    def read_place(self, span: Span, context: Context) -> LocatedPath | None:
        """Return a folder, with what lies below it; None where the words name none."""
        inner = span
        if below := self._compile(r"\s+<below>$").search(span.mask):
            inner = span.cut(0, below.start())
        if whole := self._words.places.get(" ".join(inner.text.lower().split())):
            return LocatedPath(whole)
        if _SLASHED.fullmatch(inner.mask):
            return LocatedPath(inner.text)
        if "(" in inner.mask:
            return None  # a remark is not part of a folder's name
        if located := self._folders.try_read(inner, context):
            return located
        tree = self._compile(rf"\s+(?:{self._words.tree})$").search(inner.mask)
        return self._folders.try_read(inner.cut(0, tree.start()), context) if tree else None

    def _read_pattern(self, name: str, span: Span) -> str:
        text = self.globs.read_glob(span) if name == "glob" else self.globs.read_told(name, span)
        if name == "glob" and text.startswith(".") and text[1:].lower() in self._endings:
            text = f"*{text}"
        if "/" in text or text in {".", ".."}:
            raise UnreadableError
        return text

    def _check_remark(self, span: Span) -> None:
        words = span.words.split()
        is_odd = not self._odd.isdisjoint(words) or self._compile(self._words.odd_word).search(span.words)
        if is_odd or span.has_literals:
            raise UnreadableError

    def _finish(self, said: Mapping[str, Any] | None) -> dict[str, Any]:
        params = {name: value for name, value in require(said).items() if not name.startswith("_")}
        if said and said.get(_ANY_CASE):
            params[_PATTERN] = open_case(require(params.get(_PATTERN)))
        return params

    def _expand(self, expression: str) -> str:
        while _PART.search(expression):
            expression = _PART.sub(lambda found: f"(?:{self._words.parts[found[1]]})", expression)
        return expression.replace("WORD", _WORD)

    def _compile(self, expression: str) -> re.Pattern[str]:
        if expression not in self._compiled:
            self._compiled[expression] = compile_pattern(self._expand(expression))
        return self._compiled[expression]


def _repeats(words: str, pattern: str) -> bool:
    """Whether all words for a kind of files say again what a pattern says: "mp3" with ``*.mp3``, "Python" with ``*.py``."""
    ending = pattern.rpartition(".")[2]
    return bool(ending) and all(word in pattern or word.startswith(ending) for word in words.split())


class _Peeling:
    """Takes pieces off the end of one search."""

    def __init__(self, reader: SearchReader, context: Context) -> None:
        self._reader = reader
        self._context = context
        self._tries = 0

    def peel(self, span: Span, said: Mapping[str, Any], pieces: int, *, is_wide: bool) -> Mapping[str, Any] | None:
        for match in self._reader.list_heads(span):
            more = self._read(match, span)
            if (found := self._join(said, more) if more is not None else None) and self._is_enough(
                found, match, is_wide=is_wide
            ):
                return found
        for match in self._reader.list_tails(span) if pieces else ():
            self._tries += 1
            if self._tries > _MOST_TRIES:
                return None
            more = self._read(match, span)
            joined = self._join(said, more) if more is not None else None
            if joined is not None and (
                found := self.peel(span.cut(0, match.start()), joined, pieces - 1, is_wide=is_wide)
            ):
                return found
        return None

    def _read(self, match: re.Match[str], span: Span) -> dict[str, Any] | None:
        more: dict[str, Any] = {}
        try:
            for name, text in match.groupdict().items():
                if text is not None and name not in {"noun", "all"}:
                    more |= self._reader.read_piece(name, span.cut_group(match, name), self._context)
        except UnreadableError:
            return None
        return more

    def _join(self, said: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any] | None:
        return None if set(said) & set(more) else {**said, **more}

    def _is_enough(self, found: dict[str, Any], match: re.Match[str], *, is_wide: bool) -> bool:
        """Tell whether it is clear which files are meant; a word for their kind counts where nothing else names them."""
        groups = match.groupdict()
        kind = found.pop(_KIND, None)
        glob = try_read(self._reader.globs.read_kind, kind) if kind is not None else None
        if kind is not None and glob is None and not _repeats(kind.words, str(found.get(_PATTERN, "")).lower()):
            return False  # words that say nothing known may leave some of them out
        if glob and _PATTERN not in found:
            found[_PATTERN] = glob
        if glob and not found[_PATTERN].lower().endswith(glob[1:]):
            return False  # both of them say which files
        if _PATTERN not in found:
            return "newer" in found or "older" in found or (is_wide and _PATH in found and bool(groups.get("all")))
        if groups.get("name"):
            return _PATH in found
        return bool(groups.get("noun")) or _PATH in found or "*" in found[_PATTERN]
