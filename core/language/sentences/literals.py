"""Literals: the parts of an utterance that must come out byte for byte, found before anything else is looked at.

They are quoted texts, code in backticks, web addresses, e-mail addresses and paths. ``find_literals`` gives a
``Sentence``: the source, and a mask of the very same length in which every literal is a run of placeholder characters.
All matching is done on the mask, so no word, comma or brace within a literal can be taken for grammar; and because the
mask is as long as the source, a span found in the mask cuts the literal out of the source unchanged.

Quotes are "…", '…', “…”, ‘…’, «…», „…“, `…` and `…'. An apostrophe within or after a word is not a quote. Inside "…" and '…' a
backslash in front of the closing quote makes it part of the text (the backslash goes away); every other backslash is
just a backslash.
"""

import re
from collections.abc import Hashable, Iterator
from typing import Literal as OneOf

from core.base.late_dataclasses import dataclass, field
from core.base.late_parts import compile_late

LiteralKind = OneOf["quote", "code", "url", "email", "path", "dotted"]

MARKS: dict[LiteralKind, str] = {
    "quote": "\ue000",
    "code": "\ue001",
    "url": "\ue002",
    "email": "\ue003",
    "path": "\ue004",
    "dotted": "\ue005",
}
FILL = "\ue00f"
_KINDS: dict[str, LiteralKind] = {str(kind): kind for kind in MARKS}
_RESERVED = compile_late("[\ue000-\ue00f]")

MOST_WORD_CHARACTERS = 1_000
_CLOSERS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“”", "`": "`"}
_STRAY = "”»"
# Words that begin with an apostrophe, such as 'cause and '90s: no quote opens there unless it also closes.
_ELISION = compile_late(r"'(?:n|em|til|tis|twas|cause|bout|round|s|\d0s)\b", re.IGNORECASE)

_NOT_IN_ADDRESS = r"\s\"<>“”„«»`"
_PORT_AND_REST = rf"(?::\d{{1,5}})?(?:[/?#][^{_NOT_IN_ADDRESS}]*)?"
_URL = (
    rf"[a-zA-Z][a-zA-Z0-9+.-]*://[^{_NOT_IN_ADDRESS}]+|about:blank\b"
    rf"|(?:localhost\b|\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\d.]*\w)|\[[0-9a-fA-F:.]{{2,45}}\]){_PORT_AND_REST}"
)
_EMAIL = r"[\w.+-]{1,64}@\w[\w-]*(?:\.[\w-]+)+"
_PATH = (
    r"(?:~|\.{1,2})?/\S*|~(?=[\s,.;:!?]|$)|[A-Za-z]:[\\/]\S*|\\\\\w\S*|[a-z]+:/(?!/)\S*|[^\s,*]{0,256}+\*[^\s,]*/\S*"
    r"|[\w-]+(?:/[\w.-]+)*/[\w-]+\.\w{1,5}(?![\w/])|\w[\w.-]+(?:/[\w.-]+)*/(?=[\s,.;:!?]|$)"
)
_DOTTED = rf"(?:\w[\w-]*\.)+[^\W\d_]\w+{_PORT_AND_REST}|\w[\w-]+\.[chorRds](?![\w.@])"
_BARE = compile_late(rf"(?P<url>{_URL})|(?P<email>{_EMAIL})|(?P<path>{_PATH})|(?P<dotted>{_DOTTED})")
# What a bare literal may stand behind, besides white space.
_BEFORE = frozenset("([{<>=:,;|\"'“‘«")
_TRAILING = ".,;:!?'’…"
# How a path ends that goes upwards; a full stop wouldn't stand there twice.
_UPWARDS = ("/..", "\\..")
_BRACKETS = {")": "(", "]": "[", "}": "{"}


class UnclosedQuoteError(Exception):
    """A quote opens and never closes, or closes and never opened, or ends in the middle of a word.

    Attributes:
        position: Where the mark stands, in characters from 0.
    """

    def __init__(self, position: int) -> None:
        super().__init__(f"unclear quotation mark at {position}")
        self.position = position


class LongSentenceError(Exception):
    """There is too much outside of literals."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A part that must come out byte for byte.

    Attributes:
        kind: What it is; ``dotted`` is a host or a file name.
    """

    kind: LiteralKind
    start: int
    end: int
    value: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """An utterance with its literals.

    Attributes:
        source: The utterance, byte for byte.
        known: What was found in parts of it, so that nothing is read twice.
        read: What was found in words of it wherever they stand; sentences that are made of its parts have it as well.
    """

    source: str
    mask: str
    literals: dict[int, Literal]
    known: dict[Hashable, object] = field(default_factory=dict[Hashable, object], repr=False, compare=False)
    read: dict[Hashable, object] = field(default_factory=dict[Hashable, object], repr=False, compare=False)

    def find_whole(self, start: int, end: int) -> Literal | None:
        """Return the literal that takes up exactly this span, if one does."""
        literal = self.literals.get(start)
        return literal if literal and literal.end == end else None


