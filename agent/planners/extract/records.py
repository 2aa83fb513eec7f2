"""A record from the lines that it is written in: by its labels first, then by what is the only thing of its kind in it."""

import itertools
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from agent.planners.extract.blocks import Block, find_blocks, find_sections
from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path, ValueSource, Way
from agent.planners.extract.labels import SURE, assign_labels, score_label, split_words
from agent.planners.extract.seen_lines import HEADING, TEXT, TICKS, SeenLine
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, ValueShape
from agent.planners.extract.values import convert_text, split_list

_ROLES: Final[Mapping[str, list[str]]] = tomllib.loads(
    (files("agent.planners.extract") / "roles.toml").read_text(encoding="utf-8")
)
_MONEY = re.compile(r"[$£€¥₹₽₩₺]\s*\d|\d\s*(?:[$£€¥₹₽₩₺]|(?:USD|EUR|GBP|CHF|JPY|zł|kr)\b)")
_TITLED = frozenset({HEADING, "listitem", "link", "row", "article", "treeitem", "option", "control", "button"})
_BOXES = frozenset({"checkbox", "switch"})
_LEAST_SHARE = 0.5  # of the records that a property has to be found in


@dataclass(frozen=True, slots=True)
class _Snippet:
    """Something that is written in a record, and where.

    Attributes:
        text: What it says.
        line: Its line.
        shown: What of it stands in the line, where that is something else: a link's name, what is ticked.
    """

    text: str
    line: SeenLine
    shown: str = ""


@dataclass(frozen=True, slots=True)
class _Labelled:
    label: str
    written: _Snippet


