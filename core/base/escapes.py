"""Readings: what a text says to whoever takes its escapes for what they stand for, and where each character came from."""

import html
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

TextRange = tuple[int, int]
Pieces = Callable[[re.Match[str]], list[tuple[str, int]]]
"""For an escape, the characters that it stands for, each with the end of its own part of the escape."""

_BACKSLASHED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}
_DEEPEST = 2


@dataclass(frozen=True, slots=True)
class _EscapeForm:
    """One way of reading escapes, of which there is none without its mark."""

    mark: str
    pattern: re.Pattern[str]
    split: Pieces

    def read(self, text: str) -> str:
        """Return the text as it is read so."""
        known: dict[str, str] = {}  # long texts have the same few escapes over and over

        def decode(found: re.Match[str]) -> str:
            escape = found[0]
            if escape not in known:
                known[escape] = "".join(piece for piece, _ in self.split(found))
            return known[escape]

        return self.pattern.sub(decode, text)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text as it is read in some way from another reading; neither is there for the text itself."""

    text: str
    below: "DecodedText | None" = None
    way: _EscapeForm | None = None

    def trace(self, spans: Iterable[TextRange]) -> list[TextRange]:
        """Return where parts of the reading stand in the text itself."""
        spans = list(spans)
        if self.below is None or self.way is None or not spans:
            return spans
        tracks = list(_list_tracks(self.below.text, self.way))
        starts = [track[0] for track in tracks]
        lowered = [(_lower(tracks, starts, start)[0], _lower(tracks, starts, end - 1)[1]) for start, end in spans]
        return self.below.trace(lowered)


def list_readings(text: str) -> list[DecodedText]:
    """Return a text and every other reading of it, two ways in a row included."""
    found = [DecodedText(text)]
    known = {text}
    fresh = found
    for _ in range(_DEEPEST):
        fresh = [above for below in fresh for above in _read_further(below, known)]
        found = found + fresh
    return found


def _read_further(below: DecodedText, known: set[str]) -> Iterator[DecodedText]:
    for way in _WAYS:
        if way.mark in below.text or not way.mark:
            text = way.read(below.text)
            if text not in known:
                known.add(text)
                yield DecodedText(text, below, way)


def _list_tracks(text: str, way: _EscapeForm) -> Iterator[tuple[int, int, int]]:
    """Yield where each stretch of a reading begins, where it begins in the text, and its length there; 0 for as it is."""
    here = done = 0
    for found in way.pattern.finditer(text):
        yield here, done, 0
        here += found.start() - done
        begin = found.start()
        for piece, end in way.split(found):
            yield here, begin, end - begin
            here += len(piece)
            begin = end
        done = found.end()
    yield here, done, 0


def _lower(tracks: list[tuple[int, int, int]], starts: list[int], place: int) -> TextRange:
    """Return where one character of a reading stands in the text that it is made from."""
    here, there, length = tracks[bisect_right(starts, place) - 1]
    return (there, there + length) if length else (there + place - here, there + place - here + 1)


def _split_percent(found: re.Match[str]) -> list[tuple[str, int]]:
    raw = bytes.fromhex(found[0].replace("%", ""))
    pieces: list[tuple[str, int]] = []
    end = found.start()
    for char in raw.decode("utf-8", "surrogateescape"):
        end += 3 * len(char.encode("utf-8", "surrogateescape"))
        pieces.append((char, end))
    return pieces


def _split_form(found: re.Match[str]) -> list[tuple[str, int]]:
    return [(" ", found.end())] if found[0] == "+" else _split_percent(found)


def _split_backslash(found: re.Match[str]) -> list[tuple[str, int]]:
    if pair := found["pair"]:
        units = (int(each, 16) for each in pair.split("\\u"))
        text = b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "surrogatepass")
        return [(text, found.end())]
    if code := found["code"]:
        number = int(code.strip("{}"), 16)
        return [(chr(number) if number <= sys.maxunicode else "", found.end())]
    return [(_BACKSLASHED.get(found["char"], found["char"]), found.end())]


def _split_entity(found: re.Match[str]) -> list[tuple[str, int]]:
    body = found[0][1:-1]
    if body.startswith("#"):  # read as programs write it; pages take some numbers for other characters
        number = int(f"0{body[1:]}", 16 if body[1] in "xX" else 10)
        return [(chr(number) if number <= sys.maxunicode else "", found.end())]
    return [(html.unescape(found[0]), found.end())]


def _split_space(found: re.Match[str]) -> list[tuple[str, int]]:
    return [(" ", found.end())]


_WAYS = (
    _EscapeForm("%", compile_late(r"(?:%[0-9A-Fa-f]{2})+"), _split_percent),
    _EscapeForm("+", compile_late(r"(?:%[0-9A-Fa-f]{2})+|\+"), _split_form),
    _EscapeForm(
        "\\",
        compile_late(
            r"\\(?:u(?P<pair>(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))"
            r"|(?:u|x|U)(?P<code>(?<=u)[0-9a-fA-F]{4}|(?<=x)[0-9a-fA-F]{2}|(?<=U)[0-9a-fA-F]{8}|(?<=u)\{[0-9a-fA-F]{1,6}\})"
            r"|(?P<char>.))",
            re.DOTALL,
        ),
        _split_backslash,
    ),
    _EscapeForm("&", compile_late(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"), _split_entity),
    _EscapeForm("", compile_late(r"\s{2,}|[^\S ]"), _split_space),
)
