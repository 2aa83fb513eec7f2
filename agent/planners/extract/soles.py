"""What is the only thing of its kind in a record, and so needs no label: a title, a sum of money, a link, a tick, a date."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Final

from agent.planners.extract.blocks import Block
from agent.planners.extract.labels import split_words
from agent.planners.extract.seen_lines import HEADING, TEXT, Snippet
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import FieldShape, RecordShape, ValueShape
from agent.planners.extract.values import convert_text

_ROLES: Final[Mapping[str, list[str]]] = tomllib.loads(
    (files("agent.planners.extract") / "roles.toml").read_text(encoding="utf-8")
)
_MONEY = re.compile(r"[$£€¥₹₽₩₺]\s*\d|\d\s*(?:[$£€¥₹₽₩₺]|(?:USD|EUR|GBP|CHF|JPY|zł|kr)\b)")
_TITLED = frozenset({HEADING, "listitem", "link", "row", "article", "treeitem", "option", "control", "button"})
_BOXES = frozenset({"checkbox", "switch"})


def find_soles(block: Block, page: SeenPage, field: FieldShape, shape: RecordShape) -> Sequence[Snippet]:
    """Return what a property can mean in a record; nothing where another property could mean the same.

    Args:
        block: The lines of the record.
    """
    finder = _choose_finder(field)
    if finder is None or sum(_choose_finder(each) is finder for each in shape.fields) > 1:
        return ()
    return finder(block, page, field)


def is_weak(field: FieldShape) -> bool:
    """Tell whether a property can be found in next to anything: every list of links has titles and addresses."""
    return _choose_finder(field) in {_find_title, _find_links, _find_prose}


def _choose_finder(field: FieldShape) -> "_Finder | None":
    if not isinstance(field.shape, ValueShape):
        return None
    return next((find for fits, find in _FINDERS if fits(field)), None)


def _find_title(block: Block, page: SeenPage, field: FieldShape) -> list[Snippet]:
    del page, field
    head = block[0]
    if head.kind in _BOXES and not head.said:
        return [Snippet(each.said, each) for each in block[1:] if each.said and f'in "{each.said}"' in head.selector]
    if head.kind in (_TITLED | _BOXES) and head.said:
        return [Snippet(head.cells[0], head)]
    first = next((each for each in block if each.level), None)
    return [Snippet(first.said, first)] if first else []


def _find_money(block: Block, page: SeenPage, field: FieldShape) -> list[Snippet]:
    del page, field
    return [each for each in _list_written(block) if len(_MONEY.findall(each.text)) == 1]


def _find_ticks(block: Block, page: SeenPage, field: FieldShape) -> list[Snippet]:
    del page, field
    ticks = [each for each in block if each.kind in _BOXES]
    is_on = [bool({"ticked", "on"} & set(each.facts.split(", "))) for each in ticks]
    return [Snippet("yes" if on else "no", each, each.said) for on, each in zip(is_on, ticks, strict=True)][
        : 2 if len(ticks) > 1 else 1
    ]


def _find_convertible(block: Block, page: SeenPage, field: FieldShape) -> list[Snippet]:
    return [each for each in _list_written(block) if _converts(each.text, field, page.language)]


def _find_links(block: Block, page: SeenPage, field: FieldShape) -> list[Snippet]:
    """Return where the head leads, or else the links within."""
    del field
    links = [each for each in block if each.number in page.addresses]
    found = [Snippet(page.addresses[each.number], each, each.said) for each in links]
    return found[:1] if found and found[0].line is block[0] else found


def _find_prose(block: Block, page: SeenPage, field: FieldShape) -> list[Snippet]:
    """Return the texts within the head that say one thing; what only follows it may be about something else."""
    del page, field
    inside = [each for each in block[1:] if each.depth > block[0].depth]
    return [Snippet(each.said, each) for each in inside if each.kind == TEXT and len(each.cells) == 1]


def _list_written(block: Block) -> Iterator[Snippet]:
    for line in block:
        yield from (Snippet(cell, line) for cell in line.cells if cell)
        if line.held:
            yield Snippet(line.held, line)


def _converts(text: str, field: FieldShape, language: str) -> bool:
    try:
        return isinstance(field.shape, ValueShape) and convert_text(text, field.shape, language) is not None
    except ValueError:
        return False


def has_role(field: FieldShape, role: str) -> bool:
    """Tell whether a property is called like what has a role: ``title``, ``money``, ``link``, ``tick`` or ``prose``."""
    words = split_words(field.name)
    return bool(words) and set(words) <= set(_ROLES[role])


def _is_plain(field: FieldShape) -> bool:
    shape = field.shape
    return isinstance(shape, ValueShape) and "string" in shape.kinds and not shape.format and not shape.choices


def _is_number(field: FieldShape) -> bool:
    shape = field.shape
    return isinstance(shape, ValueShape) and bool({"number", "integer"} & set(shape.kinds)) and not shape.choices


def _has_format(field: FieldShape, *formats: str) -> bool:
    return isinstance(field.shape, ValueShape) and field.shape.format in formats


_Finder = Callable[[Block, SeenPage, FieldShape], list[Snippet]]
_FINDERS: Final[tuple[tuple[Callable[[FieldShape], bool], _Finder], ...]] = (
    (lambda field: _has_format(field, "uri", "url"), _find_links),
    (lambda field: _has_format(field, "date", "date-time", "email"), _find_convertible),
    (lambda field: isinstance(field.shape, ValueShape) and bool(field.shape.choices), _find_convertible),
    (lambda field: _is_number(field) and has_role(field, "money"), _find_money),
    (
        lambda field: (
            isinstance(field.shape, ValueShape) and field.shape.kinds == ("boolean",) and has_role(field, "tick")
        ),
        _find_ticks,
    ),
    (lambda field: _is_plain(field) and has_role(field, "title"), _find_title),
    (lambda field: _is_plain(field) and has_role(field, "prose"), _find_prose),
)