def read_blocks(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each group of like parts gives."""
    groups: list[FoundGroup] = []
    for blocks in find_blocks(page.lines):
        records = [read_block(block, page, shape) for block in blocks]
        fields = frozenset(
            each.name
            for each in shape.fields
            if sum(record.holds((each.name,)) for record in records) >= _LEAST_SHARE * len(records)
        )
        if fields:
            groups.append(FoundGroup(records=tuple(records), fields=fields))
    return groups


def read_block(block: Block, page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return what the lines of a record say."""
    record = FoundRecord(lines=(block[0].number, block[-1].number + 1) if block else None)
    labelled = [*_list_pairs(block), *_list_stacked(block, shape)]
    for match in assign_labels([each.names for each in shape.fields], [each.label for each in labelled]):
        written = labelled[match.label].written
        _put(record, page, shape.fields[match.field], written, "label")
    _read_sections(record, block, page, shape)
    for field in shape.fields:
        if not record.holds((field.name,)) and (field.name,) not in record.refused:
            _read_sole(record, block, page, field, shape)
    return record


def _list_pairs(block: Block) -> Iterator[_Labelled]:
    for line in block:
        if line.pair:
            yield _Labelled(line.pair[0], _Snippet(line.pair[1], line, line.said if line.kind in TICKS else ""))


def _list_stacked(block: Block, shape: RecordShape) -> Iterator[_Labelled]:
    """Yield what stands below a line that is just what a property is called, colon and all."""
    for line, below in itertools.pairwise(block):
        is_label = line.kind == TEXT and below.kind == TEXT and line.depth == below.depth and line.said.endswith(":")
        if is_label and any(score_label(each.names, line.said) >= SURE for each in shape.fields):
            yield _Labelled(line.said, _Snippet(below.said, below))


def _read_sections(record: FoundRecord, block: Block, page: SeenPage, shape: RecordShape) -> None:
    """Read what stands under headings that are called like properties: a text, or a list."""
    sections = list(find_sections(block))
    wanted = [each for each in shape.fields if not record.holds((each.name,))]
    for match in assign_labels([each.names for each in wanted], [heading.said for heading, _ in sections]):
        field, under = wanted[match.field], sections[match.label][1]
        if isinstance(field.shape, ListShape) and isinstance(field.shape.items, ValueShape):
            _put_list(
                record, page, field, field.shape.items, [_Snippet(each.said, each) for each in under if each.said]
            )
        elif isinstance(field.shape, ValueShape) and len(texts := [each for each in under if each.kind == TEXT]) == 1:
            _put(record, page, field, _Snippet(texts[0].said, texts[0]), "heading")


def _read_sole(record: FoundRecord, block: Block, page: SeenPage, field: FieldShape, shape: RecordShape) -> None:
    """Read what is the only thing in a record that a property can mean."""
    if not isinstance(field.shape, ValueShape):
        return
    finder = next((find for fits, find in _FINDERS if fits(field)), None)
    if finder is None or sum(fits(each) for each in shape.fields for fits, find in _FINDERS if find is finder) > 1:
        return
    used = {found.source.selector or found.source.text for found in record.values.values() if found.way == "label"}
    found = [each for each in finder(block, page, field) if (each.line.selector or each.line.text) not in used]
    if len({each.text for each in found}) == 1:
        _put(record, page, field, found[0], "heading" if found[0].line.level else "sole")


def _find_title(block: Block, page: SeenPage, field: FieldShape) -> list[_Snippet]:
    del page, field
    head = block[0]
    if head.kind in _TITLED and head.said:
        return [_Snippet(head.cells[0], head)]
    first = next((each for each in block if each.level), None)
    return [_Snippet(first.said, first)] if first else []


def _find_money(block: Block, page: SeenPage, field: FieldShape) -> list[_Snippet]:
    del page, field
    return [each for each in _list_written(block) if len(_MONEY.findall(each.text)) == 1]


def _find_ticks(block: Block, page: SeenPage, field: FieldShape) -> list[_Snippet]:
    del page, field
    ticks = [each for each in block if each.kind in _BOXES]
    is_on = [bool({"ticked", "on"} & set(each.facts.split(", "))) for each in ticks]
    return [_Snippet("yes" if on else "no", each, each.said) for on, each in zip(is_on, ticks, strict=True)][
        : 2 if len(ticks) > 1 else 1
    ]


def _find_convertible(block: Block, page: SeenPage, field: FieldShape) -> list[_Snippet]:
    return [each for each in _list_written(block) if _converts(each.text, field, page.language)]


def _find_links(block: Block, page: SeenPage, field: FieldShape) -> list[_Snippet]:
    """Return where the head leads, or else the links within; a link whose name several have is none."""
    del field
    addresses = {each.text: {other.url for other in page.links if other.text == each.text} for each in page.links}
    links = [each for each in block if each.kind == "link" and len(addresses.get(each.said, ())) == 1]
    found = [_Snippet(next(iter(addresses[each.said])), each, each.said) for each in links]
    return found[:1] if found and found[0].line is block[0] else found


def _list_written(block: Block) -> Iterator[_Snippet]:
    for line in block:
        yield from (_Snippet(cell, line) for cell in line.cells if cell)
        if line.held:
            yield _Snippet(line.held, line)


def _converts(text: str, field: FieldShape, language: str) -> bool:
    try:
        return isinstance(field.shape, ValueShape) and convert_text(text, field.shape, language) is not None
    except ValueError:
        return False


def _has_role(field: FieldShape, role: str) -> bool:
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


_Finder = Callable[[Block, SeenPage, FieldShape], list[_Snippet]]
_FINDERS: Final[tuple[tuple[Callable[[FieldShape], bool], _Finder], ...]] = (
    (lambda field: _has_format(field, "uri", "url"), _find_links),
    (lambda field: _has_format(field, "date", "date-time", "email"), _find_convertible),
    (lambda field: isinstance(field.shape, ValueShape) and bool(field.shape.choices), _find_convertible),
    (lambda field: _is_number(field) and _has_role(field, "money"), _find_money),
    (
        lambda field: (
            isinstance(field.shape, ValueShape) and field.shape.kinds == ("boolean",) and _has_role(field, "tick")
        ),
        _find_ticks,
    ),
    (lambda field: _is_plain(field) and _has_role(field, "title"), _find_title),
)


def _put(record: FoundRecord, page: SeenPage, field: FieldShape, written: _Snippet, way: Way) -> None:
    """Put what is written into a record, or why it can't be."""
    shape = field.shape
    if isinstance(shape, ListShape) and isinstance(shape.items, ValueShape):
        _put_list(record, page, field, shape.items, [_Snippet(each, written.line) for each in split_list(written.text)])
    elif isinstance(shape, ValueShape):
        _put_value(record, page, (field.name,), (shape, written, way))


def _put_list(
    record: FoundRecord, page: SeenPage, field: FieldShape, shape: ValueShape, entries: Sequence[_Snippet]
) -> None:
    for place, entry in enumerate(entries):
        _put_value(record, page, (field.name, place), (shape, entry, "list"))


def _put_value(record: FoundRecord, page: SeenPage, path: Path, what: tuple[ValueShape, _Snippet, Way]) -> None:
    shape, written, way = what
    try:
        value: Any = convert_text(written.text, shape, page.language)
    except ValueError as error:
        record.refused[path] = f"“{written.text}”: {error}"
        return
    source = ValueSource(text=written.line.text, selector=written.line.selector, origin=page.origin)
    record.values[path] = FoundValue(value=value, written=written.shown or written.text, source=source, way=way)
