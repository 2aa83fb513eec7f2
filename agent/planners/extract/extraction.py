"""Extraction: what was got so far of pages and records, read by rules, or by a model that is asked for what is left."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import jsonschema_rs

from agent.planners.extract.data import quote_pair, read_data, read_definitions, read_pairs
from agent.planners.extract.found import (
    FoundGroup,
    FoundRecord,
    FoundValue,
    Missing,
    Path,
    build_record,
    list_gaps,
    list_sources,
    tell_path,
)
from agent.planners.extract.left import AnswerCheck, choose_lines, list_leaves, make_schema, tell_leaves, write_lines
from agent.planners.extract.reading import PageReader
from agent.planners.extract.records import is_weak, read_block, read_blocks
from agent.planners.extract.seen_pages import CUT, TEXT, SeenLine, SeenPage, drop_furniture, find_end, find_sections
from agent.planners.extract.shapes import SURE, FieldShape, ListShape, RecordShape, ValueShape, score_label
from agent.planners.extract.tables import read_tables
from core.base.errors import InputError, ModelError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.matching import fold_space
from core.base.phrases import quote_text
from core.planning.planners.context import PlannerContext
from core.planning.planners.ports import ModelData, ModelQuestion
from core.results.provenance import Origin

_LEAST_COVERED = 0.5  # of what a record has to have
_REQUIRED, _OPTIONAL = 2.0, 1.0
_LABELLED = frozenset({"data", "table", "label"})


def find_records(page: SeenPage, shape: RecordShape) -> tuple[FoundRecord, ...]:
    """Return the records of a page: those of the table, list or data that has most of what is wanted."""
    readers = (read_data, read_tables, read_definitions, read_blocks)
    groups = [group for read in readers for group in read(page, shape)]
    fitting = [each for each in groups if _cover(each, shape) >= _LEAST_COVERED and _is_telling(each, shape)]
    best = max(fitting, key=lambda each: _weigh(each, shape), default=FoundGroup())
    return tuple(each for each in best.records if each.values)


def find_record(page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return the one record that a page is about, as far as it was found."""
    lines = drop_furniture(page.lines)
    # What a page is about stands in its heading, so what is before that comes last.
    top = next((place for place, each in enumerate(lines) if each.level), 0)
    record = read_block((*lines[top:], *lines[:top]), page, shape)
    record.lines = None
    read_pairs(record, page, shape)
    for group in (*read_data(page, shape), *read_tables(page, shape)):
        if len(group.records) == 1:
            record.take_over(group.records[0].values)
    for wanted in shape.fields:
        if record.lacks(wanted):
            record.values |= _find_inside(page, wanted)
    return record


def list_labels(
    page: SeenPage, shape: RecordShape, record: FoundRecord
) -> Iterable[tuple[FieldShape, ValueShape, SeenLine]]:
    """Yield what is missing of a record with a text of the page that is just what it is called, so that the page can be asked for its value."""
    texts = [each for each in drop_furniture(page.lines) if each.kind == TEXT and each.pair is None]
    for wanted in shape.fields:
        if wanted.value and record.lacks(wanted):
            found = [each for each in texts if score_label(wanted.names, each.said) >= SURE]
            if len(found) == 1:
                yield wanted, wanted.value, found[0]


def _find_inside(page: SeenPage, field: FieldShape) -> dict[Path, FoundValue]:
    """Return a record, or records, within a record: from the part under a heading that is called so, else from the whole page."""
    inner = field.shape.items if isinstance(field.shape, ListShape) else field.shape
    if not isinstance(inner, RecordShape):
        return {}
    part = _narrow(page, field)
    if isinstance(field.shape, ListShape):
        found = enumerate(find_records(part, inner))
        return {(field.name, place, *path): value for place, each in found for path, value in each.values.items()}
    if part is page:
        return {}  # nothing says which of the page's values belong to it
    return {(field.name, *path): value for path, value in find_record(part, inner).values.items()}


