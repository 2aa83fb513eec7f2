"""How many tokens (o200k) a text has at most, by the pairs of bytes that are merged first.

Tokens are made by merging bytes within a piece of text: always the pair whose merge comes first in the vocabulary. Who knows
only the first merges stops early, with the same steps so far, and every further merge makes the tokens fewer. So the number
that is counted here is never too low, whatever the text is, and nearly right where words are common.
"""

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote_to_bytes

_VOCABULARY = Path(__file__).with_name(
    "first_tokens.txt"
)  # the results of the first merges, in their order, as in addresses (%20 for a space)
_MOST_MERGED_BYTES = 128  # longer pieces are counted by bytes: merging takes time by the square
_CHARS_A_TOKEN = 12

# How o200k's texts are divided before bytes are merged. Every character beyond ASCII is replaced by one of its class first.
_UPPER, _LOWER, _NO_CASE, _MARK, _ODD = "A-Z", "a-z", "\x01", "\x02", "\x03"
_SHORTENED = r"(?:'(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE]))?"
_BEFORE_WORD = rf"[^\r\n{_UPPER}{_LOWER}{_NO_CASE}0-9]?"
_PIECE = re.compile(
    rf"\s*[^\s{_ODD}]*{_ODD}\S*\s*"
    rf"|{_BEFORE_WORD}[{_UPPER}{_NO_CASE}{_MARK}]*[{_LOWER}{_NO_CASE}{_MARK}]+{_SHORTENED}"
    rf"|{_BEFORE_WORD}[{_UPPER}{_NO_CASE}{_MARK}]+[{_LOWER}{_NO_CASE}{_MARK}]*{_SHORTENED}"
    rf"|[0-9]{{1,3}}| ?[^\s{_UPPER}{_LOWER}{_NO_CASE}0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_LINE_START = re.compile(r"(?<=\n)(?= *[^\s/])")  # no piece goes beyond it
_ODD_CHARS = "\x01\x02\x03\x1c\x1d\x1e\x1f\x85\ufeff\u017f\u212a"  # what programs don't agree on


class _Classes(dict[int, int]):
    """For each character what stands for it while a text is divided."""

    def __missing__(self, code: int) -> int:
        self[code] = found = ord(_classify(chr(code)))
        return found


def _classify(char: str) -> str:
    category = unicodedata.category(char)
    if char in _ODD_CHARS or category in {"Cn", "Cs"}:  # what is new in a later Unicode may be a letter there
        return _ODD
    if char.isascii():
        return char
    if category in {"Lu", "Lt", "Ll"}:
        return "q" if category == "Ll" else "Q"
    if char.isspace():
        return " "
    return {"L": _NO_CASE, "M": _MARK, "N": "0"}.get(category[0], "!")


_CLASSES = _Classes()


def bound_tokens(text: str) -> int:
    """Return a number that the tokens of a text (o200k) never exceed."""
    return sum(map(_bound_line, _LINE_START.split(text)))


def cut_to_tokens(text: str, most: int) -> str:
    """Return the beginning of a text that has at most so many tokens, 2 or more; an ellipsis stands for the rest."""
    if (text.isascii() and len(text) <= most) or (len(text) <= most * _CHARS_A_TOKEN and bound_tokens(text) <= most):
        return text
    low, high = 0, min(len(text), most * _CHARS_A_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if bound_tokens(_shorten(text, middle)) <= most:
            low = middle
        else:
            high = middle - 1
    return _shorten(text, low)


def _shorten(text: str, length: int) -> str:
    return f"{text[:length].rstrip()}…"


@lru_cache(maxsize=8192)
def _bound_line(line: str) -> int:
    shadow = line.translate(_CLASSES)
    if line.isascii() and _ODD not in shadow:
        return sum(map(_bound_piece, _PIECE.findall(line)))
    total = 0
    for piece in _PIECE.finditer(shadow):
        own = line[piece.start() : piece.end()]
        total += len(own.encode("utf-8", "surrogatepass")) if _ODD in piece[0] else _bound_piece(own)
    return total


@lru_cache(maxsize=32768)
def _bound_piece(piece: str) -> int:
    """Return how many parts the first merges leave of a piece."""
    ranks = _load_ranks()
    raw = piece.encode("utf-8", "surrogatepass")
    if raw in ranks:
        return 1
    if len(raw) > _MOST_MERGED_BYTES:
        return len(raw)
    parts = [raw[at : at + 1] for at in range(len(raw))]
    while len(parts) > 1:
        merged = [ranks.get(one + other, _NEVER) for one, other in pairwise(parts)]
        first = min(merged)
        if first == _NEVER:
            break
        at = merged.index(first)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return len(parts)


_NEVER = 1 << 30


@cache
def _load_ranks() -> dict[bytes, int]:
    return {unquote_to_bytes(word): rank for rank, word in enumerate(_VOCABULARY.read_text(encoding="ascii").split())}
