"""A record from the lines that it is written in: by its labels first, then by what is the only thing of its kind in it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import Final, Literal

from agent.planners.extract.found import FoundGroup, FoundRecord, Way
from agent.planners.extract.seen_pages import (
    HEADING,
    TEXT,
    TICKS,
    Block,
    SeenLine,
    SeenPage,
    Snippet,
    find_blocks,
    find_sections,
)
from agent.planners.extract.shapes import (
    SURE,
    FieldShape,
    RecordShape,
    ValueShape,
    assign_labels,
    score_label,
    split_words,
)
from agent.planners.extract.values import convert_text, split_list

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


_LEAST_SHARE = 0.5  # of the records that a property has to be found in


def read_blocks(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each group of like parts gives; runs that have the same are one group."""
    groups: list[FoundGroup] = []
    for runs in find_blocks(page.lines):
        alike: dict[frozenset[str], list[FoundRecord]] = {}
        for blocks in runs:
            records = [read_block(block, page, shape) for block in blocks]
            alike.setdefault(_list_fields(records, shape), []).extend(records)
        groups += [FoundGroup(tuple(records), fields) for fields, records in alike.items() if fields]
    return groups


def _list_fields(records: Sequence[FoundRecord], shape: RecordShape) -> frozenset[str]:
    counts = {each.name: sum(not record.lacks(each) for record in records) for each in shape.fields}
    return frozenset(name for name, count in counts.items() if count >= _LEAST_SHARE * len(records) and count)


def read_block(block: Block, page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return what the lines of a record say."""
    record = FoundRecord(lines=(block[0].number, block[-1].number + 1) if block else None)
    labelled = [*_list_pairs(block), *_list_stacked(block, shape)]
    for field, place in assign_labels(shape.fields, [label for label, _ in labelled]):
        _put(record, page, field, labelled[place][1], "label")
    _read_sections(record, block, page, shape)
    for field in shape.fields:
        if record.lacks(field) and (field.name,) not in record.refused:
            _read_sole(record, block, page, field, shape)
    return record


def _list_pairs(block: Block) -> Iterator[tuple[str, Snippet]]:
    for line in block:
        if line.pair:
            yield line.pair[0], line.quote(line.pair[1], line.said if line.kind in TICKS else "")


def _list_stacked(block: Block, shape: RecordShape) -> Iterator[tuple[str, Snippet]]:
    for line, below in pairwise(block):
        is_label = line.kind == TEXT and below.kind == TEXT and line.depth == below.depth and line.said.endswith(":")
        if is_label and any(score_label(each.names, line.said) >= SURE for each in shape.fields):
            yield line.said, below.quote(below.said)


def _read_sections(record: FoundRecord, block: Block, page: SeenPage, shape: RecordShape) -> None:
    sections = list(find_sections(block))
    wanted = [each for each in shape.fields if record.lacks(each)]
    for field, place in assign_labels(wanted, [heading.said for heading, _ in sections]):
        under = sections[place][1]
        texts = [each for each in under if each.kind == TEXT]
        if field.entries:
            _put_list(
                record, page, field, field.entries, [each.quote(each.said) for each in _take_run(under) if each.said]
            )
        elif field.value and len(texts) == 1:
            _put(record, page, field, texts[0].quote(texts[0].said), "heading")


def _take_run(lines: Block) -> Iterator[SeenLine]:
    """Return the lines from the first on that are like it: what stands behind them is no entry of the same list."""
    return takewhile(lambda each: (each.kind, each.depth) == (lines[0].kind, lines[0].depth), lines)


def _read_sole(record: FoundRecord, block: Block, page: SeenPage, field: FieldShape, shape: RecordShape) -> None:
    used = {found.selector for found in record.values.values() if found.way == "label"}
    found = [each for each in find_soles(block, page, field, shape) if each.selector not in used]
    if len({each.text for each in found}) == 1:
        _put(record, page, field, found[0], "heading" if found[0].is_heading else "sole")


def _put(record: FoundRecord, page: SeenPage, field: FieldShape, snippet: Snippet, way: Way) -> None:
    if field.entries:
        entries = [Snippet(each, snippet.line, snippet.selector) for each in split_list(snippet.text)]
        _put_list(record, page, field, field.entries, entries)
    elif field.value:
        record.try_put(page, (field.name,), field.value, snippet, way)


def _put_list(
    record: FoundRecord, page: SeenPage, field: FieldShape, shape: ValueShape, entries: Sequence[Snippet]
) -> None:
    for place, entry in enumerate(entries):
        record.try_put(page, (field.name, place), shape, entry, "list")
