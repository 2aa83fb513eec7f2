"""Kinds of elements: which kind a person said, and the name beside it."""

import re

from core.base.late_dataclasses import dataclass
from core.language.grammars.grammar import ElementKind, Vocabulary
from core.language.sentences.patterns import QUOTE, compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.names import NameReader
from core.selectors.selectors import PlainSelector, SelectorKind

BOX_FORMS = ("checkbox", "radio")
OTHER_FORMS: dict[str, SelectorKind] = {
    "control": "control", "field": "field", "text": "text", "icon": "icon", "record": "record", "value": "value",
}  # fmt: skip
RECORD = ElementKind("record", "record", ())
"""What a page has several of beside each other, where the word for one says nothing about its role: a post."""
_OWNED_FORMS = frozenset({"button", "link", "checkbox", "radio", "switch", "icon", "slider", "control"})
_JOINTS = frozenset({"and", "or", "&"})
_NAMELESS_FORMS = frozenset({"field", "record"})
_NO_ROLES = frozenset({"icon", "text", "value"})
_ROLE_WORDS = {"img": "image"}


@dataclass(frozen=True, slots=True)
class FoundKind:
    """A kind of element with the name that was said beside it.

    Attributes:
        is_title: Whether all of it is rather written as one name that ends with the word for several: "More options".
        is_qualifier: Whether the kind only tells of what the name behind it is: "rows per page", "message body".
    """

    kind: ElementKind
    name: Span
    is_title: bool = False
    is_qualifier: bool = False