def _narrow(page: SeenPage, field: FieldShape) -> SeenPage:
    """Return the part of a page under the heading, or in the part, that is called like a property; the page itself where there is none."""
    parts: list[tuple[SeenLine, Sequence[SeenLine]]] = [*find_sections(page.lines), *_list_named(page.lines)]
    found = [lines for head, lines in parts if lines and score_label(field.names, head.said) >= SURE]
    if not found:
        return page
    tables = tuple(each for each in page.tables if each.line in found[0])
    return replace(page, lines=tuple(found[0]), tables=tables, data=())


def _list_named(lines: Sequence[SeenLine]) -> Iterable[tuple[SeenLine, Sequence[SeenLine]]]:
    """Yield each part that has a name, with the part itself at the head of what is in it."""
    for place, line in enumerate(lines):
        inside = lines[place : find_end(lines, place)]
        if line.said and not line.level and (len(inside) > 1 or line.kind == "table"):
            yield line, inside


def _cover(group: FoundGroup, shape: RecordShape) -> float:
    wanted = [each.name for each in shape.fields if each.is_required] or [each.name for each in shape.fields]
    return sum(each in group.fields for each in wanted) / len(wanted)


def _is_telling(group: FoundGroup, shape: RecordShape) -> bool:
    """Tell whether more says that these are the records than that each has a title or leads somewhere, if more is wanted."""
    found = [each for each in shape.fields if each.name in group.fields]
    ways = {value.way for record in group.records for value in record.values.values()}
    return not all(map(is_weak, found)) or not ways.isdisjoint(_LABELLED) or len(found) == len(shape.fields)


def _weigh(group: FoundGroup, shape: RecordShape) -> tuple[float, int]:
    weights = {each.name: _REQUIRED if each.is_required else _OPTIONAL for each in shape.fields}
    return sum(weights[name] for name in group.fields), sum(len(each.values) for each in group.records)


TEMPLATE = "extract.left"
_MOST_FAULTS = 20
_MOST_NEW = 500