def find_literals(source: str, most_words: int = MOST_WORD_CHARACTERS) -> Sentence:
    """Find all literals of an utterance.

    Args:
        most_words: Characters that there may be outside of literals; what is longer is given up at once.

    Raises:
        UnclosedQuoteError: If it isn't clear where a quoted text begins or ends.
        LongSentenceError: If there is more than that outside of literals.
    """
    literals: dict[int, Literal] = {}
    pieces: list[str] = []
    position = 0
    for literal in _scan(source, most_words):
        literals[literal.start] = literal
        pieces.append(_plain(source[position : literal.start]))
        pieces.append(MARKS[literal.kind] + FILL * (literal.end - literal.start - 1))
        position = literal.end
    pieces.append(_plain(source[position:]))
    return Sentence(source, "".join(pieces), literals)


def try_find_literals(source: str, most_words: int = MOST_WORD_CHARACTERS) -> Sentence | None:
    """Return the same as ``find_literals``; None where that raises."""
    try:
        return find_literals(source, most_words)
    except (UnclosedQuoteError, LongSentenceError):
        return None


def _plain(text: str) -> str:
    return _RESERVED.sub("\ufffd", text).replace("’", "'")


def _scan(source: str, most_words: int) -> Iterator[Literal]:
    position, words = 0, 0
    unclosed: set[str] = set()
    while position < len(source):
        literal = _read_quote(source, position, unclosed) or _read_bare(source, position)
        if literal:
            yield literal
            position, words = literal.end, words + 1
        else:
            position, words = position + 1, words + 1
        if words > most_words:
            raise LongSentenceError


def _read_quote(source: str, start: int, unclosed: set[str]) -> Literal | None:
    """Return the quoted text that begins here; ``unclosed`` remembers marks that nothing behind here closes."""
    mark = source[start]
    if mark in _STRAY:
        raise UnclosedQuoteError(start)
    closers = _CLOSERS.get(mark)
    if closers is None or not _may_open(source, start):
        return None
    is_typed = mark == "`" and _is_typed(source, start)
    end = _find_close(source, start, closers) if mark not in unclosed and not is_typed else -1
    is_code = mark == "`" and end > 0
    if mark == "`" and end < 0:
        end = _find_close(source, start, "'")
    if end < 0:
        unclosed.add(mark)
        if mark == "'" and _ELISION.match(source, start):
            return None
        raise UnclosedQuoteError(start)
    content = source[start + 1 : end]
    if mark in "\"'":
        content = content.replace("\\" + mark, mark)
    return Literal("code" if is_code else "quote", start, end + 1, content)


def _is_typed(source: str, start: int) -> bool:
    """Whether a backtick opens a text that is `quoted' as on typewriters: the next one opens another."""
    following = source.find("`", start + 1)
    return following > 0 and source[following + 1 : following + 2].isalnum() and source[following - 1].isspace()


def _may_open(source: str, start: int) -> bool:
    """Whether a quote may open here: not an apostrophe within a word, nor the inches after a number."""
    before = source[start - 1] if start else " "
    return not before.isalnum() or source[start] not in "\"'‘"


def _find_close(source: str, start: int, closers: str) -> int:
    straight = closers in {'"', "'"}
    single = closers in {"'", "’"}
    for position in range(start + 1, len(source)):
        if source[position] not in closers or (straight and source[position - 1] == "\\" and position - 1 > start):
            continue
        glued = position + 1 < len(source) and source[position + 1].isalnum()
        if single and glued:
            continue  # an apostrophe within a word
        if glued:
            raise UnclosedQuoteError(position)
        return position
    # Nothing closes it but a mark behind a backslash, so that backslash was just one.
    last = source.rfind(closers, start + 1) if straight else -1
    return last if last > 0 and not source[last + 1 : last + 2].isalnum() else -1


def _read_bare(source: str, start: int) -> Literal | None:
    if start and not (source[start - 1].isspace() or source[start - 1] in _BEFORE):
        return None
    match = _BARE.match(source, start)
    if not match or match.lastgroup is None:
        return None
    end = _trim_end(source, start, match.end())
    if end <= start:
        return None
    return Literal(_KINDS[match.lastgroup], start, end, source[start:end])


def _trim_end(source: str, start: int, end: int) -> int:
    surplus = {
        closer: source.count(closer, start, end) - source.count(opener, start, end)
        for closer, opener in _BRACKETS.items()
    }
    while end > start:
        last = source[end - 1]
        if (last not in _TRAILING and surplus.get(last, 0) <= 0) or source.endswith(_UPWARDS, start, end):
            break
        if last in surplus:
            surplus[last] -= 1
        end -= 1
    return end
