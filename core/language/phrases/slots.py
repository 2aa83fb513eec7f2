"""Kinds of slots: what may stand in a slot, and what is read out of it.

A reader gets the span that the slot caught and returns the value of the param, or raises ``UnreadableError``. What a
person wrote comes out byte for byte; the exceptions are closed sets (number words, key names, states), the scheme that is
put in front of an address without one, and the quoting of names in selectors.
"""

from collections.abc import Callable, Container
from functools import cached_property
from typing import Literal as OneOf
from typing import NamedTuple

from core.language.grammars.grammar import Vocabulary
from core.language.sentences.literals import FILL, MARKS
from core.language.sentences.patterns import CODE, QUOTE, match_any_of
from core.language.sentences.spoken_numbers import NumberWords
from core.language.values.amounts import shape_duration

_ADDRESS = f"[{MARKS['url']}{MARKS['dotted']}{MARKS['quote']}{MARKS['code']}]{FILL}*"
_FILE = f"[{MARKS['path']}{MARKS['dotted']}{MARKS['quote']}{MARKS['code']}]{FILL}*"
_WORD = rf"(?:{QUOTE}|{CODE}|[^\s,]+)"

SHAPES: dict[str, str] = {
    "url": _ADDRESS,
    **dict.fromkeys(("path", "pdf_path"), _FILE),
    **dict.fromkeys(("quote", "quoted_name"), f"(?:{QUOTE}|{CODE})"),
    **dict.fromkeys(("lower_quote", "upper_quote"), QUOTE),
    **dict.fromkeys(("file_word", "any_case_glob", "word_entry", "deep_entry", "file_glob", "extension"), _WORD),
    **dict.fromkeys(("name_part", "name_start", "name_end"), _WORD),
    **dict.fromkeys(("pattern", "url_end", "word", "spoken_folder", "folder_glob", "file_kind", "nth", "glob"), r"\S+"),
    **dict.fromkeys(("figure_word", "result"), r"\S+"),
    "coded": rf"(?:{QUOTE}|{CODE}|\S*[\d{''.join(MARKS.values())}]\S*)",
    "count": r"\w+",
    "number": r"half an?|[\w.]+(?:-\w+)?",
    "lone": "it|this",
    "date": r"\S+(?:\s+\S+){0,4}?",
    "first_of_some": r"\[?[-+−]?\d[\d.]*",
    "mid_of_some": r"[-+−]?\d[\d.]*",
    "last_of_some": r"[-+−]?\d[\d.]*\]?",
    "gauge": r"[-+−]?\d[\d.,]*(?:\s?%)?",
    "rank": r"(?:very\s+)?\S+",
    "viewport": r"\d+\s*(?:x|×|by|\*)\s*\d+",
    "place": r"-?\d+(?:\.\d+)?\s*(?:,|and|\s)\s*-?\d+(?:\.\d+)?",
    "code": CODE,
    "offset": r"-?\d.*",
    "address": f"[{MARKS['url']}{MARKS['path']}{MARKS['dotted']}]{FILL}*",
    "clock": r"\d{1,2}(?::\d\d){1,2}(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?|noon|midnight",
    "colour": r"#?\w+(?:\s\w+)?",
    "digits": r"\d{1,4}",
    "plain_number": r"[-−+]?\d+(?:[.,]\d+)?",
    "look_words": r"[\w-]+(?:\s[\w-]+){0,2}",
    "grid_spot": r"[\w-]+(?:\s\w+){0,3}",
    "bound": rf"{QUOTE}|[^\s\w]?\d[\d.,]*\s?%?(?:\s[^\W\d]+)?|"
    r"[^\W\d]+(?:\s[^\W\d]+){0,4}?(?:\s[^\s\w]?\d[\d.,]*\d?\s?[^\s\w]?|\s[^\s\w]?\d)?",
    "timely": r"\S+(?:\s+\S+){0,10}?",
    "figures": r"[^\s\w]?\d[\d.,]*\s?[^\s\w]?\s*\S+\s*[^\s\w]?\d[\d.,]*(?:\s?[^\s\w])?",
}
"""The slots that can hold only certain characters of the mask; all others are open."""


def shape_percents(words: NumberWords) -> dict[str, str]:
    """Return what the slots for percents can hold, in the words of a language."""
    number = r"(?:\d[\d.]*|[^\W\d_]+(?:[\s-][^\W\d_]+){0,3}?)"
    sign = rf"(?:\s*%|\s+(?:{words.percent}))"
    amount = rf"(?!(?:{words.no_amount})\b){number}{sign}?(?:\s+value)?"
    share = rf"{number}\s+(?:{words.share})\s+{number}"
    percent = rf"(?:{share}|{amount})"
    return {"percent": percent, "points": amount, "said_percent": f"(?:{share}|{number}{sign})"}


