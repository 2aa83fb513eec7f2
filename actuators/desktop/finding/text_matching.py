"""Finding a text among lines that were read in a picture, where letters may have been mistaken for others."""

import unicodedata
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from actuators.desktop.ports.desktop import Rect, SeenText
from core.base.late_dataclasses import dataclass

LEAST_SIMILARITY = 85.0
SHORTEST_FUZZY = 4
"""Texts with fewer characters must be read exactly, apart from letters that look alike."""
_NEAREST = 5

# What readers take for one another; both sides are folded to the same.
_LOOKALIKES = str.maketrans("01i|!5$¢", "ollllssc")
_NARROW, _WIDE = set("iljtfrI.,:;'|!()[]1 "), set("mwMWQ@%")


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A place where a text is, with its whole line; confidence, from 0 to 1, counts the reader's and how alike it is."""

    text: str
    line: str
    bounds: Rect
    confidence: float


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Part of a line, counted in characters without white space."""

    line: SeenText
    start: int
    end: int
    similarity: float = 1.0


def find_texts(wanted: str, lines: Sequence[SeenText]) -> list[TextMatch]:
    """Return where a text is, in reading order: as a whole line where it is one, else as words, else as a part.

    Case and white space make no difference, and letters that look alike are the same; only where nothing is found so,
    what is similar counts.
    """
    plain, alike = _fold(wanted), _fold(wanted).translate(_LOOKALIKES)
    if not plain:
        return []
    for table, sought in ((None, plain), (_LOOKALIKES, alike)):
        everywhere = [each for line in lines for each in _find_in(line, sought, table)]
        whole = [each for each in everywhere if each.end - each.start == len(_fold(each.line.text))]
        words = [each for each in everywhere if _is_words(each)]
        if everywhere:
            return [_place(each) for each in whole or words or everywhere]
    if len(alike) < SHORTEST_FUZZY:
        return []
    similar = [each for line in lines if (each := _find_similar(line, alike)) is not None]
    best = max((each.similarity for each in similar), default=0.0)
    return [_place(each) for each in similar if each.similarity == best]


def list_nearest_lines(wanted: str, lines: Sequence[SeenText]) -> list[str]:
    """Return the lines that are most like a text."""
    sought = _fold(wanted).translate(_LOOKALIKES)
    scored = sorted(lines, key=lambda line: -fuzz.partial_ratio(sought, _fold(line.text).translate(_LOOKALIKES)))
    return [line.text for line in scored[:_NEAREST]]


def _fold(text: str) -> str:
    """Take case, white space and forms of the same character away; every character stays one, so that places hold."""
    return "".join(_fold_character(character) for character in text if not character.isspace())


def _fold_character(character: str) -> str:
    folded = unicodedata.normalize("NFKC", character).casefold()
    return folded if len(folded) == 1 else character


def _find_in(line: SeenText, sought: str, table: dict[int, int] | None) -> Iterator[_Stretch]:
    text = _fold(line.text)
    if table is not None:
        text = text.translate(table)
    start = text.find(sought)
    while start >= 0:
        yield _Stretch(line, start, start + len(sought))
        start = text.find(sought, start + len(sought))


def _find_similar(line: SeenText, sought: str) -> _Stretch | None:
    text = _fold(line.text).translate(_LOOKALIKES)
    if len(text) < len(sought) * LEAST_SIMILARITY / 100:
        return None  # a line that is a part of what is wanted would be similar to it
    found = fuzz.partial_ratio_alignment(sought, text, score_cutoff=LEAST_SIMILARITY)
    return _Stretch(line, found.dest_start, found.dest_end, found.score / 100) if found and found.score else None


def _is_words(stretch: _Stretch) -> bool:
    places = _letter_places(stretch.line.text)
    text = stretch.line.text
    first, last = places[stretch.start], places[stretch.end - 1]
    before, after = text[first - 1 : first] if first else "", text[last + 1 : last + 2]
    return not (before.isalnum() and text[first].isalnum()) and not (after.isalnum() and text[last].isalnum())


def _place(stretch: _Stretch) -> TextMatch:
    line = stretch.line
    places = _letter_places(line.text)
    first, last = places[stretch.start], places[stretch.end - 1]
    confidence = round(line.confidence * stretch.similarity, 3)
    return TextMatch(line.text[first : last + 1], line.text, _find_bounds(stretch, first, last), confidence)


def _find_bounds(stretch: _Stretch, first: int, last: int) -> Rect:
    """Return where a part of a line is: by its letters where they are known, else by how wide letters are."""
    line = stretch.line
    box = line.bounds
    if len(line.letters) == len(_letter_places(line.text)):
        letters = line.letters[stretch.start : stretch.end]
        left = min(each.x for each in letters)
        return Rect(left, box.y, max(1, max(each.x + each.width for each in letters) - left), box.height)
    widths = [_width(character) for character in line.text]
    unit = box.width / sum(widths)
    left = round(box.x + unit * sum(widths[:first]))
    return Rect(left, box.y, max(1, round(unit * sum(widths[first : last + 1]))), box.height)


def _width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 2.0
    if character in _NARROW:
        return 0.55
    return 1.5 if character in _WIDE else 1.0


def _letter_places(text: str) -> list[int]:
    return [place for place, character in enumerate(text) if not character.isspace()]
