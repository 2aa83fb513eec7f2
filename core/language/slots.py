"""Kinds of slots: what may stand in a slot, and what is read out of it.

A reader gets the span that the slot caught and returns the value of the param, or raises ``UnreadableError``. What a
person wrote comes out byte for byte; the exceptions are closed sets (number words, key names, states), the scheme that is
put in front of an address without one, and the quoting of names in selectors.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from typing import Literal as OneOf

from core.errors import SurehandError
from core.keys import parse_keys
from core.language.amounts import AmountReader, read_offset, read_place, read_viewport
from core.language.elements import ElementReader
from core.language.grammar import Vocabulary
from core.language.literals import FILL, MARKS
from core.language.names import NameReader
from core.language.patterns import CODE, QUOTE, match_any_of
from core.language.spans import Span, UnreadableError
from core.language.texts import TextReader
from core.platforms import SearchPlatform
from core.selectors import PlainSelector, render_plain

Reader = Callable[[Span], Any]

_ADDRESS = f"[{MARKS['url']}{MARKS['dotted']}{MARKS['quote']}{MARKS['code']}]{FILL}*"
_FILE = f"[{MARKS['path']}{MARKS['dotted']}{MARKS['quote']}{MARKS['code']}]{FILL}*"

SHAPES: dict[str, str] = {
    "url": _ADDRESS,
    "path": _FILE,
    "pdf_path": _FILE,
    "pattern": r"\S+",
    "url_end": r"\S+",
    "quote": f"(?:{QUOTE}|{CODE})",
    "word": r"\S+",
    "count": r"\w+",
    "number": r"half an?|[\w.]+(?:-\w+)?",
    "viewport": r"\d+\s*(?:x|×|by|\*)\s*\d+",
    "place": r"-?\d+(?:\.\d+)?\s*(?:,|and|\s)\s*-?\d+(?:\.\d+)?",
    "code": CODE,
    "seconds": r"(?:\d[\d.]*|[a-z]+(?:[\s-][a-z]+)?)\s*[a-z]+",
    "offset": r"-?\d.*",
    "address": f"[{MARKS['url']}{MARKS['path']}{MARKS['dotted']}]{FILL}*",
    "glob": r"\S+",
}
"""The slots that can hold only certain characters of the mask; all others are open."""

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://|about:blank$")
_LOCAL = re.compile(
    r"(?:localhost|[\w.-]+\.(?:localhost|local|test)|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\])(?=[:/?#]|$)"
)
_HOST = re.compile(r"(?:\w[\w-]*\.)+[^\W\d_]\w+(?=[:/?#]|$)")
_FIELD = re.compile(rf"(?P<name>\S+(?:\s+\S+){{0,3}}?)\s+(?:from|as|in|:)\s+(?P<selector>{QUOTE}|{CODE})")
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")


class ElementSlot(NamedTuple):
    """A kind of slot that takes an element.

    Attributes:
        form: Plain form of the selector where no kind is said.
        quoted_form: The same where the name is in quotes, if that is another.
        is_named: Whether names will do that are those of a field anyway ("the quantity"), where ``needs`` is ``clear``.
        is_capital: Whether names that begin with a capital will do as well.
        list_form: Plain form of a list: of choices, where it is a field, or of items.
        is_here: Whether names that rather mean something outside a page ("the volume") won't do.
        needs: What must be said: a ``kind``, ``quotes``, or one of them or a selector (``clear``); otherwise any name will do.
        roles: Roles that fit, where a kind is said; any where empty.
    """

    form: str = "control"
    needs: OneOf["", "clear", "kind", "quotes"] = ""
    roles: frozenset[str] = frozenset()
    quoted_form: str = ""
    is_named: bool = False
    is_capital: bool = False
    is_here: bool = False
    list_form: str = "field"


_TEXT_ROLES = frozenset({"textbox", "combobox", "cell", "slider"})
_LIST_ROLES = frozenset({"textbox", "combobox", "listbox"})
_BOX_ROLES = frozenset({"checkbox", "switch", "radio"})
ELEMENT_SLOTS: dict[str, ElementSlot] = {
    "element": ElementSlot(),
    "named": ElementSlot(needs="clear"),
    "named_kind": ElementSlot(needs="kind"),
    "quoted_text": ElementSlot("text", needs="quotes"),
    "shown_element": ElementSlot(quoted_form="text"),
    "shown_named": ElementSlot(needs="clear", quoted_form="text"),
    "field": ElementSlot("field", roles=_TEXT_ROLES),
    "page_field": ElementSlot("field", roles=_TEXT_ROLES, is_here=True),
    "form_field": ElementSlot("field", needs="clear", roles=_TEXT_ROLES, is_named=True),
    "fill_field": ElementSlot("field", needs="clear", roles=_TEXT_ROLES, is_named=True, is_capital=True),
    "said_field": ElementSlot("field", needs="kind", roles=_TEXT_ROLES, is_named=True),
    "page_element": ElementSlot(is_here=True),
    "figure_text": ElementSlot("text"),
    "price_text": ElementSlot("text"),
    "said_text": ElementSlot("text"),
    "scrolled": ElementSlot(needs="clear", list_form="list"),
    "named_field": ElementSlot("field", needs="clear", roles=_TEXT_ROLES),
    "input": ElementSlot("field", needs="kind", roles=frozenset({"textbox", "combobox"})),
    "named_list": ElementSlot("field", needs="kind", roles=frozenset({"combobox", "listbox"})),
    "list": ElementSlot("field", roles=_LIST_ROLES),
    "uploader": ElementSlot("field"),
    "box": ElementSlot("checkbox", roles=_BOX_ROLES),
    "named_box": ElementSlot("checkbox", needs="clear", roles=_BOX_ROLES),
    "tick_box": ElementSlot("checkbox", needs="kind", roles=_BOX_ROLES),
    "radio": ElementSlot("radio", needs="kind", roles=frozenset({"radio"})),
    "opener": ElementSlot(needs="kind", roles=frozenset({"link", "menu", "menuitem", "button", "combobox"})),
    "table": ElementSlot("table", needs="kind", roles=frozenset({"table"})),
    "readable": ElementSlot(
        needs="kind",
        is_here=True,
        roles=frozenset({"region", "cell", "row", "heading", "dialog", "alert", "form", "text"}),
    ),
}


TYPED_SLOTS = frozenset({"typed", "filling"})
"""The slots whose text is put into a page as it is."""


class SlotReaders:
    """The readers of one language, by kind of slot."""

    def __init__(self, vocabulary: Vocabulary, platforms: Mapping[str, SearchPlatform]) -> None:
        """Make the readers.

        Args:
            vocabulary: The language's words.
            platforms: Search platforms by name.
        """
        self._vocabulary = vocabulary
        self._platforms = platforms
        self._request = re.compile(rf"\W*(?:{vocabulary.request})", re.IGNORECASE)
        self.names = NameReader(vocabulary)
        self.elements = ElementReader(vocabulary, self.names)
        texts = TextReader(vocabulary, self.names)
        self._shown_texts: dict[str, Callable[[Span], str]] = {
            "figure_text": texts.read_figure,
            "price_text": texts.read_price,
            "said_text": texts.read_shown,
        }
        self._readers = (
            self._list_own_readers() | _list_text_readers(texts) | _list_amount_readers(AmountReader(vocabulary))
        )

    def _list_own_readers(self) -> dict[str, Reader]:
        return {
            "url": self._read_url,
            "pattern": read_any,
            "path": read_any,
            "pdf_path": _read_pdf_path,
            "quote": read_any,
            "code": read_any,
            "word": read_any,
            "name": self.names.read_name,
            "part": self.elements.read_part,
            "key": self._read_key,
            "modifiers": self._read_modifiers,
            "platform": self._read_platform,
            "site": self._read_site,
            "tab": self._read_tab,
            "tab_place": self._read_tab_place,
            "fields": self._read_fields,
            "address": read_any,
            "glob": read_any,
            "device": self._read_device,
            "options": self._read_options,
            "paths": self._read_paths,
            "url_end": lambda span: f"*{read_any(span)}",
        }

    @property
    def shapes(self) -> dict[str, str]:
        """What the slots that aren't open can hold, as regular expressions over the mask."""
        choices = self._vocabulary.choices.items()
        return SHAPES | {kind: match_any_of(values) for kind, values in choices}

    def is_request(self, mask: str) -> bool:
        """Whether a sentence asks for something to be done, so that a question mark at its end is its own."""
        return self._request.match(mask) is not None

    @property
    def kinds(self) -> frozenset[str]:
        """All kinds of slot."""
        return frozenset(self._readers) | frozenset(self._vocabulary.choices) | frozenset(ELEMENT_SLOTS)

    def read(self, kind: str, span: Span) -> Any:
        """Read a slot.

        Raises:
            UnreadableError: If what stands there doesn't fit the kind.
        """
        if kind in self._shown_texts:
            return render_plain(PlainSelector("text", self._shown_texts[kind](span)))
        if kind in ELEMENT_SLOTS:
            return self._read_element(span, ELEMENT_SLOTS[kind])
        choices = self._vocabulary.choices.get(kind)
        if choices is None:
            return self._readers[kind](span)
        if span.words not in choices:
            raise UnreadableError
        return choices[span.words]

    def _read_element(self, span: Span, slot: ElementSlot) -> str:
        """Return a selector, if the words say enough and the kind that they say fits."""
        element = self.elements.read(span, slot.form, slot.list_form)
        if slot.quoted_form and element.is_quoted and not element.role:
            element = self.elements.read(span, slot.quoted_form)
        if slot.is_here and not element.is_quoted and self.names.is_elsewhere(span, is_clear=element.is_clear):
            raise UnreadableError
        if slot.is_named and self.elements.is_form_name(span, with_capitals=slot.is_capital):
            return element.selector
        said = {"clear": element.is_clear, "kind": bool(element.role), "quotes": element.is_quoted, "": True}
        if not said[slot.needs] or (slot.roles and element.role not in slot.roles | {""}):
            raise UnreadableError
        return element.selector

    def _read_url(self, span: Span) -> str:
        """Return an absolute address: as written, or with ``https://`` (``http://`` for this machine and bare numbers)."""
        literal = span.literal
        value = literal.value if literal else ""
        if _SCHEME.match(value):
            return value
        if _LOCAL.match(value):
            return f"http://{value}"
        host = _HOST.match(value)
        is_file = host is not None and host.end() == len(value) and _ending(value) in self._vocabulary.file_endings
        if host is None or is_file:
            raise UnreadableError
        return f"https://{value}"

    def _read_key(self, span: Span) -> str:
        """Return the name of a key or combination; ``control shift t`` and ``ctrl+shift+t`` are the same."""
        *held, key = [part.strip() for part in (span.quoted or self._join_keys(span)).split("+")]
        modifiers = self._vocabulary.modifiers
        parts = [*(modifiers.get(part.lower(), part) for part in held), self._vocabulary.keys.get(key.lower(), key)]
        try:
            return parse_keys("+".join(parts))
        except SurehandError:
            raise UnreadableError from None

    def _join_keys(self, span: Span) -> str:
        """Return spoken keys joined by plus signs."""
        words = span.text.replace("+", " ").replace("-", " ").split()
        count = 0
        while count < len(words) - 1 and words[count].lower() in self._vocabulary.modifiers:
            count += 1
        key = " ".join(words[count:])
        if not words or (key.lower() not in self._vocabulary.keys and (len(key) > 1 or not key.isascii())):
            raise UnreadableError
        return "+".join([*words[:count], key])

    def _read_modifiers(self, span: Span) -> list[str]:
        """Return the names of keys that are held."""
        words = [word for word in re.split(r"[\s+-]+", span.words) if word not in {"and", ""}]
        if not words or any(word not in self._vocabulary.modifiers for word in words):
            raise UnreadableError
        return [self._vocabulary.modifiers[word] for word in words]

    def _read_platform(self, span: Span) -> str:
        """Return the name of a search platform."""
        name = (span.quoted or span.words).lower()
        if name not in self._platforms:
            raise UnreadableError
        return name

    def _read_site(self, span: Span) -> dict[str, str]:
        """Return a search platform and the address of its front page."""
        name = self._read_platform(span)
        return {"platform": name, "url": self._platforms[name].home_url}

    def _read_tab(self, span: Span) -> str | int:
        """Return a tab: its index from 0, a word such as ``last``, or a part of its title or address."""
        if span.quoted is not None:
            return self.names.read_name(span)
        words = span.words
        if words in self._vocabulary.choices["tab_word"]:
            return self._vocabulary.choices["tab_word"][words]
        digits = re.fullmatch(r"(?:#|number )?(\d{1,3})(?:st|nd|rd|th)?", words)
        number = (
            int(digits[1]) if digits else self._vocabulary.ordinals.get(words) or self._vocabulary.numbers.get(words)
        )
        if number is None:
            return self.names.read_name(span)
        if number < 1:
            raise UnreadableError
        return int(number) - 1

    def _read_tab_place(self, span: Span) -> str | int:
        """Return the first, the last or a numbered tab; nothing that depends on which one is shown, and no title."""
        tab = self._read_tab(span) if span.quoted is None else ""
        if isinstance(tab, int) or tab in {"first", "last"}:
            return tab
        raise UnreadableError

    def _read_options(self, span: Span) -> str | list[str]:
        """Return one option, or several in quotes."""
        parts = _split_list(span)
        if len(parts) > 1 and all(part.quoted is not None for part in parts):
            return [read_any(part) for part in parts]
        return self.names.read_name(span)

    def _read_paths(self, span: Span) -> str | list[str]:
        """Return a path, or several."""
        parts = [span] if span.literal else _split_list(span)
        if any(part.literal is None for part in parts):
            raise UnreadableError
        paths = [read_any(part) for part in parts]
        return paths[0] if len(paths) == 1 else paths

    def _read_device(self, span: Span) -> str:
        """Return the name of a device."""
        if span.quoted is None and span.words.partition(" ")[0] not in self._vocabulary.device_words:
            raise UnreadableError
        return read_any(span)

    def _read_fields(self, span: Span) -> dict[str, str]:
        """Return fields of records: ``name from `.name` and price from `.price```."""
        fields: dict[str, str] = {}
        position, mask = 0, span.mask
        while match := _FIELD.match(mask, position):
            fields[span.cut_group(match, "name").text] = str(read_any(span.cut_group(match, "selector")))
            comma = _COMMA.match(mask, match.end())
            if not comma:
                position = match.end()
                break
            position = comma.end()
        if not fields or position < len(mask):
            raise UnreadableError
        return fields