class KindFinder:
    """Finds kinds of elements in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        self._vocabulary = vocabulary
        self._names = names
        words = vocabulary.descriptions
        records = (*vocabulary.rows, *words.rows)
        self._plurals = {word for kind in vocabulary.element_kinds for word in kind.plurals}
        self.kinds = dict.fromkeys(records, RECORD) | {
            word: kind for kind in vocabulary.element_kinds for word in (*kind.words, *kind.plurals)
        }
        kinds = match_any_of(word for word, kind in self.kinds.items() if kind is not RECORD)
        inside = f"(?:{match_any_of(vocabulary.inside)})\\s+"
        landmarks = (
            rf"(?:{match_any_of(vocabulary.pointing) or '(?!)'})\s+(?:{match_any_of(vocabulary.landmarks) or '(?!)'})"
        )
        self._row = compile_pattern(rf"(?P<kind>{match_any_of(records)})\s+(?:{vocabulary.holding})\s+(?P<name>.+)")
        self._last = compile_pattern(rf"(?P<name>.+?)\s+(?P<kind>{kinds})")
        self._first = compile_pattern(
            rf"(?P<kind>{kinds})\s+(?:(?P<place>{inside}(?:{vocabulary.surroundings}|{landmarks})\s+)?(?P<naming>(?:{vocabulary.naming})\s+))?"
            r"(?P<name>.+)"
        )
        self._widget = compile_pattern(rf"(?P<kind>{QUOTE}|{kinds})\s+(?:{words.widgets})")
        of = match_any_of(word for word, kind in self.kinds.items() if kind.form in _OWNED_FORMS)
        article = rf"(?:(?:{match_any_of(vocabulary.articles)})\s+)?"
        self._owned = compile_pattern(
            rf"(?P<rest>(?:.+\s+)?(?:{of}))\s+(?:{vocabulary.fields.whose})\s+{article}"
            rf"(?P<owner>{QUOTE}|(?-i:[A-Z])\S*(?:\s+\S+){{0,3}})"
        )
        self._beginning = compile_pattern(rf"(?:{vocabulary.no_beginning})")
        self._none = compile_pattern(rf"(?:{vocabulary.none})\s+(?:.+\s+)?(?:{kinds})")

    def find_bare(self, span: Span, default_form: str, list_form: str) -> ElementKind | None:
        """Return the kind that is all that was said; None if more was, or something else."""
        kind = self._get(span.words, default_form)
        is_written = span.text[:1].isupper() and not self._vocabulary.is_kind_first
        if kind and (is_written or (kind is RECORD and span.text[:1].isupper())):
            return None  # "click Products", "click Options": what is called so
        if kind is None and (widget := self._widget.fullmatch(span.mask)):
            said = span.cut_group(widget, "kind")
            kind = self._get((said.quoted or said.words).lower(), default_form)
        return _choose_list(kind, list_form) if kind else None

    def find_named(self, span: Span, default_form: str, list_form: str) -> FoundKind | None:
        """Return the kind behind or in front of a name ("Save button", "button labelled Save"); None if none was said.

        Args:
            default_form: What is looked for where no kind is said; where that is a field, "email" is its name.
        """
        match = self._match(span, default_form)
        if match is None:
            return None
        said = " ".join(match["kind"].lower().split())
        name = self._names.drop_article(span.cut_group(match, "name"))
        if self._is_several(said, name):
            raise UnreadableError
        is_behind = match.start("kind") > match.start("name")
        is_title = is_behind and name.quoted is None and span.text[:1].isupper() and self._is_title(said, name)
        is_qualifier = (
            "naming" in match.re.groupindex and not is_behind and not match["naming"] and name.text[:1].islower()
        )
        return FoundKind(_choose_list(self.kinds[said], list_form), name, is_title, is_qualifier)

    def find_owner(self, span: Span) -> tuple[Span, Span] | None:
        """Return an element and the part of the page that it is said to be of: "the Move handle of Tea"; None without one."""
        match = self._owned.fullmatch(span.mask)
        return (span.cut_group(match, "rest"), span.cut_group(match, "owner")) if match else None

    def find_inner_place(self, span: Span) -> Span | None:
        """Return the place between a kind and its name ("the button in the dialog labelled Yes"); None if there is none."""
        inner = self._names.drop_article(span)
        first = self._first.fullmatch(inner.mask)
        return inner.cut_group(first, "place") if first and first["place"] else None

    def says_none(self, span: Span) -> bool:
        """Whether the words say that there is no such element ("no button"), rather than that it is named No."""
        return self._none.fullmatch(span.mask) is not None and not span.text[0].isupper()

    def _get(self, said: str, default_form: str) -> ElementKind | None:
        kind = self.kinds.get(said)
        return None if kind is RECORD and default_form == "field" else kind

    def _match(self, span: Span, default_form: str) -> re.Match[str] | None:
        row = self._row.fullmatch(span.mask)
        if row and self._get(" ".join(row["kind"].lower().split()), default_form):
            return row
        first = self._first.fullmatch(span.mask)
        if first and (first["naming"] or span.cut_group(first, "name").quoted is not None):
            return first
        last = self._last.fullmatch(span.mask)
        if first and self._is_held(first):
            return last
        if first and self._vocabulary.is_kind_first:
            return first
        # "Tab #3" is a name that begins with a kind; "tab #3" is a kind and a name.
        return last or (first if first and not first["kind"][0].isupper() else None)

    def _is_title(self, said: str, name: Span) -> bool:
        """Whether a kind belongs to the name in front of it: "More options", "Choose a picture", "By link"."""
        last = name.words.rpartition(" ")[2]
        return said in self._plurals or last in self._vocabulary.articles or self._beginning.fullmatch(last) is not None

    def _is_several(self, said: str, span: Span) -> bool:
        """Whether a kind and a name speak of several elements: "the first two Delete buttons", "the A and B boxes"."""
        if span.quoted is not None or said not in self._plurals:
            return False
        first, *rest = span.words.split() or [""]
        return first in self._vocabulary.numbers.small or first.isdigit() or not _JOINTS.isdisjoint(rest)

    def _is_held(self, first: re.Match[str]) -> bool:
        said = first["kind"].lower()
        return said in self._vocabulary.modifiers and not self.kinds[said].role and first["name"][0].islower()


def choose_form(kind: ElementKind, default_form: str) -> str:
    """Return the plain form of a kind; a box is whatever the phrase is about."""
    return kind.form or (default_form if default_form in BOX_FORMS else "field")


def choose_role(kind: ElementKind, default_form: str) -> str:
    """Return the role of a kind; that of a box is the one that the phrase is about."""
    return kind.role if kind.form or default_form not in BOX_FORMS else default_form


def make_plain(form: str, name: str) -> PlainSelector:
    """Return the plain selector of a form with a name."""
    kind = OTHER_FORMS.get(form, "role")
    return PlainSelector(kind, name, form if kind == "role" else "")


def make_nameless(kind: ElementKind, default_form: str) -> PlainSelector:
    """Return the plain selector of a kind, which something else says which one is meant."""
    form = choose_form(kind, default_form)
    role = choose_role(kind, default_form)
    if not role or form in _NO_ROLES:
        raise UnreadableError
    if form in _NAMELESS_FORMS and role not in {"textbox", "combobox", "listbox"}:
        return make_plain(form, "")
    return PlainSelector("role", "", _ROLE_WORDS.get(role, role))


def _choose_list(kind: ElementKind, list_form: str) -> ElementKind:
    """Return the kind, where it is a list the one that is meant: of choices or of items."""
    return kind._replace(form="list", role="list", lone="") if kind.role == "listbox" and list_form == "list" else kind
