"""From how people name an element to a selector.

    the email field                         field "email"
    the second "Delete" button              button "Delete" nth 2
    the button labelled Save                button "Save"
    Save in the Billing section             control "Save" in "Billing"
    the Delete button in the row of Ada     button "Delete" in "Ada"
    the Card number field in the Pay frame  frame "Pay" >> field "Card number"
    the card "Tea"                          control "Tea"
    the button                              role=button
    `#save`, selector "#save", testid=save  #save, #save, testid=save

Names are written as the person wrote them. What describes an element rather than naming it is not read at all.
"""

import re
from dataclasses import dataclass, replace

from core.language.grammar import ElementKind, Vocabulary
from core.language.names import NameReader
from core.language.patterns import QUOTE, compile_pattern, match_any_of
from core.language.places import Place, PlaceReader, place_literal
from core.language.spans import Span, UnreadableError
from core.selectors import PlainSelector, SelectorKind, SelectorSpec, render_selector

_ENGINE = re.compile(
    r"(?:css|xpath|text|role|id|label|placeholder|alt|title|testid|data-testid|ref)=\S|[#.][A-Za-z_-][\w-]*$"
)
_JOINTS = frozenset({"and", "or", "&"})
_BOX_FORMS = ("checkbox", "radio")
_OTHER_FORMS: dict[str, SelectorKind] = {"control": "control", "field": "field", "text": "text"}


