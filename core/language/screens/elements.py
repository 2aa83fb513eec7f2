"""From how people name an element to a selector.

    the email field                         field "email"
    the second "Delete" button              button "Delete" nth 2
    the button labelled Save                button "Save"
    Save in the Billing section             control "Save" in "Billing"
    the Delete button in the row of Ada     button "Delete" in (record "Ada")
    the Card number field in the Pay frame  frame "Pay" >> field "Card number"
    the card "Tea"                          control "Tea"
    the button                              role=button
    every Delete button                     every button "Delete"
    `#save`, selector "#save", testid=save  #save, #save, testid=save

Names are written as the person wrote them. What describes an element besides is read by ``descriptions.py``.
"""

import re
from functools import cached_property, partial

from core.base.late_dataclasses import dataclass, replace
from core.base.late_parts import compile_late
from core.language.grammars.grammar import ElementKind, Vocabulary
from core.language.screens.descriptions import Description, DescriptionReader, describe
from core.language.screens.element_kinds import (
    BOX_FORMS,
    RECORD,
    FoundKind,
    KindFinder,
    choose_form,
    choose_role,
    make_nameless,
    make_plain,
)
from core.language.screens.places import GridPlaceReader, Place, PlaceReader, place_literal
from core.language.sentences.patterns import QUOTE, compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError, require, try_read
from core.language.values.names import NameReader
from core.selectors.selectors import LAST, PlainSelector, Region, SelectorSpec, parse_selector, render_selector

_ENGINE = compile_late(
    r"(?:css|xpath|text|role|id|label|placeholder|alt|title|testid|data-testid|ref)=\S|[#.][A-Za-z_-][\w-]*$"
)

_FIELD_ROLES = frozenset({"textbox", "combobox", "listbox", "slider", "switch", "checkbox", "radio", "cell"})


