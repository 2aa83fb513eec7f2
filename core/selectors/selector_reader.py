"""Taking plain selectors to pieces: a reader that goes through the text once. docs/guides/selectors.md describes all forms."""

import difflib
import re
from dataclasses import replace
from typing import cast

from core.base.errors import TargetError
from core.selectors.selector_parts import (
    ALIASES,
    LAST,
    LONE_WORDS,
    NAMELESS,
    OTHER_WORDS,
    PREFIXES,
    ROLE_WORDS,
    Order,
    Placement,
    PlainSelector,
    Quantity,
    Ranking,
    Region,
    Relation,
    SelectorKind,
    Spot,
)
from core.selectors.spots import SPOT_HINT, read_spot
from core.selectors.visual_descriptions import read_visual_description


def find_conflict(plain: PlainSelector) -> tuple[str, str] | None:
    """Return why a form says two things at once, and what to do; None where it doesn't."""
    is_near = any(each.relation == "near" for each in plain.placements)
    is_chosen = plain.names_several or plain.nth is not None or plain.ranking is not None
    if plain.names_several and plain.nth is not None:
        return "nth means one element, every and first mean several", "Leave one of them out."
    if plain.quantity == "every" and plain.ranking:
        return f"with {plain.ranking.order} means one element, and every all of them", "Leave one out."
    if is_near and is_chosen:
        return (
            "near means the one nearest element, and the rest says another one",
            "Use above, below, left of, right of, or a region.",
        )
    if plain.spot and is_chosen:
        return "at means one place, and the rest says another one", "Leave one of them out."
    if plain.kind == "ref" and _says_more(plain):
        return "a ref names one element already", "Write the ref alone."
    return None


def _says_more(plain: PlainSelector) -> bool:
    told = (plain.exceptions, plain.placements, plain.ranking, plain.texts, plain.likes, plain.spot)
    return plain.names_several or any(told)


_WORD = r"[A-Za-z][A-Za-z-]*(?: [A-Za-z-]+)?"
_ORDER = "lowest|highest|newest|oldest"
_RELATION = "near|above|below|left of|right of"
_PART = r"(?:\(|\s(?:[A-Za-z][\w -]*\s*)?[\"'])"
_MODIFIER = rf"\s+(?:(?:in|{_RELATION})\s*{_PART}|nth\s+(?:\d|last\b)|(?:except|at|like)\s*[\"']|with\s+(?:text|{_ORDER})\s*[\"'])"
_WORD_AND_QUOTE = re.compile(rf"({_WORD})\s*([\"'“”„«])")
_WORD_AND_MODIFIER = re.compile(rf"({_WORD})(?={_MODIFIER})")
_REMARK = r"\s+#(?:\s|$)"
_LONE_WORD = re.compile(rf"({_WORD})(?=\s*(?:\)|$)|{_REMARK})")
_PREFIX = re.compile(rf"({'|'.join(PREFIXES)})=")
_BARE_VALUE = re.compile(rf"(.*?)(?={_MODIFIER}|\s+nth\s+\S+\s*$|\s*$|{_REMARK})", re.DOTALL)
_BARE_VALUE_IN_PART = re.compile(rf"([^()]*?)(?={_MODIFIER}|\s*\))", re.DOTALL)
_QUANTITY = re.compile(r"(every)\s+|first\s+(\d\S*)\s+")
_IN = re.compile(r"\s+in(?:\s+|(?=\())")
_NTH = re.compile(r"\s+nth\s+([^\s)]+)")
_EXCEPT = re.compile(r"\s+except\s*(?=[\"'])")
_COMMA = re.compile(r"\s*,\s*(?=[\"'])")
_WITH = re.compile(rf"\s+with\s+({_ORDER})\s*(?=[\"'])")
_WITH_TEXT = re.compile(r"\s+with\s+text\s*(?=[\"'])")
_AT = re.compile(r"\s+at\s*(?=[\"'])")
_LIKE = re.compile(r"\s+like\s*(?=[\"'])")
_COMMENT = re.compile(_REMARK)
_PLACE = re.compile(rf"\s+({_RELATION})(?:\s+|(?=\())")
_CLOSE = re.compile(r"\s*\)")
_SPACE = re.compile(r"\s*")
_MOST = 10_000
_DEEPEST = 8

_MODIFIERS_HINT = (
    'After the name may come: in "a region", in (another selector), nth 2, nth last, except "A", with text "A", '
    'with lowest "Price", at "top left", near, above, below, left of or right of "Total". Inside a quoted name, write \\" for a quote.'
)


