"""Descriptions: what tells an element by something else than its name.

    every Delete button, the first three links      every button "Delete", first 3 link
    everything except news                          … except "news"
    the checkbox next to Ada                        checkbox near "Ada"
    the row with the lowest price, the cheapest one record with lowest "price"
    the large red circle, a digit                   look "large red circle", look "digit"

Each method takes a part of a description off the words and returns it, with the rest.
"""

import re
from collections.abc import Callable

from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass, replace
from core.language.grammars.grammar import Vocabulary
from core.language.sentences.patterns import NAME, compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import split_list
from core.language.values.names import NameReader
from core.selectors.selectors import Placement, PlainSelector, Quantity, Ranking
from core.selectors.visual_descriptions import SIDE_WORDS, read_kind, read_visual_description

ReadAnchor = Callable[[Span], PlainSelector | None]
_MOST_SEVERAL = 1000


@dataclass(frozen=True, slots=True)
class Description:
    """What was said of elements besides their names, kinds and regions.

    Attributes:
        quantity: ``one``, ``every``, or how many from the first.
        exceptions: Names of those that are not meant.
    """

    quantity: Quantity = "one"
    exceptions: tuple[str, ...] = ()
    placements: tuple[Placement, ...] = ()
    ranking: Ranking | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return self == Description()


