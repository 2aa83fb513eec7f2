"""Records on the fake browser's documents: one of several like parts beside each other."""

from collections.abc import Callable

from actuators.browser.fake.documents import ROW_ROLES, LiveElement
from core.base.matching import fold_space

Elements = list[LiveElement]

_NO_RECORDS = frozenset(
    {"cell", "gridcell", "columnheader", "rowheader", "heading", "paragraph", "term", "definition", "option"}
)
_ASIDES = frozenset({"navigation", "menu", "menubar", "tablist", "banner", "contentinfo"})


def find_records(name: str, elements: Elements) -> Elements:
    """Return the visible records with a text in them; all that the page is about, if no name is given.

    Args:
        name: The text.
        elements: Where to look, in the order of the page.
    """
    shown = [each for each in elements if each.is_visible]
    if not name:
        own = [each for each in shown if _is_record(each)]
        own = [each for each in own if not any(up.role in _ASIDES for up in each.ancestors())] or own
        return [each for each in own if not any(up in own for up in each.ancestors())]
    wanted = _key(name)
    tests: list[Callable[[str], bool]] = [lambda text: text == wanted, lambda text: wanted in text]
    for test in tests:
        holders = [each for each in shown if any(test(_key(text)) for text in _texts_on(each))]
        outer = {id(up) for each in holders for up in each.ancestors()}
        around = [find_record_around(each) for each in holders if id(each) not in outer]
        if found := [each for each in dict.fromkeys(around) if each is not None and each in shown]:
            return found
    return []


def list_records(elements: Elements) -> Elements:
    """Return all visible records, those inside of others too."""
    return [each for each in elements if each.is_visible and _is_record(each)]


def find_record_around(element: LiveElement) -> LiveElement | None:
    """Return the record that an element is in, or is; None if it is in none."""
    around = [element, *element.ancestors()]
    tests = (_is_entry, _is_record, _is_repeated)
    return next((each for test in tests for each in around if test(each)), None)


def _is_entry(element: LiveElement) -> bool:
    heads = [child.role == "columnheader" for child in element.children]
    return element.role in ROW_ROLES and not (heads and all(heads))


def _is_record(element: LiveElement) -> bool:
    has_entry = any(_is_entry(up) for up in element.ancestors())
    return _is_entry(element) or (not has_entry and len(element.children) > 1 and _is_repeated(element))


def _is_repeated(element: LiveElement) -> bool:
    siblings = element.parent.children if element.parent else []
    alike = [each for each in siblings if each.is_visible and (each.role, each.tag) == (element.role, element.tag)]
    return element.role not in _NO_RECORDS and element in alike and len(alike) > 1


def _texts_on(element: LiveElement) -> tuple[str, ...]:
    return (element.read_text(), element.name, element.value)


def _key(text: str) -> str:
    return fold_space(text).lower()
