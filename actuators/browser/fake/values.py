"""Finding the values that people call by a name on the fake browser's documents, by the same rules as in a real page."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from actuators.browser.fake.contents import read_shown
from actuators.browser.fake.documents import FIELD_ROLES, TICK_ROLES, LiveElement
from core.base.matching import fold_space

SHORT = 100
_HOLDERS = FIELD_ROLES | {"status", "meter", "progressbar"}
_CELLS = frozenset({"cell", "gridcell"})
_HEADS = frozenset({"rowheader", "columnheader"})
_LABEL_TAGS = frozenset({"label", "td", "span", "strong", "b", "em", "i", "small", "div", "p", "dfn"})
_NO_LABELS = frozenset({"button", "columnheader", "rowheader", "term", "option", "tab", "menuitem"})
_MARKS = ("data-testid", "id", "name", "itemprop")

Elements = list[LiveElement]
# A label and the element that holds its value, with the part of that element's text that is the value, if not all is.
Labelled = tuple[str, LiveElement, str]
Test = Callable[[str], bool]


def find_values(name: str, elements: Elements) -> dict[LiveElement, str]:
    """Return the elements that hold the value of a name, and what of their texts that is; empty for all of it.

    Args:
        name: What people call the value.
        elements: Where to look, in the order of the page.
    """
    wanted = _key(name)
    word = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")

    def is_name(text: str) -> bool:
        return _key(text) == wanted

    stages = (
        _list_held(elements, is_name),
        _list_terms(elements, is_name),
        _list_by_row(elements, is_name),
        _list_by_column(elements, is_name),
        chain(_list_beside(elements, is_name), _list_written(elements, is_name)),
        _list_marked(elements, name),
        _list_held(elements, lambda text: word.search(_key(text)) is not None),
    )
    for stage in stages:
        if found := {element: part for _, element, part in stage if element.is_visible}:
            return found
    return {}


def list_valued(elements: Elements) -> Iterator[tuple[str, LiveElement]]:
    """Yield the labels on a page that have values, with these."""
    sources = (_list_held, _list_terms, _list_by_row, _list_by_column, _list_beside, _list_written)
    for label, element, _ in chain.from_iterable(source(elements, bool) for source in sources):
        if element.is_visible:
            yield label.strip(" :*"), element


def _key(text: str) -> str:
    folded = fold_space(text).lower()
    return folded.rstrip(" :*") or folded


def _is_short(element: LiveElement) -> bool:
    if element.role in _HOLDERS:
        return not element.declared.name
    text = read_shown(element)
    return len(text) <= SHORT and any(map(str.isalnum, text)) and not text.endswith(":")


def _holder_in(element: LiveElement) -> LiveElement | None:
    """Return the element itself, if it holds a text or is a field; else the only field in it."""
    if not element.is_visible or element.role == "button":
        return None
    inner = [each for each in element.descend() if each.is_visible]
    buttons = fold_space(" ".join(each.read_text() for each in inner if each.role == "button"))
    if element.role in _HOLDERS or (read_shown(element) and read_shown(element) != buttons):
        return element
    fields = [each for each in inner if each.role in _HOLDERS]
    return fields[0] if len(fields) == 1 else None


def _behind(element: LiveElement) -> Elements:
    siblings = element.parent.children if element.parent else [element]
    return siblings[siblings.index(element) + 1 :]


def _list_held(elements: Elements, fits: Test) -> Iterator[Labelled]:
    for each in elements:
        attributes = each.declared.attributes
        names = (each.declared.name, attributes.get("placeholder", ""), attributes.get("title", ""))
        if each.role in _HOLDERS:
            yield from ((name, each, "") for name in names if name and fits(name))


def _list_terms(elements: Elements, fits: Test) -> Iterator[Labelled]:
    for term in elements:
        if term.role != "term" or not fits(term.read_text()):
            continue
        behind = _behind(term)
        while behind and behind[0].role == "term":
            behind = behind[1:]
        for each in behind:
            if each.role != "definition":
                break
            if holder := _holder_in(each):
                yield term.read_text(), holder, ""


def _filled(cells: Iterable[LiveElement]) -> Iterator[LiveElement]:
    """Yield what the first cell with a text holds, those last that span several columns."""
    found = [(each.attribute("colspan") or "", holder) for each in cells if (holder := _holder_in(each))]
    yield from [holder for _, holder in sorted(found, key=lambda pair: pair[0] > "1")][:1]


def _list_by_row(elements: Elements, fits: Test) -> Iterator[Labelled]:
    for head in elements:
        behind = _behind(head)
        is_head = head.role == "rowheader" or (head.role == "columnheader" and any(c.role in _CELLS for c in behind))
        if not is_head or not head.is_visible or not fits(head.read_text()):
            continue
        end = next((at for at, each in enumerate(behind) if each.role in _HEADS), len(behind))
        yield from ((head.read_text(), holder, "") for holder in _filled(behind[:end]))


def _list_by_column(elements: Elements, fits: Test) -> Iterator[Labelled]:
    """Yield the cells below headings where there is only one row, of the table or of what one looks at of it."""
    tables = {id(table): table for each in elements if (table := _table_of(each))}
    for table in map(_rows_of, tables.values()):
        body = [row for row in table if any(cell.role in _CELLS for cell in row.children)]
        body = [row for row in body if any(each in elements for each in row.children) and not _has_row_head(row)]
        heads = [row for row in table if row.children and all(cell.role == "columnheader" for cell in row.children)]
        if len(body) != 1:
            continue
        for head, cell in ((h, c) for row in heads for h, c in zip(row.children, body[0].children, strict=False)):
            if fits(head.read_text()) and (holder := _holder_in(cell)):
                yield head.read_text(), holder, ""


def _table_of(element: LiveElement) -> LiveElement | None:
    return next((each for each in element.ancestors() if each.role == "table"), None)


def _rows_of(table: LiveElement) -> Elements:
    return [each for each in table.descend() if each.role == "row" and each.is_visible]


def _has_row_head(row: LiveElement) -> bool:
    return any(cell.role == "rowheader" for cell in row.children)


def _list_beside(elements: Elements, fits: Test) -> Iterator[Labelled]:
    """Yield what stands behind a label in the same line."""
    for label in elements:
        if label.tag not in _LABEL_TAGS or not label.is_visible or not fits(label.read_text()):
            continue
        if any(each.role in _NO_LABELS for each in (label, *label.ancestors())):
            continue
        if label.tag == "td":
            if label.parent and label is label.parent.children[0] and not any(c.role in _HEADS for c in _behind(label)):
                yield from ((label.read_text(), holder, "") for holder in _filled(_behind(label)))
        elif label.tag == "label" or label.text.rstrip().endswith(":") or _is_paired(label):
            yield from ((label.read_text(), each, "") for each in _next_value(_behind(label)))


def _is_paired(label: LiveElement) -> bool:
    kids = [each for each in (label.parent.children if label.parent else []) if each.is_visible]
    kids = [each for each in kids if each.read_text() and each.role != "button"]
    is_alike = len(kids) > 2 and kids[0].tag == kids[1].tag
    return label in kids and ((kids[0] is label and not is_alike) or (len(kids) % 2 == kids.index(label) % 2 == 0))


def _next_value(behind: Sequence[LiveElement]) -> Iterator[LiveElement]:
    for each in behind:
        if each.tag in {"label", "th", "dt"} or each.role in TICK_ROLES | {"button"}:
            return
        if holder := _holder_in(each):
            yield from [holder] if _is_short(holder) else []
            return


def _list_written(elements: Elements, fits: Test) -> Iterator[Labelled]:
    """Yield what stands behind a label in the same element: "Total: £24"."""
    for each in elements:
        label, colon, rest = each.text.partition(":")
        if not colon or not each.is_visible or not fits(label):
            continue
        if any(one.role in _NO_LABELS for one in (each, *each.ancestors())):
            continue
        if 0 < len(rest.strip()) <= SHORT:
            yield label, each, rest.strip()
        elif not rest.strip():
            yield from ((label, inner, "") for inner in _next_value(each.children))


def _list_marked(elements: Elements, name: str) -> Iterator[Labelled]:
    wanted = _flat(name)
    marked = [each for each in elements if wanted in map(_flat, _marks_of(each))]
    outer = {id(ancestor) for each in marked for ancestor in each.ancestors()}
    for each in marked:
        text = read_shown(each)
        is_label = each.tag in {"label", "dt", "th"} or each.role in TICK_ROLES | {"button"} or _key(text) == _key(name)
        if text and len(text) <= SHORT and not is_label and id(each) not in outer:
            led = re.match(rf"{re.escape(_key(name))}[\s:]+(.+)", text, re.IGNORECASE)
            yield name, each, led[1] if led else ""


def _marks_of(element: LiveElement) -> list[str]:
    return [*(element.attribute(mark) or "" for mark in _MARKS), *(element.attribute("class") or "").split()]


def _flat(text: str) -> str:
    return re.sub(r"[\s_-]+", "", _key(text))
