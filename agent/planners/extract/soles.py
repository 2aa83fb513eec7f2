"""What is the only thing of its kind in a record, and so needs no label: a title, a sum of money, a link, a tick, a date."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Final, Literal

from agent.planners.extract.blocks import Block
from agent.planners.extract.labels import split_words
from agent.planners.extract.seen_pages import HEADING, TEXT, SeenPage, Snippet
from agent.planners.extract.shapes import FieldShape, RecordShape, ValueShape
from agent.planners.extract.values import convert_text

Role = Literal["title", "money", "link", "tick", "prose"]

_ROLES: Final[Mapping[str, list[str]]] = tomllib.loads(
    (files("agent.planners.extract") / "roles.toml").read_text(encoding="utf-8")
)
_MONEY = re.compile(r"[$£€¥₹₽₩₺]\s*\d|\d\s*(?:[$£€¥₹₽₩₺]|(?:USD|EUR|GBP|CHF|JPY|zł|kr)\b)")
_TITLED = frozenset({HEADING, "listitem", "link", "row", "article", "treeitem", "option", "control", "button"})
_BOXES = frozenset({"checkbox", "switch"})
_CONVERTIBLE = frozenset({"date", "date-time", "email"})


def find_soles(block: Block, page: SeenPage, field: FieldShape, shape: RecordShape) -> Sequence[Snippet]:
    """Return what a property can mean in the lines of a record; nothing where another property could mean the same."""
    role = _find_role(field)
    if role is None or field.value is None or sum(_find_role(each) == role for each in shape.fields) > 1:
        return ()
    match role:
        case "title":
            return _find_title(block)
        case "money":
            return [each for each in _list_written(block) if len(_MONEY.findall(each.text)) == 1]
        case "link":
            return _find_links(block, page)
        case "tick":
            ticks = [each for each in block if each.kind in _BOXES]
            return [each.quote("yes" if each.is_on else "no", each.said) for each in ticks][:2]
        case "prose":  # what only follows the head may be about something else
            inside = [each for each in block[1:] if each.depth > block[0].depth]
            return [each.quote(each.said) for each in inside if each.kind == TEXT and len(each.cells) == 1]
        case _:
            return [each for each in _list_written(block) if _converts(each.text, field.value, page.language)]


def is_weak(field: FieldShape) -> bool:
    """Tell whether a property can be found in next to anything: every list of links has titles and addresses."""
    return _find_role(field) in {"title", "link", "prose"}


def is_called(field: FieldShape, role: Role) -> bool:
    """Tell whether a property is called like what has a role."""
    words = split_words(field.name)
    return bool(words) and set(words) <= set(_ROLES[role])


def _find_role(field: FieldShape) -> Role | Literal["convertible"] | None:
    """Return what a property can be where no label says so."""
    shape = field.value
    if shape is None:
        return None
    if shape.is_address:
        return "link"
    if shape.choices or shape.format in _CONVERTIBLE:
        return "convertible"
    if not {"number", "integer"}.isdisjoint(shape.kinds) and is_called(field, "money"):
        return "money"
    if shape.kinds == ("boolean",) and is_called(field, "tick"):
        return "tick"
    named: tuple[Role, ...] = ("title", "prose") if "string" in shape.kinds and not shape.format else ()
    return next((each for each in named if is_called(field, each)), None)


def _find_title(block: Block) -> list[Snippet]:
    head = block[0]
    if head.kind in _BOXES and not head.said:
        return [each.quote(each.said) for each in block[1:] if each.said and f'in "{each.said}"' in head.selector]
    if head.kind in (_TITLED | _BOXES) and head.said:
        return [head.quote(head.cells[0])]
    return [each.quote(each.said) for each in block if each.level][:1]


def _find_links(block: Block, page: SeenPage) -> list[Snippet]:
    """Return where the head leads, or else the links within."""
    links = [each for each in block if each.number in page.addresses]
    found = [each.quote(page.addresses[each.number], each.said) for each in links]
    return found[:1] if links and links[0] is block[0] else found


def _list_written(block: Block) -> Iterator[Snippet]:
    for line in block:
        yield from (line.quote(text) for text in (*line.cells, line.held) if text)


def _converts(text: str, shape: ValueShape, language: str) -> bool:
    try:
        return convert_text(text, shape, language) is not None
    except ValueError:
        return False