@dataclass(frozen=True, slots=True)
class ReadElement:
    """An element as it was said.

    Attributes:
        role: Role of the kind that was said; empty if none was.
    """

    selector: str
    role: str = ""
    is_quoted: bool = False
    is_literal: bool = False
    names_several: bool = False
    is_ranked: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether a kind, a quoted name or a selector was said, so that hardly anything else can be meant."""
        return bool(self.role) or self.is_quoted or self.is_literal

    def says(self, need: str) -> bool:
        """Whether something was said: ``clear``, ``kind``, ``quotes``, ``rank``; or anything, where empty."""
        said = {"clear": self.is_clear, "kind": bool(self.role), "quotes": self.is_quoted, "rank": self.is_ranked}
        return said.get(need, True)

    def name_button(self) -> str:
        """Return the button of one of several like parts that a value tells from the others: ``the ticket with the lowest price``."""
        if not self.is_ranked:
            raise UnreadableError
        return f"button in ({self.selector})"


class ElementPhraseReader:
    """Reads elements in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        self._vocabulary, self._names = vocabulary, names
        self._descriptions, self._grids = DescriptionReader(vocabulary, names), GridPlaceReader(vocabulary, names)
        self.places = PlaceReader(vocabulary, names, self._descriptions)
        self.split_place = self.places.split_place
        self._negation = compile_pattern(vocabulary.negation, re.IGNORECASE)
        self._no_field = compile_pattern(vocabulary.no_field, re.IGNORECASE)
        self._pledging = compile_pattern(vocabulary.fields.pledging, re.IGNORECASE)
        self._pledge = compile_pattern(vocabulary.fields.pledge, re.IGNORECASE)
        things, ordinals = match_any_of(vocabulary.things), vocabulary.ordinals
        self._thing = compile_pattern(rf"(?:{things})\s+(?P<behind>{QUOTE})|(?P<before>{QUOTE})\s+(?:{things})")
        number = rf"(?P<number>\d{{1,3}})(?:{vocabulary.numbers.endings}|\.)"
        self._ordinal = compile_pattern(rf"(?:(?P<word>{match_any_of(ordinals)})|{number})\s+(?P<rest>.+)")
        counted = [name for name in vocabulary.form_names if name.partition(" ")[0] in ordinals]
        self._ordinal_name = compile_pattern(rf"(?:{match_any_of(counted) or '(?!)'})\b")
        containers = set(vocabulary.containers) - vocabulary.fields.endings
        self._place = compile_pattern(rf"\s(?:{match_any_of((*vocabulary.frames, *containers))})$")
        called = vocabulary.numbers.called
        self._numbered = compile_pattern(rf"(?P<rest>.+?)\s+(?:{called})\s+(?P<number>\d{{1,3}})")
        self._selector = compile_pattern(rf"(?:{match_any_of(self._vocabulary.selector_words)})\s+(?P<rest>.+)")

    @cached_property
    def kinds(self) -> KindFinder:
        """Finds the kinds of elements."""
        return KindFinder(self._vocabulary, self._names)

    def read(self, span: Span, default_form: str = "control", list_form: str = "field") -> ReadElement:
        """Return the element that a span names.

        Args:
            list_form: Plain form of a list: ``field`` where one chooses from it, ``list`` where it only holds items.
        """
        # Once for all slots that take one.
        forms = (default_form, list_form)
        return require(span.keep((self, *forms), lambda: try_read(self._read, span, *forms)))

    def _read(self, span: Span, default_form: str, list_form: str) -> ReadElement:
        if (literal := _read_selector(self._selector, self._names.drop_article(span))) is not None:
            return ReadElement(literal, is_literal=True)
        if default_form == "control" and (placed := self._grids.read(span, self.kinds)):
            return self._finish(placed[0], Description(), Place(), placed[1])
        said, found, inner = self._take_behind(self._descriptions.drop_middle(span))
        if self.kinds.says_none(inner):
            raise UnreadableError
        if record := self._descriptions.read_superlative(inner):
            return self._finish(record, said, found, "record")
        if default_form in BOX_FORMS and self._descriptions.means_all(inner):
            boxes = make_nameless(self.kinds.kinds[BOX_FORMS[0]], default_form)
            return self._finish(boxes, replace(said, quantity="every"), found, "")
        said, inner = _take_quantity(self._descriptions, said, found, inner)
        return self._read_counted(said, found, inner, default_form, list_form)

    def _read_counted(
        self, said: Description, found: Place, span: Span, default_form: str, list_form: str
    ) -> ReadElement:
        is_any = self._descriptions.is_any(span)
        inner = span if is_any else self._names.drop_article(span)
        if not self._is_field_name(span, inner, default_form):
            found, inner = self._read_ordinal(found, inner)
        if default_form == "control" and (look := self._descriptions.read_look(inner)):
            return self._finish(look, said, found, "look")
        inner = self._descriptions.drop_indefinite(self._names.drop_article(inner))
        if (selector := _read_selector(self._selector, inner)) is not None:
            if not said.is_empty:
                raise UnreadableError
            return ReadElement(place_literal(found, selector), is_literal=True)
        if kind := self.kinds.find_bare(inner, default_form, list_form):
            return self._read_bare(kind, said, found, default_form, is_any=is_any)
        return self._read_named(said, found, inner, default_form, list_form)

    def read_part(self, span: Span) -> str:
        """Return the name of a part of the page that is said without a kind: ``the basket``."""
        inner = self._names.drop_article(span)
        words = inner.words
        if (
            words.count(" ") > 2
            or self._negation.search(words)
            or self._names.is_elsewhere(inner)
            or self.kinds.kinds.get(words)
        ):
            raise UnreadableError
        return self.places.read_region_name(inner, "region")

    def is_form_name(self, span: Span, *, with_capitals: bool) -> bool:
        """Whether words are the name of a field, even without saying so: "the quantity"; or perhaps written as a name."""
        inner = self._names.drop_article(span)
        is_written = with_capitals and inner.text[:1].isupper() and not self._names.is_mine(inner)
        return is_written or inner.words in self._vocabulary.form_names

    def match_leading(self, span: Span) -> Span | None:
        """Return what stands behind a word such as "in" that begins a span, if one does."""
        leading = self.places.leading.match(span.mask)
        return span.cut(leading.end(), len(span.mask)) if leading else None

    def is_field_in_front(self, span: Span) -> bool:
        """Whether a span is a field in front of what is typed into it: ``in the email field, type …``."""
        rest = self.match_leading(span)
        element = try_read(self.read, rest, "field") if rest else None
        return element is not None and element.role in {"textbox", "combobox"}

    def _take_behind(self, span: Span) -> tuple[Description, Place, Span]:
        """Return what was said behind a name: where the element is, and what else tells it; with the words in front."""
        said, found = Description(), Place()
        if inner := self.kinds.find_inner_place(span):
            return said, self.places.take_place_off(inner)[0], span
        while True:
            found, span = self.places.take_place_off(span, found)
            if owned := self.kinds.find_owner(span):
                span, record = owned[0], PlainSelector("record", self._names.read_name(owned[1]))
                found = replace(found, regions=(Region("", "", record), *found.regions))
            behind = self._descriptions.take_behind(span, partial(_read_anchor, self, self._names))
            if behind is None:
                return said, found, span
            more, span = behind
            said = replace(
                said,
                exceptions=(*more.exceptions, *said.exceptions),
                placements=(*more.placements, *said.placements),
                ranking=said.ranking or more.ranking,
            )

    def _read_ordinal(self, found: Place, span: Span) -> tuple[Place, Span]:
        match = self._ordinal.fullmatch(span.mask) or self._numbered.fullmatch(span.mask)
        # "the first name field" and "Second Street" are names.
        is_written = span.text[:1].isupper() and not span.text.isupper()
        if not match or is_written or self._ordinal_name.match(span.mask):
            return found, span
        words = match.groupdict()
        nth = int(words["number"]) if words["number"] else self._vocabulary.ordinals[words["word"].lower()]
        rest = span.cut_group(match, "rest")
        # "the third last": counted from the end.
        is_backwards = self._vocabulary.ordinals.get(rest.words.partition(" ")[0], 0) < 0
        if is_backwards or (nth < 1 and nth != LAST):
            raise UnreadableError
        return replace(found, nth=nth), rest

    def _is_field_name(self, span: Span, inner: Span, default_form: str) -> bool:
        """Whether the words are the name of a field, without an article or a kind: "last stay" is none of several stays."""
        is_plain = default_form == "field" and inner.start == span.start and span.quoted is None
        return (
            is_plain
            and self.kinds.find_bare(inner, default_form, "field") is None
            and self._ordinal.fullmatch(inner.mask) is not None
            and self.kinds.find_named(inner, default_form, "field") is None
        )

    def _read_bare(
        self, kind: ElementKind, said: Description, found: Place, default_form: str, *, is_any: bool
    ) -> ReadElement:
        role = choose_role(kind, default_form)
        lone = parse_selector(kind.lone or f"role={role}").core if role not in {"", "record"} else ""
        is_plain = isinstance(lone, PlainSelector)
        if kind.lone and not is_plain and said.is_empty and not found.regions:
            return ReadElement(place_literal(found, kind.lone), role)
        if not kind.lone and lone and said.is_empty and found == Place(found.frames) and not is_any:
            return ReadElement(place_literal(found, f"role={role}"), role)
        plain = lone if isinstance(lone, PlainSelector) else make_nameless(kind, default_form)
        if is_any and said.is_empty and found.nth is None:
            found = replace(found, nth=1)
        if said.is_empty and found == Place(found.frames) and plain is not lone:
            raise UnreadableError  # "the post": any of them
        return self._finish(plain, said, found, role)

    def _read_named(
        self, said: Description, found: Place, span: Span, default_form: str, list_form: str
    ) -> ReadElement:
        if (thing := self._thing.fullmatch(span.mask)) and default_form == "control":
            span = span.cut_group(thing, "before" if thing["before"] else "behind")
        match = self.kinds.find_named(span, default_form, list_form)
        if match and said.quantity == "one" and (match.is_title or _is_qualified(match, default_form)):
            match = None
        form = choose_form(match.kind, default_form) if match else default_form
        span = match.name if match else span
        if form in BOX_FORMS and self._pledging.fullmatch(span.mask):
            if not self._pledge.fullmatch(span.mask):
                raise UnreadableError
            return self._finish(make_plain(form, span.text), said, found, role="")
        if self._is_vague(span, form, match):
            raise UnreadableError
        role = (choose_role(match.kind, default_form) or form) if match else ""
        if form == "record" and (ranking := self._descriptions.read_rank(span)):
            return self._finish(replace(make_plain(form, ""), ranking=ranking), said, found, role)
        is_lone = match is not None and span.words in self._vocabulary.fields.lone_names
        plain = make_plain(form, span.text if is_lone else self._names.read_name(span))
        return self._finish(plain, said, found, role, is_quoted=span.quoted is not None)

    def _finish(
        self, plain: PlainSelector, said: Description, found: Place, role: str, *, is_quoted: bool = False
    ) -> ReadElement:
        plain = describe(replace(plain, regions=found.regions, nth=found.nth or plain.nth), said)
        selector, is_ranked = render_selector(SelectorSpec("", plain, found.frames)), plain.ranking is not None
        return ReadElement(selector, role, is_quoted, names_several=plain.names_several, is_ranked=is_ranked)

    def _is_vague(self, span: Span, form: str, kind: FoundKind | None) -> bool:
        """Whether the words tell no element by its name: "result", "the next field", "the Pay frame" for a field."""
        words = span.words
        if form == "field" and span.quoted is None and self._no_field.search(words):
            return True
        if form == "field" and (words in self._vocabulary.relative or (not kind and self._place.search(words))):
            return True
        return not kind and words in self._vocabulary.vague and span.text[:1].islower()


