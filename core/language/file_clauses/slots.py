"""FileSlotReader: what can be read at a position of a clause besides the words of the lexicon."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from core.base.late_parts import compile_late
from core.language.file_clauses.lexicon import ACT, KIND, MANNER, ClauseWords, FileToken, WordSense
from core.language.files.located_paths import LocatedPath
from core.language.meanings.contexts import Context
from core.language.sentences.spans import Span, try_read

if TYPE_CHECKING:
    from core.language.files.file_slots import FileSlots

Value = tuple[int, Any, int]
_MOST_PLACE, _MOST_NAME, _MOST_AGE, _MOST_LISTED = 8, 3, 4, 12
# The slots of phrases that read places, files and ages.
_PLACED = {"place": "searched_folder", "bare": "searched_folder", "spot": "spot", "file": "quoted_file", "age": "age"}
# Classes whose words may be names as well: a folder called "Music" or "Scripts".
_NAMES = frozenset(
    {"kind", "kinds", "sorts", "sort", "plain", "new", "string", "contents", "ending", "count", "no_spot"}
)
_LETTERS = _NAMES | {"a"}
# Classes that may stand within the words for a place.
_JOINING = frozenset(
    {"the", "a", "that", "it", "in", "of", "from", "and", "at", "to", "be", "mid_with", "called", "rest"}
)
_THINGS = frozenset({"folder", "folders", "file", "files", "entries", "drive", "hidden", "empty", "all", "whole"})
_PLACES = _NAMES | _JOINING | _THINGS | {"here", "there", "there_already", "no_name"}


# What stands in front of folders that are only written as names are, by the kind of slot.
_CAPITALS = {"place": frozenset({"inside", "from"}), "spot": frozenset({"to", "inward", "inside"})}
# What says that files are spoken of.
_TELLING = frozenset({"file", "files", "folder", "folders", "entries", "everything"})
_SPOTS = frozenset({"folder", "folders", "drive", "there", "here", "it"})
_OPEN = frozenset({"name", "newname", "one", "word", "size"})
_SIZE = compile_late(r"\d+(?:[.,]\d+)?[kmgt]i?b?", re.IGNORECASE)


def may_begin(kind: str, classes: set[str], token: FileToken) -> bool:
    """Whether a slot may begin with a word."""
    if kind == "quoted":
        return token.is_quoted
    if kind == "paths":
        return token.is_written
    if kind == "several":
        return not classes.isdisjoint({KIND, "kinds"})
    return kind in classes or kind in _OPEN or kind in _PLACED


class SlotReading(Protocol):
    """Reads the slots of phrases."""

    @property
    def files(self) -> "FileSlots":
        """Those that hold files and folders."""
        ...

    def read(self, kind: str, span: Span, context: Context) -> Any:
        """Return what a slot holds."""
        ...


class FileSlotReader:
    """Reads the slots of one clause."""

    def __init__(self, readers: "SlotReading", spots: frozenset[str], context: Context) -> None:
        self._readers, self._spots, self._context = readers, spots, context

    def is_file(self, path: str) -> bool:
        """Whether a path is that of a file by its ending."""
        return self._readers.files.is_file(path)

    def list_values(self, kind: str, clause: ClauseWords, position: int) -> Iterator[Value]:
        """Yield what can be read at a position: where it ends, its value, and how many words of it are a name unquoted."""
        lister = _LISTERS.get(kind)
        if lister is not None:
            yield from lister(clause, position)
        elif kind in _PLACED:
            yield from self._list_placed(kind, clause, position)
        else:
            for sense in clause.senses[position]:
                if sense.kind == kind:
                    yield position + sense.size, sense.value or kind, 0

    def _list_placed(self, kind: str, clause: ClauseWords, position: int) -> Iterator[Value]:
        most = _MOST_AGE if kind == "age" else _MOST_PLACE
        last = min(position + most, len(clause.tokens))
        first = position + 1
        for number in range(position, last):
            if clause.tokens[number].text == "," or (kind != "age" and _is_known(clause, number, _PLACES)):
                last = number
                break
        if kind != "age":
            marks = [number for number in range(position, last) if self._may_place(clause, number)]
            first = marks[0] + 1 if marks else last + 1
        for end in range(last, first - 1, -1):
            value = self.try_read(_PLACED[kind], clause.cut(position, end))
            if value is not None:
                yield end, value, _count_names(clause, position, end) if kind != "age" else 0
        if kind in _CAPITALS and _stands_inside(clause, position, _CAPITALS[kind]):
            yield from _list_capitals(clause, position, 1 if kind == "place" else 2)  # "to Old" may be a new name

    def _may_place(self, clause: ClauseWords, number: int) -> bool:
        token = clause.tokens[number]
        return (
            token.literal is not None
            or token.is_written
            or token.text in self._spots
            or any(sense.kind in _SPOTS for sense in clause.senses[number])
        )

    def try_read(self, kind: str, span: Span) -> Any:
        """Return what a slot of a phrase would hold, or None where the words don't fit it."""
        return try_read(self._readers.read, kind, span, self._context)


def _list_names(clause: ClauseWords, position: int, *, is_new: bool = False) -> Iterator[Value]:
    """Yield names without quotes: a few words that mean nothing else, or a single one that may."""
    if _is_act(clause, position):
        yield position + 1, position, 2
    for end in range(position + 1, min(position + _MOST_NAME, len(clause.tokens)) + 1):
        token = clause.tokens[end - 1]
        if not token.is_word or (_is_known(clause, end - 1, _NAMES) and (is_new or not _is_capital(clause, end - 1))):
            return
        yield end, position, end - position