@dataclass(frozen=True, slots=True)
class ReadElement:
    """An element as it was said.

    Attributes:
        selector: The selector.
        role: Role of the kind that was said; empty if none was.
        is_quoted: Whether its name was in quotes.
        is_literal: Whether a selector was given.
    """

    selector: str
    role: str = ""
    is_quoted: bool = False
    is_literal: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether a kind, a quoted name or a selector was said, so that hardly anything else can be meant."""
        return bool(self.role) or self.is_quoted or self.is_literal


class ElementReader:
    """Reads elements in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        """Prepare the patterns.

        Args:
            vocabulary: The language's words.
            names: Reads the names of elements.
        """
        self._vocabulary = vocabulary
        self._names = names
        self._places = PlaceReader(vocabulary, names)
        self.split_place = self._places.split_place
        self._kinds = {word: kind for kind in vocabulary.element_kinds for word in (*kind.words, *kind.plurals)}
        kinds = match_any_of(self._kinds)
        inside = f"(?:{match_any_of(vocabulary.inside)})\\s+"
        frame, container = match_any_of(vocabulary.frames), match_any_of(vocabulary.containers)
        ordinal, things = match_any_of(vocabulary.ordinals), match_any_of(vocabulary.things)
        self._row = compile_pattern(
            rf"(?P<kind>{match_any_of(vocabulary.rows)})\s+(?:{vocabulary.holding})\s+(?P<name>.+)"
        )
        self._thing = compile_pattern(rf"(?:{things})\s+(?P<behind>{QUOTE})|(?P<before>{QUOTE})\s+(?:{things})")
        self._ordinal = compile_pattern(
            rf"(?:(?P<word>{ordinal})|(?P<number>\d{{1,3}})(?:st|nd|rd|th|\.))\s+(?P<rest>.+)"
        )
        counted = [name for name in vocabulary.form_names if name.partition(" ")[0] in vocabulary.ordinals]
        self._ordinal_name = compile_pattern(rf"(?:{match_any_of(counted)})\b")
        self._nth = compile_pattern(r"(?P<rest>.+?)\s+(?:number|no\.?|nth)\s+(?P<number>\d{1,3})")
        self._selector = compile_pattern(rf"(?:{match_any_of(vocabulary.selector_words)})\s+(?P<rest>.+)")
        self._kind_last = compile_pattern(rf"(?P<name>.+?)\s+(?P<kind>{kinds})")
        self._kind_first = compile_pattern(
            rf"(?P<kind>{kinds})\s+(?:(?P<place>{inside}(?:{vocabulary.surroundings})\s+)?(?P<naming>(?:{vocabulary.naming})\s+))?"
            r"(?P<name>.+)"
        )
        self._place = compile_pattern(rf"\s(?:{frame}|{container})$")
        self._none = compile_pattern(rf"(?:{vocabulary.none})\s+(?:.+\s+)?(?:{kinds})")
        self._negation = re.compile(vocabulary.negation, re.IGNORECASE)
        self._no_field = re.compile(vocabulary.no_field, re.IGNORECASE)

    def read(self, span: Span, default_form: str = "control", list_form: str = "field") -> ReadElement:
        """Return the element that a span names.

        Args:
            span: The words.
            default_form: Plain form where no kind is said.
            list_form: Plain form of a list: ``field`` where one chooses from it, ``list`` where it only holds items.

        Raises:
            UnreadableError: If they name none, or describe one rather than naming it.
        """
        literal = self._read_selector(self._names.drop_article(span))
        if literal is not None:
            return ReadElement(literal, is_literal=True)
        found, inner = (Place(), span) if self._named_behind(span) else self._places.take_place_off(span)
        if self._none.fullmatch(inner.mask) and not inner.text[0].isupper():
            raise UnreadableError  # "no button", which isn't one named No
        inner = self._names.drop_article(inner)
        found, inner = self._read_ordinal(found, inner)
        if (selector := self._read_selector(inner)) is not None:
            return ReadElement(place_literal(found, selector), is_literal=True)
        return self._read_named(found, inner, default_form, list_form)

    def read_part(self, span: Span) -> str:
        """Return the name of a part of the page that is said without a kind: ``the basket``.

        Raises:
            UnreadableError: If the words name none, or rather something outside a page.
        """
        inner = self._names.drop_article(span)
        words = inner.words
        if (
            words.count(" ") > 2
            or self._negation.search(words)
            or self._names.is_elsewhere(inner)
            or self._kinds.get(words)
        ):
            raise UnreadableError
        return self._places.read_region_name(inner, "region")

    def is_form_name(self, span: Span, *, with_capitals: bool) -> bool:
        """Whether words are the name of a field, even without saying so: "the quantity"; or perhaps written as a name."""
        inner = self._names.drop_article(span)
        is_written = with_capitals and inner.text[:1].isupper() and not self._names.is_elsewhere(inner)
        return is_written or inner.words in self._vocabulary.form_names

    def _read_selector(self, span: Span) -> str | None:
        """Return a selector that was given literally."""
        literal = span.literal
        if literal and literal.kind == "code":
            return literal.value
        match = self._selector.fullmatch(span.mask)
        if match:
            rest = span.cut_group(match, "rest")
            return rest.quoted or rest.text
        return span.text if _ENGINE.match(span.mask) else None

    def _named_behind(self, span: Span) -> bool:
        """Whether a name behind a place belongs to the kind in front of it ("the button in the dialog labelled Yes")."""
        first = self._kind_first.fullmatch(self._names.drop_article(span).mask)
        return first is not None and first["place"] is not None

    def match_leading(self, span: Span) -> Span | None:
        """Return what stands behind a word such as "in" that begins a span, if one does."""
        leading = self._places.leading.match(span.mask)
        return span.cut(leading.end(), len(span.mask)) if leading else None

    def is_field_in_front(self, span: Span) -> bool:
        """Whether a span is a field in front of what is typed into it: ``in the email field, type …``."""
        rest = self.match_leading(span)
        if rest is None:
            return False
        try:
            element = self.read(rest, "field")
        except UnreadableError:
            return False
        return element.role in {"textbox", "combobox"}

    def _read_ordinal(self, found: Place, span: Span) -> tuple[Place, Span]:
        match = self._ordinal.fullmatch(span.mask) or self._nth.fullmatch(span.mask)
        # "the first name field" and "Second Street" are names.
        is_written = span.text[0].isupper() and not span.text.isupper()
        if not match or is_written or self._ordinal_name.match(span.mask):
            return found, span
        words = match.groupdict()
        nth = int(words["number"]) if words["number"] else self._vocabulary.ordinals[words["word"].lower()]
        if nth < 1:
            raise UnreadableError
        return replace(found, nth=nth), span.cut_group(match, "rest")

    def _read_named(self, found: Place, span: Span, default_form: str, list_form: str) -> ReadElement:
        kind = _choose_list(self._kinds.get(span.words), list_form)
        if kind:
            role = _choose_role(kind, default_form)
            if not role:
                raise UnreadableError
            return ReadElement(place_literal(found, f"role={role}"), role)
        if (thing := self._thing.fullmatch(span.mask)) and default_form == "control":
            span = span.cut_group(thing, "before" if thing["before"] else "behind")
        match = self._find_kind(span)
        if match:
            said = " ".join(match["kind"].lower().split())
            kind = _choose_list(self._kinds[said], list_form)
            span = self._names.drop_article(span.cut_group(match, "name"))
            if self._is_several(said, span):
                raise UnreadableError
        form = _choose_form(kind, default_form) if kind else default_form
        if self._is_vague(span, form, kind):
            raise UnreadableError
        plain = _make_plain(form, self._names.read_name(span), found)
        selector = render_selector(SelectorSpec("", plain, found.frames))
        role = (_choose_role(kind, default_form) or form) if kind else ""
        return ReadElement(selector, role, span.quoted is not None)

    def _is_vague(self, span: Span, form: str, kind: ElementKind | None) -> bool:
        """Whether the words tell no element by its name: "result", "the next field", "the Pay frame" for a field."""
        words = span.words
        if form == "field" and span.quoted is None and self._no_field.search(words):
            return True
        if form == "field" and (words in self._vocabulary.relative or (not kind and self._place.search(words))):
            return True
        return not kind and words in self._vocabulary.vague

    def _is_several(self, said: str, span: Span) -> bool:
        """Whether a kind and a name speak of several elements: "the first two Delete buttons", "the A and B boxes"."""
        if span.quoted is not None or not any(said in kind.plurals for kind in self._vocabulary.element_kinds):
            return False
        first, *rest = span.words.split() or [""]
        return first in self._vocabulary.numbers.small or first.isdigit() or not _JOINTS.isdisjoint(rest)

    def _is_held(self, first: re.Match[str]) -> bool:
        """Whether what seems a kind in front of a name is rather a key that is held: "control shift t"."""
        said = first["kind"].lower()
        return said in self._vocabulary.modifiers and not self._kinds[said].role and first["name"][0].islower()

    def _find_kind(self, span: Span) -> re.Match[str] | None:
        """Return the match of a kind behind or in front of a name ("Save button", "button labelled Save")."""
        row = self._row.fullmatch(span.mask)
        if row and " ".join(row["kind"].lower().split()) in self._kinds:
            return row
        first = self._kind_first.fullmatch(span.mask)
        if first and (first["naming"] or span.cut_group(first, "name").quoted is not None):
            return first
        last = self._kind_last.fullmatch(span.mask)
        if first and self._is_held(first):
            return last
        # "Tab #3" is a name that begins with a kind; "tab #3" is a kind and a name.
        return last or (first if first and not first["kind"][0].isupper() else None)


def _choose_list(kind: ElementKind | None, list_form: str) -> ElementKind | None:
    """Return the kind, where it is a list the one that is meant: of choices or of items."""
    return kind._replace(form="list", role="list") if kind and kind.role == "listbox" and list_form == "list" else kind


def _choose_form(kind: ElementKind, default_form: str) -> str:
    """Return the plain form of a kind; a box is whatever the phrase is about."""
    return kind.form or (default_form if default_form in _BOX_FORMS else "field")


def _choose_role(kind: ElementKind, default_form: str) -> str:
    return kind.role if kind.form or default_form not in _BOX_FORMS else default_form


def _make_plain(form: str, name: str, found: Place) -> PlainSelector:
    kind = _OTHER_FORMS.get(form, "role")
    return PlainSelector(kind, name, form if kind == "role" else "", found.regions, found.nth)
