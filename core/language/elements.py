"""From how people name an element to a selector.

    the email field                         field "email"
    the second "Delete" button              button "Delete" nth 2
    the button labelled Save                button "Save"
    Save in the Billing section             control "Save" in "Billing"
    the Card number field in the Pay frame  frame "Pay" >> field "Card number"
    the button                              role=button
    `#save`, selector "#save", testid=save  #save, #save, testid=save

Names are written as the person wrote them. What describes an element rather than naming it is not read at all.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.language.grammar import ElementKind, Vocabulary
from core.language.literals import FILL, MARKS
from core.language.spans import Span, UnreadableError
from core.selectors import PlainSelector, Region, SelectorKind, SelectorSpec, render_selector

QUOTE = f"{MARKS['quote']}{FILL}*"
CODE = f"{MARKS['code']}{FILL}*"
_ENGINE = re.compile(
    r"(?:css|xpath|text|role|id|label|placeholder|alt|title|testid|data-testid|ref)=\S|[#.][A-Za-z_-][\w-]*$"
)
_MOST_WORDS = 8
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


@dataclass(frozen=True, slots=True)
class _Found:
    """What was read so far, from the outside in."""

    frames: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()
    nth: int | None = None


class ElementReader:
    """Reads elements in the words of one language."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Prepare the patterns.

        Args:
            vocabulary: The language's words.
        """
        self._vocabulary = vocabulary
        self._kinds = {word: kind for kind in vocabulary.element_kinds for word in (*kind.words, *kind.plurals)}
        self._articles = set(vocabulary.articles)
        kinds = match_any_of(self._kinds)
        article = f"(?:(?:{match_any_of(vocabulary.articles)})\\s+)?"
        inside = f"(?:{match_any_of(vocabulary.inside)})\\s+"
        frame, container = match_any_of(vocabulary.frames), match_any_of(vocabulary.containers)
        ordinal = match_any_of(vocabulary.ordinals)
        self._surroundings = _compile(rf"(?P<rest>.+?)\s+{inside}(?:{vocabulary.surroundings})")
        self._frame = _compile(
            rf"(?P<rest>.+)\s+{inside}{article}(?:(?P<name>{QUOTE}|\S+(?:\s+\S+){{0,3}}?)\s+(?:{frame})"
            rf"|(?:{frame})\s+(?:(?:{vocabulary.naming})\s+)?(?P<named>{QUOTE}|\S+(?:\s+\S+){{0,3}}?))"
        )
        self._region = _compile(
            rf"(?P<rest>.+)\s+{inside}{article}(?:(?P<quoted>{QUOTE})(?:\s+(?:{container}))?"
            rf"|(?P<name>\S+(?:\s+\S+){{0,3}}?)\s+(?:{container})"
            rf"|(?:{container})\s+(?:(?:{vocabulary.naming})\s+)?(?P<named>{QUOTE}))"
        )
        self._ordinal = _compile(rf"(?:(?P<word>{ordinal})|(?P<number>\d{{1,3}})(?:st|nd|rd|th|\.))\s+(?P<rest>.+)")
        self._nth = _compile(r"(?P<rest>.+?)\s+(?:number|no\.?|nth)\s+(?P<number>\d{1,3})")
        self._selector = _compile(rf"(?:{match_any_of(vocabulary.selector_words)})\s+(?P<rest>.+)")
        self._kind_last = _compile(rf"(?P<name>.+?)\s+(?P<kind>{kinds})")
        self._kind_first = _compile(
            rf"(?P<kind>{kinds})\s+(?:(?P<place>{inside}(?:{vocabulary.surroundings})\s+)?(?P<naming>(?:{vocabulary.naming})\s+))?"
            r"(?P<name>.+)"
        )
        self._place = _compile(rf"\s(?:{frame}|{container})$")
        self._no_name = re.compile(vocabulary.no_name, re.IGNORECASE)

    def read(self, span: Span, default_form: str = "control") -> ReadElement:
        """Return the element that a span names.

        Args:
            span: The words.
            default_form: Plain form where no kind is said.

        Raises:
            UnreadableError: If they name none, or describe one rather than naming it.
        """
        literal = self._read_selector(self._drop_article(span))
        if literal is not None:
            return ReadElement(literal, is_literal=True)
        found, inner = self._read_place(_Found(), span) if not self._named_behind(span) else (_Found(), span)
        inner = self._drop_article(inner)
        found, inner = self._read_ordinal(found, inner)
        if (selector := self._read_selector(inner)) is not None:
            return ReadElement(_place_literal(found, selector), is_literal=True)
        return self._read_named(found, inner, default_form)

    def read_name(self, span: Span) -> str:
        """Return a name: the content of quotes, or words that can be one.

        Raises:
            UnreadableError: If the words describe something, or name nothing.
        """
        if span.quoted is not None:
            if not span.quoted.strip():
                raise UnreadableError
            return span.quoted
        words = span.words
        if (
            not words
            or span.has_quotes
            or (words in self._vocabulary.pronouns and span.text.islower())
            or words.count(" ") >= _MOST_WORDS
            or self._no_name.search(words)
        ):
            raise UnreadableError
        return span.text

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
        first = self._kind_first.fullmatch(self._drop_article(span).mask)
        return first is not None and first["place"] is not None

    def _read_place(self, found: _Found, span: Span) -> tuple[_Found, Span]:
        """Take off where the element is, from the outermost place inwards."""
        for pattern, note in (
            (self._surroundings, None),
            (self._frame, self._note_frame),
            (self._region, self._note_region),
        ):
            match = pattern.fullmatch(span.mask)
            if match:
                found = note(found, span, match) if note else found
                return self._read_place(found, span.cut_group(match, "rest"))
        return found, span

    def _note_frame(self, found: _Found, span: Span, match: re.Match[str]) -> _Found:
        name = self.read_name(span.cut_group(match, "name" if match["name"] else "named"))
        return replace(found, frames=(*found.frames, name))

    def _note_region(self, found: _Found, span: Span, match: re.Match[str]) -> _Found:
        group = next(group for group in ("quoted", "name", "named") if match[group])
        return replace(found, regions=(Region(self.read_name(span.cut_group(match, group))), *found.regions))

    def _read_ordinal(self, found: _Found, span: Span) -> tuple[_Found, Span]:
        match = self._ordinal.fullmatch(span.mask) or self._nth.fullmatch(span.mask)
        if not match:
            return found, span
        words = match.groupdict()
        nth = int(words["number"]) if words["number"] else self._vocabulary.ordinals[words["word"].lower()]
        if nth < 1:
            raise UnreadableError
        return replace(found, nth=nth), span.cut_group(match, "rest")

    def _read_named(self, found: _Found, span: Span, default_form: str) -> ReadElement:
        kind = self._kinds.get(span.words)
        if kind:
            role = _choose_role(kind, default_form)
            if not role:
                raise UnreadableError
            return ReadElement(_place_literal(found, f"role={role}"), role)
        match = self._find_kind(span)
        if match:
            kind = self._kinds[" ".join(match["kind"].lower().split())]
            span = self._drop_article(span.cut_group(match, "name"))
        form = _choose_form(kind, default_form) if kind else default_form
        if self._is_vague(span, form, kind):
            raise UnreadableError
        plain = _make_plain(form, self.read_name(span), found)
        selector = render_selector(SelectorSpec("", plain, found.frames))
        role = (_choose_role(kind, default_form) or form) if kind else ""
        return ReadElement(selector, role, span.quoted is not None)

    def _is_vague(self, span: Span, form: str, kind: ElementKind | None) -> bool:
        """Whether the words tell no element by its name: "result", "the next field", "the Pay frame" for a field."""
        words = span.words
        if form == "field" and (words in self._vocabulary.relative or (not kind and self._place.search(words))):
            return True
        return not kind and words in self._vocabulary.vague

    def _find_kind(self, span: Span) -> re.Match[str] | None:
        """Return the match of a kind behind or in front of a name ("Save button", "button labelled Save")."""
        first = self._kind_first.fullmatch(span.mask)
        if first and (first["naming"] or span.cut_group(first, "name").quoted is not None):
            return first
        last = self._kind_last.fullmatch(span.mask)
        # "Tab #3" is a name that begins with a kind; "tab #3" is a kind and a name.
        return last or (first if first and not first["kind"][0].isupper() else None)

    def _drop_article(self, span: Span) -> Span:
        """Drop an article, unless it is capitalised and so a part of the name."""
        first, _, rest = span.mask.partition(" ")
        is_article = first in self._articles or (first.isupper() and first.lower() in self._articles and len(first) > 1)
        return span.cut(len(first), span.end - span.start) if is_article and rest.strip() else span


def _place_literal(found: _Found, selector: str) -> str:
    """Return a literal selector with what was said about where it is."""
    if found.regions:
        raise UnreadableError
    core = selector if found.nth is None else f"{selector} >> nth={found.nth - 1}"
    return render_selector(SelectorSpec(core, core, found.frames))


def _choose_form(kind: ElementKind, default_form: str) -> str:
    """Return the plain form of a kind; a box is whatever the phrase is about."""
    return kind.form or (default_form if default_form in _BOX_FORMS else "field")


def _choose_role(kind: ElementKind, default_form: str) -> str:
    return kind.role if kind.form or default_form not in _BOX_FORMS else default_form


def _make_plain(form: str, name: str, found: _Found) -> PlainSelector:
    kind = _OTHER_FORMS.get(form, "role")
    return PlainSelector(kind, name, form if kind == "role" else "", found.regions, found.nth)


def match_any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)