@dataclass(slots=True)
class Extraction:
    """An extraction while it goes on.

    Attributes:
        seen: The page that was seen last; None before the first look.
    """

    reader: PageReader
    schema: Mapping[str, Any]
    shape: RecordShape | ListShape
    seen: SeenPage | None = None
    records: list[FoundRecord] = field(default_factory=list[FoundRecord])
    begun: int = 0
    origins: list[Origin] = field(default_factory=list[Origin])
    notes: list[str] = field(default_factory=list[str])

    @property
    def record_shape(self) -> RecordShape:
        """What one record is."""
        shape = self.shape.items if isinstance(self.shape, ListShape) else self.shape
        if not isinstance(shape, RecordShape):
            raise TypeError(shape)
        return shape

    @property
    def page(self) -> SeenPage:
        """The page that was seen last."""
        if self.seen is None:
            raise InputError("Nothing was looked at.")
        return self.seen

    @property
    def is_list(self) -> bool:
        """Whether several records are wanted."""
        return isinstance(self.shape, ListShape)

    @property
    def latest(self) -> list[FoundRecord]:
        """The records of the page that was seen last."""
        return self.records[self.begun :]

    @property
    def incomplete(self) -> list[FoundRecord]:
        """Those of them that lack something."""
        return [each for each in self.latest if list_gaps(each, self.record_shape)]

    async def look(self) -> bool:
        """Look at the page; tell whether it is another one than the last."""
        before, page = self.seen, await self.reader.look()
        self.seen, self.begun = page, len(self.records)
        if page.origin not in self.origins:
            self.origins.append(page.origin)
        if page.is_folded:
            self.notes.append(f"Not all of {page.origin} was read: some of it is hidden, or had no room.")
        return before is None or [each.text for each in page.lines] != [each.text for each in before.lines]

    async def read(self) -> int:
        """Read by rules what the page that was seen last has; return how many values that are."""
        if self.is_list:
            self._add(*find_records(self.page, self.record_shape))
        elif self.records:
            self.records[0].take_over(find_record(self.page, self.record_shape).values)
        else:
            self._add(await self._read_record())
        for record in self.latest:
            await self._complete(record)
        return _count_values(self.latest)

    def tell_wanted(self) -> str:
        """Return what a model could be asked for, a line each; empty where nothing is left."""
        return tell_leaves(list_leaves(self.record_shape)) if self.incomplete or not self.latest else ""

    async def ask(self, context: PlannerContext) -> int:
        """Ask a model for what is left of the page that was seen last, and return how many values it gave.

        What it can't do is told and leaves a gap.
        """
        records, leaves = self.latest, list_leaves(self.record_shape)
        lines = choose_lines(self.page, records, self.incomplete)[: int(context.settings["most_lines"])]
        shown = ModelData(label="lines", text=write_lines(lines, records), source=self.page.origin.place)
        question = ModelQuestion(
            kind="extract",
            instructions=context.render(TEMPLATE, wanted=str(context.values["wanted"])),
            schema=make_schema(leaves, len(records) or (_MOST_NEW if self.is_list else 1)),
            scope=context.scope,
            data=(shown,),
            max_tokens=int(context.settings["most_tokens"]),
            timeout_s=float(context.settings["timeout_s"]),
        )
        try:
            answer = await context.ask(question)
        except ModelError as error:
            self.notes.append(f"The model gave no answer: {error.message}")
            return 0
        before = _count_values(records)
        check = AnswerCheck(replace(self.page, lines=tuple(lines)), records, leaves)
        for each in check.take(answer.value.get("values", ())):
            context.note("outcome", f"Refused: {each}", is_tainted=True)
            self.notes.append(f"Refused of the model's answer: {each}")
        self.records[self.begun :] = records
        return _count_values(records) - before

    def build(self) -> Any:
        """Return what the schema wants, as far as it was found."""
        built = [build_record(each, self.record_shape) for each in self.records]
        return built if self.is_list else (built or [{}])[0]

    def list_gaps(self) -> list[Missing]:
        """Return what is missing."""
        records = self.records if self.is_list else self.records or [FoundRecord()]
        numbered = enumerate(records, 1)
        return [gap for n, each in numbered for gap in list_gaps(each, self.record_shape, n if self.is_list else 0)]

    def list_faults(self) -> list[str]:
        """Return what the schema has against the result, gaps apart."""
        errors = jsonschema_rs.validator_for(dict(self.schema)).iter_errors(self.build())
        others = (each for each in errors if each.kind.name != "required")
        told = (f"{tell_path(each.instance_path) or 'the result'}: {each.message}" for each in others)
        return [*islice(told, _MOST_FAULTS)]

    def list_sources(self) -> list[dict[str, Any]]:
        """Return for each record by path where each value came from."""
        return [list_sources(each) for each in self.records]

    def _add(self, *records: FoundRecord) -> None:
        """Add the records of the page that was seen last. Where it still shows those of the page before, they are taken once."""
        before = [build_record(each, self.record_shape) for each in self.records]
        now = [build_record(each, self.record_shape) for each in records]
        shared = next((n for n in range(min(len(before), len(now)), 0, -1) if before[-n:] == now[:n]), 0)
        self.records += records[shared:]

    async def _read_record(self) -> FoundRecord:
        record = find_record(self.page, self.record_shape)
        for each, shape, line in list_labels(self.page, self.record_shape, record):
            snippet = quote_pair(line.said, "")
            if written := await self.reader.read_text(snippet.selector, within=True):
                record.try_put(self.page, (each.name,), shape, replace(snippet, text=written, line=written), "label")
        return record

    async def _complete(self, record: FoundRecord) -> None:
        """Read in full what an outline has cut; what can't be is taken out, for it is not what the page says."""
        for path, found in list(record.values.items()):
            if not found.written.endswith(CUT):
                continue
            whole = await self.reader.read_text(found.selector) if found.selector else None
            beginning = found.written.removesuffix(CUT).strip()
            if whole and whole.strip().startswith(beginning) and isinstance(found.value, str):
                text = fold_space(whole)
                record.values[path] = replace(found, value=text, written=text, line=text)
            else:
                del record.values[path]
                record.refused[path] = f"{quote_text(found.written)} is only the beginning of what stands there"


def _count_values(records: list[FoundRecord]) -> int:
    return sum(len(each.values) for each in records)