def _read_selector(called: re.Pattern[str], span: Span) -> str | None:
    literal = span.literal
    if literal and literal.kind == "code":
        return literal.value
    match = called.fullmatch(span.mask)
    if match:
        rest = span.cut_group(match, "rest")
        return rest.quoted or rest.text
    return span.text if _ENGINE.match(span.mask) else None


def _is_qualified(found: FoundKind, default_form: str) -> bool:
    """Whether a field is named that only begins with the word for another kind of element: "rows per page"."""
    return default_form == "field" and found.is_qualifier and found.kind.role not in _FIELD_ROLES


def _take_quantity(
    descriptions: DescriptionReader, said: Description, found: Place, span: Span
) -> tuple[Description, Span]:
    quantity, inner = descriptions.take_quantity(span)
    quantity = found.quantity if quantity == "one" else quantity
    if said.exceptions and quantity != "every":
        raise UnreadableError
    return replace(said, quantity=quantity), inner


def _read_anchor(elements: ElementPhraseReader, names: NameReader, span: Span) -> PlainSelector | None:
    """Return what an element is beside; None where only a name was said."""
    if elements.kinds.find_bare(names.drop_article(span), "control", "field") is RECORD:
        return None  # "below Email": hardly any of the letters
    element = elements.read(span)
    core = parse_selector(element.selector)
    if not element.role and not element.is_literal:
        return None
    if isinstance(core.core, str) or core.frames or core.names_several:
        raise UnreadableError
    return core.core