def _list_paths(clause: ClauseWords, position: int) -> Iterator[Value]:
    """Yield the numbers of tokens that are written names, one or several with commas and "and" between."""
    found: list[int] = []
    place, tokens = position, clause.tokens
    while place < len(tokens) and tokens[place].is_written and len(found) < _MOST_LISTED:
        found.append(place)
        yield place + 1, tuple(found), 0
        place = skip_joint(clause, place + 1)


def _list_kinds(clause: ClauseWords, position: int) -> Iterator[Value]:
    found: list[str] = []
    place = position
    while place < len(clause.tokens):
        senses = [sense for sense in clause.senses[place] if sense.kind in {KIND, "kinds"}]
        if not senses:
            return
        longest = max(senses, key=lambda sense: sense.size)
        found.append(longest.value)
        place += longest.size
        if len(found) > 1:
            yield place, tuple(found), 0
        place = skip_joint(clause, place)


def skip_joint(clause: ClauseWords, position: int) -> int:
    """Return where a comma, an "and" or both end; the length of the clause where there is none."""
    place = position + 1 if position < len(clause.tokens) and clause.tokens[position].text == "," else position
    joint = [sense.size for sense in clause.senses[place] if sense.kind == "and"] if place < len(clause.tokens) else []
    place += joint[0] if joint else 0
    return place if place > position else len(clause.tokens)


def _list_sizes(clause: ClauseWords, position: int) -> Iterator[Value]:
    """Yield sizes, with their units written apart or together: "10 MB", "10MB"."""
    token = clause.tokens[position]
    if _SIZE.fullmatch(token.text):
        yield position + 1, position, 0
    for sense in clause.senses[position + 1] if position + 1 < len(clause.tokens) else ():
        if sense.kind == "bytes" and token.is_word:
            yield position + 1 + sense.size, position, 0


def _list_quoted(clause: ClauseWords, position: int) -> Iterator[Value]:
    if clause.tokens[position].is_quoted:
        yield position + 1, position, 0


def _list_one(clause: ClauseWords, position: int) -> Iterator[Value]:
    is_written = clause.tokens[position].is_written
    yield from (_list_paths if is_written else _list_names)(clause, position)


def _list_new_names(clause: ClauseWords, position: int) -> Iterator[Value]:
    if clause.tokens[position].is_written:
        yield position + 1, position, 0
    else:
        yield from _list_names(clause, position, is_new=True)


def _list_words(clause: ClauseWords, position: int) -> Iterator[Value]:
    token = clause.tokens[position]
    if token.literal is not None or token.is_written:
        yield position + 1, position, 0
    elif token.is_word and not _is_known(clause, position, _LETTERS):
        yield position + 1, position, 1


def _is_known(clause: ClauseWords, position: int, allowed: frozenset[str]) -> bool:
    return any(_blocks(sense, allowed) for sense in clause.senses[position])


def _stands_inside(clause: ClauseWords, position: int, fronts: frozenset[str]) -> bool:
    """Whether a word for a place stands in front of one, where files are spoken of as such: "photos of Paris" are none."""
    kinds = {sense.kind for senses in clause.senses for sense in senses}
    is_told = any(token.is_written for token in clause.tokens) or not kinds.isdisjoint(_TELLING)
    return is_told and position > 0 and any(sense.kind in fronts for sense in clause.senses[position - 1])


def _list_capitals(clause: ClauseWords, position: int, fewest: int) -> Iterator[Value]:
    """Yield a folder that is only written as a name is, the longest first: "in Old Music"."""
    end = position
    while (
        end < min(position + _MOST_NAME, len(clause.tokens)) and _is_capital(clause, end) and clause.tokens[end].is_word
    ):
        end += 1
    for last in range(end, position + fewest - 1, -1):
        yield last, LocatedPath(clause.cut(position, last).text), 2 * (last - position)


def _is_capital(clause: ClauseWords, position: int) -> bool:
    sentence, start = clause.span.sentence, clause.tokens[position].start
    return position > 0 and sentence.source[start].isupper() and not sentence.source.isupper()


def _is_act(clause: ClauseWords, position: int) -> bool:
    senses = [sense for sense in clause.senses[position] if sense.size == 1 and sense.kind not in _NAMES]
    return bool(senses) and all(sense.kind == ACT and sense.form == "plain" for sense in senses)


def _blocks(sense: WordSense, allowed: frozenset[str]) -> bool:
    if sense.kind in {ACT, MANNER}:
        return sense.size == 1 or sense.kind == MANNER
    return sense.kind not in allowed


def _count_names(clause: ClauseWords, start: int, end: int) -> int:
    return sum(
        token.is_word and not senses
        for token, senses in zip(clause.tokens[start:end], clause.senses[start:end], strict=True)
    )


_LISTERS: Mapping[str, Callable[[ClauseWords, int], Iterator[Value]]] = {
    "paths": _list_paths,
    "several": _list_kinds,
    "name": _list_names,
    "one": _list_one,
    "newname": _list_new_names,
    "word": _list_words,
    "quoted": _list_quoted,
    "size": _list_sizes,
}