def list_shapes(vocabulary: Vocabulary) -> dict[str, str]:
    """Return what the slots that aren't open can hold, as regular expressions over the mask."""
    choices = {kind: match_any_of(values) for kind, values in vocabulary.choices.items()}
    ways = {"way": match_any_of(vocabulary.choices.get("direction", ()))}
    seconds = {"seconds": shape_duration(vocabulary.durations, vocabulary.numbers)}
    return SHAPES | ways | shape_percents(vocabulary.numbers) | seconds | choices


class KnownKinds(Container[str]):
    """All kinds of slots; what reads them, which knows, is asked when a phrase with slots is first tried."""

    def __init__(self, list_kinds: Callable[[], frozenset[str]]) -> None:
        self._list_kinds = list_kinds

    @cached_property
    def _kinds(self) -> frozenset[str]:
        return self._list_kinds()

    def __contains__(self, kind: object) -> bool:
        return kind in self._kinds


class ElementSlot(NamedTuple):
    """A kind of slot that takes an element.

    Attributes:
        quoted_form: The same where the name is in quotes, if that is another.
        is_named: Whether names will do that are those of a field anyway ("the quantity"), where ``needs`` is ``clear``.
        list_form: Plain form of a list: of choices, where it is a field, or of items.
        is_part: Whether only a few words will do, without a kind, that name a part of the page: "the total".
        is_here: Whether names that rather mean something outside a page ("the volume") won't do.
        needs: What must be said: a ``kind``, ``quotes``, a value that tells it from others (``rank``), or a kind, quotes or a
            selector (``clear``); otherwise any name will do.
        roles: Roles that fit, where a kind is said; any where empty.
        is_written: Whether a name without quotes must be written as one: one word, or with a capital or a digit.
        is_dated: Whether names will do that are those of a field for a date ("the start date"), where ``needs`` is
            ``clear``, and any that mean nothing outside a page behind a step on one.
        is_opener: Whether what opens it is meant, where a part of the page was said: the button of a section.
        is_owned: Whether a value of a part of the page may be said: "the age of Claude".
        is_bare: Whether names will do only without an article in front: "automatic updates", not "the coffee machine".
        is_placeless: Whether names won't do that hold a word for a place: "Sugar in Extras".
        is_aimless: Whether names won't do that say what they are chosen for: "Express as shipping method"; "Save as PDF" is one.
        called: How the name must be called, without a kind: as fields often are (``label``), as a field for several values
            is (``many``), as a secret is (``secret``), as one for a date is (``date``); empty where that doesn't matter.
        is_timed: Whether it is given a date or time, so that names will do that rather mean something outside a page without.
    """

    form: str = "control"
    needs: OneOf["", "clear", "kind", "quotes", "rank"] = ""
    is_part: bool = False
    roles: frozenset[str] = frozenset()
    quoted_form: str = ""
    is_named: bool = False
    is_capital: bool = False
    is_here: bool = False
    list_form: str = "field"
    is_several: bool = False
    is_written: bool = False
    is_dated: bool = False
    is_opener: bool = False
    is_owned: bool = False
    is_timed: bool = False
    is_bare: bool = False
    is_placeless: bool = False
    is_aimless: bool = False
    called: OneOf["", "label", "many", "secret", "date"] = ""