class DescriptionReader:
    """Reads descriptions in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        words = vocabulary.descriptions
        self._vocabulary, self._words, self._names = vocabulary, words, names
        kinds = {word for kind in vocabulary.element_kinds for word in kind.plurals}
        self._plurals = kinds | set(words.rows) | {word for word in words.drawings if word.endswith("s")}
        article = f"(?:(?:{match_any_of(vocabulary.articles)})\\s+)?"
        orders, relations = match_any_of(words.orders), match_any_of(words.relations)
        counted = rf"(?:(?P<first>{words.first})\s+)?(?P<number>\S+)\s+(?:(?:{words.of})\s+)?(?P<rest>.+)"
        superlatives = match_any_of(words.superlatives)
        self._every = compile_pattern(rf"(?:{words.every})\s+(?P<rest>.+)")
        self._several = compile_pattern(article + counted)
        self._excepting = compile_pattern(rf"(?P<rest>.+?)\s*,?\s+(?:{words.exceptions})\s+(?P<names>.+)")
        self._placed = compile_pattern(rf"(?P<rest>.+?)\s+(?P<relation>{relations})\s+{article}(?P<anchor>{NAME})")
        self._ranked = compile_pattern(
            rf"(?P<rest>.+)\s+(?:{words.ranked_by})\s+(?P<order>{orders})\s+(?P<label>{NAME})"
        )
        self._rank = compile_pattern(rf"{article}(?P<order>{orders})\s+(?P<label>{NAME})")
        self._superlative = compile_pattern(rf"{article}(?P<word>{superlatives})(?:\s+(?P<noun>.+))?")
        self._aside = compile_pattern(rf"(?P<rest>.+?)\s+(?:{words.aside})")
        self._middle = compile_pattern(rf"(?:{words.middle})\s+(?P<rest>.+)")
        self._character = compile_pattern(rf"(?:{match_any_of(words.indefinite)})\s+(?P<rest>\w)")

    def drop_indefinite(self, span: Span) -> Span:
        """Drop what says that any of several will do: ``any``."""
        first = span.mask.partition(" ")[0]
        is_any = first in self._words.indefinite and first != span.mask
        return span.cut(len(first), span.end - span.start) if is_any else span

    def drop_middle(self, span: Span) -> Span:
        """Drop what says that the middle of an element is meant, which is where it is acted on anyway."""
        match = self._middle.fullmatch(span.mask)
        return span.cut_group(match, "rest") if match else span

    def take_quantity(self, span: Span) -> tuple[Quantity, Span]:
        """Return how many are meant, and the words behind that: ``all the``, ``every``, ``the first three``, ``2``."""
        match = self._every.fullmatch(span.mask)
        if match and span.text[0].islower():
            return "every", span.cut_group(match, "rest")
        match = self._several.fullmatch(span.mask)
        if match is None or (match["first"] is None and not self._speaks_of_several(match["rest"])):
            return "one", span
        number = self.read_count(match["number"])
        is_vague = match["first"] is None and " ".join(match["rest"].lower().split()) in self._plurals
        if number is None or is_vague or (number == 1 and match["first"]):
            return "one", span  # "two buttons" doesn't say which
        return number, span.cut_group(match, "rest")

    def means_all(self, span: Span) -> bool:
        """Whether the words mean all there are, without saying of what: ``everything``."""
        return span.words in self._words.everything

    def read_count(self, said: str) -> int | None:
        """Return a whole number that was said as digits or as a word; None if it is none."""
        found = int(said) if said.isdecimal() else self._vocabulary.numbers.small.get(said.lower())
        return int(found) if found and found == int(found) and found <= _MOST_SEVERAL else None

    def take_behind(self, span: Span, read_anchor: ReadAnchor) -> tuple[Description, Span] | None:
        """Return one part of a description that stands at the end, with the words in front of it; None without one.

        Args:
            read_anchor: Reads the element that another one is beside; returns None if only a name was said.
        """
        if match := self._aside.fullmatch(span.mask):
            return Description(), span.cut_group(match, "rest")
        if match := self._excepting.fullmatch(span.mask):
            excepted = split_list(span.cut_group(match, "names"), self._names.joints)
            names = tuple(self._names.read_name(self._names.drop_article(each)) for each in excepted)
            return Description(exceptions=names), span.cut_group(match, "rest")
        if match := self._ranked.fullmatch(span.mask):
            return Description(ranking=self._make_ranking(span, match)), span.cut_group(match, "rest")
        if match := self._placed.fullmatch(span.mask):
            relation = self._words.relations[" ".join(match["relation"].lower().split())]
            anchor = span.cut_group(match, "anchor")
            selector = read_anchor(anchor)
            placement = Placement(relation, "" if selector else self._names.read_name(anchor), selector)
            return Description(placements=(placement,)), span.cut_group(match, "rest")
        return None

    def read_rank(self, span: Span) -> Ranking | None:
        """Return what ``the lowest price`` says of a record; None if it says no such thing."""
        match = self._rank.fullmatch(span.mask)
        return self._make_ranking(span, match) if match and span.text.islower() else None

    def read_superlative(self, span: Span) -> PlainSelector | None:
        """Return what ``the cheapest one`` names; None if the words are of another kind."""
        match = self._superlative.fullmatch(span.mask)
        if match is None or not span.text[: match.end("word")].islower():
            return None
        noun = " ".join((match["noun"] or "").lower().split())
        if noun and noun not in {*self._vocabulary.rows, *self._words.rows, *self._words.ones}:
            return None
        order, label = self._words.superlatives[" ".join(match["word"].lower().split())]
        return PlainSelector("record", "", ranking=Ranking(order, label))

    def read_look(self, span: Span) -> PlainSelector | None:
        """Return what a thing looks like, if the words say nothing else: ``the large red circle``."""
        words = span.words
        is_any = words.partition(" ")[0] in self._words.indefinite
        if span.quoted is not None or span.text.lower() != span.text:
            return self._read_character(span)
        inner = self._names.drop_article(span)
        last = inner.words.rpartition(" ")[2]
        is_drawn = last in self._words.drawings
        is_side = inner.words.partition(" ")[0] in SIDE_WORDS and read_kind(last) not in {"box", "square", "rectangle"}
        if not is_drawn and (is_side or last not in self._words.drawn_things or " " not in inner.words):
            return self._read_character(span)
        try:
            read_visual_description(inner.words)
        except TargetError:
            return None
        return PlainSelector("look", inner.words, nth=1 if is_any else None)

    def is_any(self, span: Span) -> bool:
        """Whether the words in front say that any of several will do: ``a checkbox``."""
        return span.mask.partition(" ")[0] in self._words.indefinite

    def _read_character(self, span: Span) -> PlainSelector | None:
        match = self._character.fullmatch(span.mask)
        return PlainSelector("look", span.cut_group(match, "rest").text, nth=1) if match else None

    def _speaks_of_several(self, rest: str) -> bool:
        return not self._plurals.isdisjoint(rest.lower().split())

    def _make_ranking(self, span: Span, match: re.Match[str]) -> Ranking:
        order = self._words.orders[" ".join(match["order"].lower().split())]
        return Ranking(order, self._names.read_name(span.cut_group(match, "label")))


def describe(plain: PlainSelector, said: Description) -> PlainSelector:
    """Return a selector with what was said besides."""
    if said.is_empty:
        return plain
    if (plain.nth and said.quantity != "one") or (plain.ranking and said.ranking):
        raise UnreadableError
    is_near = any(placement.relation == "near" for placement in said.placements)
    if is_near and (said.quantity != "one" or plain.nth not in {None, 1}):
        raise UnreadableError
    return replace(
        plain,
        quantity=said.quantity,
        exceptions=said.exceptions,
        placements=said.placements,
        ranking=said.ranking or plain.ranking,
        nth=None if is_near else plain.nth,
    )