def _list_text_readers(texts: TextReader) -> dict[str, Reader]:
    return {
        "text": texts.read_text,
        "typed": texts.read_typed,
        "described": texts.read_described,
        "stated": texts.read_stated,
        "filling": texts.read_filling,
        "figure": texts.read_figure,
        "query": texts.read_query,
        "shown": texts.read_shown,
        "title_part": lambda span: f"*{texts.read_text(span)}*",
    }


def _list_amount_readers(amounts: AmountReader) -> dict[str, Reader]:
    return {
        "number": amounts.read_number,
        "count": amounts.read_count,
        "seconds": amounts.read_seconds,
        "index": amounts.read_index,
        "viewport": read_viewport,
        "place": read_place,
        "offset": read_offset,
    }


def read_any(span: Span) -> str:
    """Return quoted content, or the words as they are."""
    value = span.quoted if span.quoted is not None else span.text
    if not value or (span.quoted is None and span.has_quotes):
        raise UnreadableError
    return value


def _read_pdf_path(span: Span) -> str:
    path = read_any(span)
    if _ending(path) != "pdf":
        raise UnreadableError
    return path


def _split_list(span: Span) -> list[Span]:
    """Return the parts of a list with commas and "and"."""
    parts: list[Span] = []
    position = 0
    for comma in _COMMA.finditer(span.mask):
        parts.append(span.cut(position, comma.start()))
        position = comma.end()
    return [*parts, span.cut(position, len(span.mask))]


def _ending(value: str) -> str:
    return value.rpartition(".")[2].lower()
