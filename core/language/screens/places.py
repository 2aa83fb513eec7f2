"""Places: where on a page an element is: "in the Billing section", "in Ada's row", "in the Pay frame"."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass, replace
from core.base.late_parts import compile_late
from core.language.grammars.grammar import Vocabulary
from core.language.screens.descriptions import DescriptionReader
from core.language.screens.element_kinds import KindFinder, choose_role
from core.language.sentences.patterns import NAME, QUOTE, compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError, try_read
from core.language.values.names import NameReader
from core.selectors.selectors import (
    LAST,
    ROLE_WORDS,
    PlainSelector,
    Quantity,
    Region,
    SelectorSpec,
    Spot,
    parse_selector,
    render_selector,
)
from core.selectors.spots import read_spot
from core.selectors.visual_descriptions import is_look


class GridPlaceReader:
    """Reads places in a grid in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        self._vocabulary, self._names = vocabulary, names

    def read(self, span: Span, kinds: KindFinder) -> tuple[PlainSelector, str] | None:
        """Return what stands at a place in a grid, with its role; None unless the words say that and its kind or looks alone.

        Args:
            span: Such as ``the square in the second row and third column``, ``the top left tile``.
        """
        taken = self.take_place(span)
        if taken is None:
            return None
        spot, inner = taken[0], self._names.drop_article(taken[1])
        kind = kinds.find_bare(inner, "control", "list")
        role = choose_role(kind, "control") if kind else ""
        if kind and kind.form and role not in {"", "record"}:
            return PlainSelector("role", "", role if role in ROLE_WORDS else kind.form, spot=spot), role
        is_seen = inner.words == inner.text and is_look(inner.words)
        return (PlainSelector("look", inner.words, spot=spot), "look") if is_seen else None

    def take_place(self, span: Span) -> tuple[Spot, Span] | None:
        """Return the place in a grid that words say of something, and the words for that; None where they say none."""
        if not self._vocabulary.descriptions.grids:
            return None
        for pattern in self._patterns:
            match = pattern.fullmatch(span.mask)
            spot = self._read(match) if match else None
            if match and spot:
                return spot, span.cut_group(match, "rest")
        return None

    def _read(self, match: re.Match[str]) -> Spot | None:
        said = match.groupdict()
        if "corner" in said:
            return read_spot(said["corner"])
        row, column = (self._read_number(said[part]) for part in ("row", "column"))
        return read_spot(f"row {row} column {column}") if row and column else None

    def _read_number(self, said: str) -> str:
        """Return which of several is meant, as selectors write it; empty where that is none from the beginning."""
        word = said.lower()
        number = self._vocabulary.ordinals.get(word) or self._vocabulary.numbers.small.get(word)
        if number == LAST:
            return "last"
        digits = re.match(r"\d+", word)
        return digits[0] if digits else str(int(number)) if number and number > 0 else ""

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        words, articles = self._vocabulary.descriptions, match_any_of(self._vocabulary.articles)
        endings = self._vocabulary.numbers.endings
        the, number = f"(?:(?:{articles})\\s+)?", rf"(?:\d{{1,3}}(?:{endings})?|[^\W\d]+)"
        inside = f"(?:{match_any_of(self._vocabulary.inside)}|{words.grid_at})\\s+{the}"
        joint = rf"(?:\s*,)?\s+(?:(?:{words.grid_joint})\s+)?{the}"
        row, column = rf"(?P<row>{number})", rf"(?P<column>{number})"
        plain = [rf"(?:{words.grid_row})\s+{row}", rf"(?:{words.grid_column})\s+{column}"]
        counted = [rf"{row}\s+(?:{words.grid_row})", rf"{column}\s+(?:{words.grid_column})"]
        both = [f"{one}{joint}{other}" for pair in (plain, counted) for one, other in (pair, pair[::-1])]
        tail = rf"(?:\s+{inside}(?:{words.grids}))?"
        corner = r"(?P<corner>[^\W\d]+(?:[\s-][^\W\d]+)?)"
        return (
            *(compile_pattern(rf"(?P<rest>.+?)\s+{inside}{each}{tail}") for each in both),
            compile_pattern(rf"{the}{column}\s+(?P<rest>\S+)\s+{inside}{row}\s+(?:{words.grid_row}){tail}"),
            compile_pattern(rf"(?P<rest>.+?)\s+{inside}{corner}(?:\s+(?:{words.grid_corner}))?{tail}"),
            compile_pattern(rf"{the}{corner}\s+(?P<rest>\S+(?:\s+\S+)?){tail}"),
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where on a page elements are, and which of several is meant.

    Attributes:
        frames: Names of the frames, outermost first.
        regions: Parts of the page, innermost first.
        nth: Which of several matches is meant; -1 is the last.
        quantity: How many are meant, where that was said of the parts that they are in ("on all posts").
    """

    frames: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()
    nth: int | None = None
    quantity: Quantity = "one"


def put_in_place(selector: str, place: Place) -> str:
    """Return a selector that is looked for in a place."""
    try:
        spec = parse_selector(selector)
    except TargetError:
        raise UnreadableError from None
    frames = (*place.frames, *spec.frames)
    if isinstance(spec.core, str):
        return place_literal(Place(frames, place.regions), spec.core)
    core = replace(spec.core, regions=(*spec.core.regions, *place.regions))
    return render_selector(SelectorSpec("", core, frames))


def place_literal(found: Place, selector: str) -> str:
    """Return a literal selector with what was said about where it is."""
    if found.regions or found.quantity != "one":
        raise UnreadableError
    nth = found.nth
    core = selector if nth is None else f"{selector} >> nth={nth if nth == LAST else nth - 1}"
    return render_selector(SelectorSpec(core, core, found.frames))


_GAP = compile_late(r"\s*[,:]\s*|\s+")
_RECORD_GROUPS = ("held", "owner", "subject")
_REGION_GROUPS = (*_RECORD_GROUPS, "ranked", "counted", "landmark", "quoted", "region", "named")
_MOST_GAPS = 8
_NONE = "(?!)"
_DIGITS = compile_late(r"\D+")


_ANYWHERE = Place()


class PlaceReader:
    """Reads places in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, descriptions: DescriptionReader) -> None:
        self._vocabulary = vocabulary
        self._descriptions = descriptions
        self._names = names
        self.leading = compile_pattern(rf"(?:{match_any_of(vocabulary.leading)})\s")

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return _compile_places(self._vocabulary)

    def split_place(self, span: Span) -> Iterator[tuple[Place, Span]]:
        """Yield what may be a place in front of a step, with the rest: ``in the Pay frame, click Pay``."""
        if not self.leading.match(span.mask):
            return
        for gap in islice(_GAP.finditer(span.mask), 1, _MOST_GAPS):
            taken = try_read(self.take_place_off, span.cut(0, gap.start()))
            if taken and not taken[1].mask:
                yield taken[0], span.cut(gap.end(), len(span.mask))

    def take_place_off(self, span: Span, place: Place = _ANYWHERE) -> tuple[Place, Span]:
        """Return where an element is, and the words in front of that; from the outermost place inwards."""
        while match := next((found for found in (each.fullmatch(span.mask) for each in self._patterns) if found), None):
            groups = match.groupdict()
            if groups.get("frame") or groups.get("frame_behind"):
                name = span.cut_group(match, "frame" if groups["frame"] else "frame_behind")
                place = replace(place, frames=(*place.frames, self._names.read_name(name)))
            elif group := next((group for group, caught in groups.items() if caught and group in _REGION_GROUPS), None):
                region = self._read_region(span.cut_group(match, group), group)
                quantity = self._read_quantity(match) if groups.get("many") else place.quantity
                place = replace(place, regions=(region, *place.regions), quantity=quantity)
            span = span.cut_group(match, "rest") if groups["rest"] else span.cut(0, 0)
        return place, span

    def _read_region(self, span: Span, group: str) -> Region:
        if group == "ranked":
            record = self._descriptions.read_superlative(span)
            if record is None:
                raise UnreadableError
            return Region("", "", record)
        if group == "landmark":
            return Region("", "", PlainSelector("role", "", self._vocabulary.landmarks[span.words]))
        if group == "counted":
            return Region("", "", self._read_counted(span))
        if group == "held" and (ranking := self._descriptions.read_rank(span)):
            return Region("", "", PlainSelector("record", "", ranking=ranking))
        name = self.read_region_name(span, group)
        return Region("", "", PlainSelector("record", name)) if group in _RECORD_GROUPS else Region(name)

    def _read_counted(self, span: Span) -> PlainSelector:
        said, _, part = span.words.partition(" ")
        nth = self._vocabulary.ordinals.get(said) or int(_DIGITS.sub("", said))
        word = self._vocabulary.counted_parts[part]
        return PlainSelector("record", "", nth=nth) if word == "record" else PlainSelector("role", "", word, nth=nth)

    def _read_quantity(self, match: re.Match[str]) -> Quantity:
        many = match["many"].lower().split()
        number = self._descriptions.read_count(many[-1])
        return number or "every"

    def read_region_name(self, span: Span, group: str) -> str:
        """Return the name of a part of the page; ``the second row`` has none."""
        name = self._names.read_name(span)
        first = span.words.partition(" ")[0]
        is_counted = first in self._vocabulary.ordinals or first in self._vocabulary.relative or first[:1].isdigit()
        if span.quoted is None and group in {"region", "owner"} and is_counted and not span.text[0].isupper():
            raise UnreadableError
        if group == "subject" and span.quoted is None and not (span.text[0].isupper() or span.text[0] == "@"):
            raise UnreadableError
        return name