class SelectorReader:
    """Reads plain forms from a text; ``position`` is where it is, from 0."""

    def __init__(self, source: str, start: int = 0) -> None:
        self._source = source
        self.position = start
        self._depth = 0

    def read_plain(self) -> PlainSelector | None:
        """Read the plain form that begins here up to the end; None if a literal selector does.

        Raises:
            TargetError: With code ``bad_selector``, if it begins like a plain form and isn't one.
        """
        start = self.position
        quantity = self._read_quantity()
        form = self._read_form(is_several=quantity != "one")
        if form is None:
            if quantity == "one" and not self._depth:
                return None
            raise self.refuse(
                self.position, "a kind of element is expected here", 'For example: every checkbox in "Toppings".'
            )
        plain = self._read_modifiers(form, quantity)
        if conflict := find_conflict(plain):
            raise self.refuse(start, *conflict)
        return plain

    def read_quoted(self) -> str:
        """Read a quoted name."""
        start = self.position
        quote = self._source[start : start + 1]
        if quote not in {'"', "'"}:
            raise self.refuse(start, "a name in straight quotes is expected here", 'For example: button "Log in".')
        parts: list[str] = []
        at = start + 1
        while at < len(self._source) and self._source[at] != quote:
            if self._source[at] == "\\" and self._source[at + 1 : at + 2] in {"\\", '"', "'"}:
                at += 1
            parts.append(self._source[at])
            at += 1
        if at >= len(self._source):
            raise self.refuse(start, "this quote is never closed", f"Put {quote} at the end of the name.")
        name = "".join(parts)
        if not name.strip():
            raise self.refuse(start, "the name is empty", "Name the element by what people read on it.")
        self.position = at + 1
        return name

    def refuse(self, position: int, reason: str, hint: str) -> TargetError:
        """Return the error for a selector that can't be understood at a position, from 0."""
        return refuse_selector(self._source, position, reason, hint)

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._source, self.position)
        if match:
            self.position = match.end()
        return match

    def _read_quantity(self) -> Quantity:
        start = self.position
        match = self._match(_QUANTITY)
        if match is None:
            return "one"
        if match[1]:
            return "every"
        if match[2].isdecimal() and match[2].isascii() and 0 < int(match[2][:9]) <= _MOST:
            return int(match[2])
        raise self.refuse(
            start, f"first takes a whole number from 1, not {match[2]!r}", 'For example: first 3 link "Read".'
        )

    def _read_form(self, *, is_several: bool) -> PlainSelector | None:
        if match := self._match(_PREFIX):
            kind = cast("SelectorKind", match[1])
            value = self._read_value()
            if not value:
                raise self.refuse(self.position, f"{kind}= needs a value", "")
            return PlainSelector(kind, value)
        for pattern in (_WORD_AND_MODIFIER, _LONE_WORD):
            match = pattern.match(self._source, self.position)
            may_stand = pattern is _WORD_AND_MODIFIER or is_several or self._depth or (match and match[1] in LONE_WORDS)
            if match and may_stand and (nameless := _make_nameless(match)):
                self.position = match.end()
                return nameless
        match = _WORD_AND_QUOTE.match(self._source, self.position)
        if match is None:
            return None
        word = self._know_word(match[1])
        self.position = match.start(2)
        return self._read_named(word)

    def _read_named(self, word: str) -> PlainSelector:
        start = self.position
        form = _make_form(word, self.read_quoted())
        if form.kind == "look":
            self._check_look(form.name, start)
        return form

    def _check_look(self, words: str, start: int) -> None:
        try:
            read_visual_description(words)
        except TargetError as error:
            raise self.refuse(start, str(error).rstrip("."), error.hint) from None

    def _read_modifiers(self, form: PlainSelector, quantity: Quantity) -> PlainSelector:
        plain = replace(form, quantity=quantity)
        while not self._is_at_end() and (longer := self._read_modifier(plain)):
            plain = longer
        if not self._is_at_end():
            rest = self._source[self.position :].strip()
            raise self.refuse(
                self.position, f"{rest!r} is not understood" if rest else "it is not complete", _MODIFIERS_HINT
            )
        return plain

    def _is_at_end(self) -> bool:
        """Tell whether the form ends here: inside of brackets, at the closing one; else also where a comment begins."""
        rest = self._source[self.position :].strip()
        if self._depth:
            return rest.startswith(")")
        return not rest or _COMMENT.match(self._source, self.position) is not None

    def _read_modifier(self, plain: PlainSelector) -> PlainSelector | None:
        """Return a form with the modifier that comes next; None if none does."""
        if self._match(_IN):
            return replace(plain, regions=(*plain.regions, self._read_region()))
        if plain.nth is None and (match := self._match(_NTH)):
            return replace(plain, nth=self._read_number(match))
        if self._match(_EXCEPT):
            names = [self.read_quoted()]
            while self._match(_COMMA):
                names.append(self.read_quoted())
            return replace(plain, exceptions=(*plain.exceptions, *names))
        if self._match(_WITH_TEXT):
            return replace(plain, texts=(*plain.texts, self.read_quoted()))
        return self._read_whereabouts(plain)

    def _read_whereabouts(self, plain: PlainSelector) -> PlainSelector | None:
        if self._match(_LIKE):
            return replace(plain, likes=(*plain.likes, self.read_quoted()))
        if plain.ranking is None and (match := self._match(_WITH)):
            return replace(plain, ranking=Ranking(cast("Order", match[1]), self.read_quoted()))
        if plain.spot is None and self._match(_AT):
            return replace(plain, spot=self._read_spot())
        if match := self._match(_PLACE):
            return replace(plain, placements=(*plain.placements, self._read_placement(cast("Relation", match[1]))))
        return None

    def _read_region(self) -> Region:
        if self._source.startswith("(", self.position):
            return Region("", "", self._read_part())
        match = _WORD_AND_QUOTE.match(self._source, self.position)
        if match is None:
            return Region(self.read_quoted())
        word = self._know_word(match[1])
        if word in OTHER_WORDS and word != "record":
            raise self.refuse(
                self.position, f"{word} can't hold other elements", 'Write in "name", or in dialog "name".'
            )
        self.position = match.start(2)
        name = self.read_quoted()
        return Region("", "", PlainSelector("record", name)) if word == "record" else Region(name, word)

    def _read_placement(self, relation: Relation) -> Placement:
        if self._source.startswith("(", self.position):
            return Placement(relation, "", self._read_part())
        match = _WORD_AND_QUOTE.match(self._source, self.position)
        if match is None:
            return Placement(relation, self.read_quoted())
        word = self._know_word(match[1])
        self.position = match.start(2)
        return Placement(relation, "", self._read_named(word))

    def _read_spot(self) -> Spot:
        start = self.position
        words = self.read_quoted()
        spot = read_spot(words)
        if spot is None:
            raise self.refuse(start, f"{words!r} is not a place in a grid", SPOT_HINT)
        return spot

    def _read_part(self) -> PlainSelector:
        start = self.position
        self.position += 1
        self._match(_SPACE)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.refuse(start, "brackets are nested too deeply", "Name the parts by what is in them.")
        inner = self.position
        plain = self.read_plain()
        if plain is None:  # never: inside of brackets that is refused
            raise self.refuse(inner, "a plain selector is expected here", 'For example: in (record "Ada").')
        if plain.names_several:
            raise self.refuse(inner, "this must be one element", "Remove every or first inside the brackets.")
        self._match(_CLOSE)
        self._depth -= 1
        return plain

    def _read_number(self, match: re.Match[str]) -> int:
        if match[1] == "last":
            return LAST
        if match[1].isdecimal() and match[1].isascii() and int(match[1][:9]) > 0:
            return int(match[1])
        hint = "The first match is nth 1. The last one is nth last."
        raise self.refuse(match.start(1), f"nth takes a whole number from 1 or last, not {match[1]!r}", hint)

    def _read_value(self) -> str:
        """Read what follows ``label=`` and the like: quoted, or up to a modifier or the end."""
        if self._source[self.position : self.position + 1] in {'"', "'"}:
            return self.read_quoted()
        match = (_BARE_VALUE_IN_PART if self._depth else _BARE_VALUE).match(self._source, self.position)
        if match is None:
            return ""
        self.position = match.end(1)
        return match[1]

    def _know_word(self, word: str) -> str:
        folded = _fold_word(word)
        if folded in ROLE_WORDS or folded in OTHER_WORDS:
            return folded
        near = difflib.get_close_matches(folded, (*ROLE_WORDS, *OTHER_WORDS, *ALIASES, "frame"), 1, 0.6)
        hint = f"Did you mean {near[0]}?" if near else 'For anything with that name write control "…".'
        raise self.refuse(self.position, f"{word!r} is not a kind of element", hint)


def refuse_selector(source: str, position: int, reason: str, hint: str) -> TargetError:
    """Return the error for a selector that can't be understood at a position, from 0."""
    shown = source if len(source) <= 200 else source[:200] + "…"
    message = f"The selector {shown!r} can't be understood: at character {position + 1}, {reason}."
    return TargetError(message, code="bad_selector", hint=hint, evidence={"selector": source, "position": position + 1})


def _fold_word(word: str) -> str:
    folded = " ".join(word.lower().split())
    return ALIASES.get(folded, folded)


def _make_form(word: str, name: str) -> PlainSelector:
    if word in OTHER_WORDS:
        return PlainSelector(word, name)
    return PlainSelector("role", name, word)


def _make_nameless(match: re.Match[str]) -> PlainSelector | None:
    """Return the form of a word that needs no name where it stands; None for any other word."""
    folded = _fold_word(match[1])
    plain = _make_form(folded, "")
    needs_none = plain.kind in NAMELESS or (plain.kind == "control" and _LIKE.match(match.string, match.end()))
    return plain if needs_none and (folded in ROLE_WORDS or folded in OTHER_WORDS) else None