_TEXT_ROLES = frozenset({"textbox", "combobox", "cell"})
_LIST_ROLES = frozenset({"textbox", "combobox", "listbox"})
_SET_ROLES = _TEXT_ROLES | {"listbox", "slider", "spinbutton"}
_BOX_ROLES = frozenset({"checkbox", "switch", "radio"})
ELEMENT_SLOTS: dict[str, ElementSlot] = {
    **dict.fromkeys(("element", "pressed"), ElementSlot()),
    **dict.fromkeys(("named", "named_pressed"), ElementSlot(needs="clear")),
    **dict.fromkeys(("page_element", "heading_name"), ElementSlot(is_here=True)),
    **dict.fromkeys(("figure_text", "price_text", "said_text"), ElementSlot("text")),
    **dict.fromkeys(("set_named", "form_field"), ElementSlot("field", "clear", roles=_TEXT_ROLES, is_named=True)),
    "elements": ElementSlot(is_several=True),
    "button": ElementSlot(needs="kind", roles=frozenset({"button", "link"})),
    "several_named": ElementSlot(needs="clear", is_several=True),
    "named_kind": ElementSlot(needs="kind"),
    "ranked": ElementSlot(needs="rank"),
    "quoted_text": ElementSlot("text", needs="quotes"),
    "shown_element": ElementSlot(quoted_form="text"),
    "shown_named": ElementSlot(needs="clear", quoted_form="text"),
    "field": ElementSlot("field", roles=_TEXT_ROLES),
    "set_field": ElementSlot("field", roles=_SET_ROLES, is_here=True, is_owned=True),
    "label_field": ElementSlot("field", roles=_SET_ROLES, is_here=True, called="label"),
    "many_field": ElementSlot("field", roles=_SET_ROLES, is_here=True, called="many"),
    "secret_field": ElementSlot("field", "clear", roles=_TEXT_ROLES, is_named=True, called="secret"),
    "day_field": ElementSlot("field", roles=_SET_ROLES, is_here=True, called="date"),
    "timed_field": ElementSlot("field", roles=_SET_ROLES, is_here=True, is_owned=True, is_timed=True),
    "page_field": ElementSlot("field", roles=_TEXT_ROLES, is_here=True),
    "fill_field": ElementSlot("field", needs="clear", roles=_TEXT_ROLES, is_named=True, is_capital=True),
    "date_field": ElementSlot("field", "clear", roles=_TEXT_ROLES, is_named=True, is_capital=True, is_dated=True),
    "switched": ElementSlot(is_here=True, is_written=True, roles=_BOX_ROLES | {"button", "menuitem", "option"}),
    "switched_plainly": ElementSlot(is_here=True, is_bare=True),
    "drop_place": ElementSlot(quoted_form="text", is_here=True),
    "written_element": ElementSlot(is_written=True),
    "more_choice": ElementSlot(is_here=True, is_several=True, is_written=True, is_placeless=True),
    "dropped_on": ElementSlot(list_form="list"),
    "ordered": ElementSlot("record", is_here=True, is_written=True),
    "movable": ElementSlot(is_here=True, is_written=True),
    "said_field": ElementSlot("field", needs="kind", roles=_TEXT_ROLES, is_named=True),
    "folded": ElementSlot(is_here=True, is_opener=True),
    "part_element": ElementSlot(is_part=True, is_owned=True),
    "scrolled": ElementSlot(needs="clear", list_form="list"),
    "named_field": ElementSlot("field", needs="clear", roles=_TEXT_ROLES),
    "input": ElementSlot("field", needs="kind", roles=frozenset({"textbox", "combobox"})),
    "named_list": ElementSlot("field", needs="kind", roles=frozenset({"combobox", "listbox"})),
    "list": ElementSlot("field", roles=_LIST_ROLES),
    "paragraph": ElementSlot(needs="kind", roles=frozenset({"paragraph"})),
    "uploader": ElementSlot("field", is_written=True),
    "box": ElementSlot("checkbox", roles=_BOX_ROLES, is_several=True),
    "page_box": ElementSlot("checkbox", roles=_BOX_ROLES, is_several=True, is_here=True, is_written=True),
    "named_box": ElementSlot("checkbox", needs="clear", roles=_BOX_ROLES, is_several=True),
    "tick_box": ElementSlot("checkbox", needs="kind", roles=_BOX_ROLES, is_several=True),
    "written_box": ElementSlot(
        "checkbox", needs="clear", roles=_BOX_ROLES, is_several=True, is_named=True, is_capital=True
    ),
    "choice": ElementSlot(is_here=True, is_several=True, is_written=True, is_aimless=True),
    "opened": ElementSlot(is_here=True, is_several=True, is_written=True, is_opener=True),
    "slider": ElementSlot("slider", needs="kind", roles=frozenset({"slider"})),
    "copied": ElementSlot("value"),
    "worded": ElementSlot("value", is_here=True),
    "radio": ElementSlot("radio", needs="kind", roles=frozenset({"radio"})),
    "opener": ElementSlot(
        needs="kind", is_opener=True, roles=frozenset({"link", "menu", "menuitem", "button", "combobox", "record"})
    ),
    "table": ElementSlot("table", needs="kind", roles=frozenset({"table"})),
    "readable": ElementSlot(
        needs="kind",
        is_here=True,
        roles=frozenset({"region", "cell", "row", "heading", "dialog", "alert", "form", "text"}),
    ),
}


TYPED_SLOTS = frozenset({"typed", "filling"})
"""The slots whose text is put into a page as it is."""

FREE_SLOTS = TYPED_SLOTS | {"jotted", "text", "query"}
"""The slots whose words may be anything: they are put somewhere, or looked for, as they are."""

WHOLE_SLOTS = TYPED_SLOTS | {"jotted", "text", "chosen", "chosen_as", "options"}
"""The slots beside which no word is mere talk, since it may belong to the text."""

FILE_SLOTS = frozenset({"plain_file", "one_file", "quoted_file"})
"""The slots behind which no word is mere talk, since it may say more of the file: "notes.txt here"."""

NAME_SLOTS = frozenset({"page_element", "written_box"})
"""The slots behind which words are talk only if they can't belong to the name: "Order again"."""

COMMA_SLOTS = frozenset([*ELEMENT_SLOTS, "window", "folder"])
"""The slots behind which a comma may stand."""