def _compile_places(vocabulary: Vocabulary) -> tuple[re.Pattern[str], ...]:
    article = f"(?:(?:{match_any_of(vocabulary.articles)})\\s+)?"
    inside = rf"(?:(?P<rest>.+)\s+)?(?:{match_any_of(vocabulary.inside)})\s+"
    frame, container = match_any_of(vocabulary.frames), match_any_of(vocabulary.containers)
    words, naming = vocabulary.descriptions, rf"(?:(?:{vocabulary.naming})\s+)?"
    rows, superlatives = match_any_of((*vocabulary.rows, *words.rows)), match_any_of(words.superlatives)
    several, holding = rf"{words.every}|\d{{1,3}}|{match_any_of(vocabulary.numbers.small)}", vocabulary.holding
    ordinal = rf"(?:{match_any_of(vocabulary.ordinals)}|[1-9]\d{{0,2}}(?:{vocabulary.numbers.endings}))"
    parts = match_any_of(vocabulary.counted_parts) or _NONE
    pointing = (
        rf"(?:{match_any_of(vocabulary.pointing) or _NONE})\s+(?:(?:{match_any_of(vocabulary.present) or _NONE})\s+)?"
    )
    return (
        compile_pattern(rf"(?:(?P<rest>.+?)\s+)?(?:{match_any_of(vocabulary.inside)})\s+(?:{vocabulary.surroundings})"),
        compile_pattern(
            rf"{inside}{article}(?:(?P<frame>{NAME})\s+(?:{frame})|(?:{frame})\s+{naming}(?P<frame_behind>{NAME}))"
        ),
        compile_pattern(
            rf"{inside}(?:(?P<many>{several})\s+)?{article}(?:(?:{rows})\s+(?:{holding})\s+{article}(?P<held>{NAME})"
            rf"|(?P<owner>{NAME})(?:(?<=s)'|'s)\s+(?:{rows}))"
        ),
        compile_pattern(rf"{inside}(?P<ranked>{article}(?:{superlatives})\s+\S+)"),
        compile_pattern(rf"{inside}{article}(?P<counted>{ordinal}\s+(?:{parts}))"),
        compile_pattern(rf"{inside}{pointing}(?P<landmark>{match_any_of(vocabulary.landmarks) or _NONE})"),
        compile_pattern(rf"(?:(?P<rest>.+)\s+)?{vocabulary.subject}\s+(?P<subject>{NAME})"),
        compile_pattern(
            rf"{inside}{article}(?:(?P<quoted>{QUOTE})(?:\s+(?:{container}))?|(?P<region>{NAME})\s+(?:{container})"
            rf"|(?:{container})\s+{naming}(?P<named>{QUOTE}|(?-i:[A-Z])\S*(?:\s+\S+){{0,3}}))"
        ),
    )
