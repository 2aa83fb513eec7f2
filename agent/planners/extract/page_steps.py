"""The steps of an extraction: reading by rules, and asking a model for what is left."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.planners.extract.answers import AnswerCheck
from agent.planners.extract.finding import find_record, find_records, list_labels
from agent.planners.extract.found import FoundRecord, FoundValue, ValueSource, list_gaps
from agent.planners.extract.questions import (
    choose_lines,
    list_leaves,
    make_schema,
    tell_leaves,
    write_lines,
)
from agent.planners.extract.seen_lines import CUT
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import FieldShape, ValueShape
from agent.planners.extract.values import convert_text
from agent.planners.extract.work import Extraction
from core.base.errors import InputError, ModelError
from core.base.phrases import quote_text
from core.planning.planners.context import PlannerContext
from core.planning.planners.ports import ModelData, ModelQuestion

TEMPLATE = "extract.left"
_MOST_NEW = 500


async def read_page(context: PlannerContext, work: Extraction) -> Mapping[str, Any]:
    """Read by rules what the page that was seen last has; tell how much that was, and what a model could be asked for."""
    page = _require_page(work)
    if not context.values["is_new"]:
        return {"found": 0, "wanted": ""}
    if work.is_list:
        work.add(list(find_records(page, work.record_shape).records))
    elif work.records:
        _fill(work.records[0], find_record(page, work.record_shape))
    else:
        work.add([await _read_record(work, page)])
    await _complete(work, work.latest)
    is_wanted = context.model is not None and (not work.latest or bool(_list_incomplete(work)))
    return {
        "found": sum(len(each.values) for each in work.latest),
        "wanted": tell_leaves(list_leaves(work.record_shape)) if is_wanted else "",
    }


async def _read_record(work: Extraction, page: SeenPage) -> FoundRecord:
    record = find_record(page, work.record_shape)
    for field, line in list_labels(page, work.record_shape, record):
        written = await work.reader.read_value(line.said)
        if written and isinstance(field.shape, ValueShape):
            _put_asked(record, field, field.shape, (written, line.said, page))
    return record


def _put_asked(record: FoundRecord, field: FieldShape, shape: ValueShape, asked: tuple[str, str, SeenPage]) -> None:
    """Put in what the page itself has as the value of a label."""
    written, label, page = asked
    name = label.replace("\\", "\\\\").replace('"', '\\"')
    try:
        value = convert_text(written, shape, page.language)
    except ValueError as error:
        record.refused[field.name,] = f"{quote_text(written)}: {error}"
        return
    source = ValueSource(text=written, selector=f'value "{name}"', origin=page.origin)
    record.values[field.name,] = FoundValue(value=value, written=written, source=source, way="label")


def _fill(record: FoundRecord, more: FoundRecord) -> None:
    for path, value in more.values.items():
        if not record.holds(path[:1]):
            record.values[path] = value


async def _complete(work: Extraction, records: Sequence[FoundRecord]) -> None:
    """Read in full what an outline has cut; what can't be is taken out, for it is not what the page says."""
    for record in records:
        for path, found in list(record.values.items()):
            if not found.written.endswith(CUT):
                continue
            whole = await work.reader.read_text(found.source.selector) if found.source.selector else None
            if (
                whole
                and whole.strip().startswith(found.written.removesuffix(CUT).strip())
                and isinstance(found.value, str)
            ):
                text = " ".join(whole.split())
                record.values[path] = replace(found, value=text, written=text, source=replace(found.source, text=text))
            else:
                del record.values[path]
                record.refused[path] = f"{quote_text(found.written)} is only the beginning of what stands there"


def _list_incomplete(work: Extraction) -> list[FoundRecord]:
    return [each for each in work.latest if list_gaps(each, work.record_shape)]


async def ask_model(context: PlannerContext, work: Extraction) -> Mapping[str, Any]:
    """Ask for what is left of the page that was seen last; what a model can't do is told and leaves a gap."""
    page = _require_page(work)
    records, leaves = work.latest, list_leaves(work.record_shape)
    lines = choose_lines(page, records, _list_incomplete(work))[: int(context.settings["most_lines"])]
    most = len(records) or (_MOST_NEW if work.is_list else 1)
    question = ModelQuestion(
        kind="extract",
        instructions=context.render(TEMPLATE, wanted=str(context.values["wanted"])),
        schema=make_schema(leaves, most),
        scope=context.scope,
        data=(ModelData(label="lines", text=write_lines(lines, records), source=page.origin.place),),
        max_tokens=int(context.settings["most_tokens"]),
        timeout_s=float(context.settings["timeout_s"]),
    )
    try:
        answer = await context.ask(question)
    except ModelError as error:
        work.notes.append(f"The model gave no answer: {error.message}")
        return {"answered": 0}
    before = sum(len(each.values) for each in records)
    shown = replace(page, lines=tuple(lines))
    refused = AnswerCheck(shown, records, leaves).take(answer.value.get("values", ()))
    work.records[work.begun :] = records
    for each in refused:
        context.note("outcome", f"Refused: {each}", is_tainted=True)
    work.notes += [f"Refused of the model's answer: {each}" for each in refused]
    return {"answered": sum(len(each.values) for each in records) - before}


def _require_page(work: Extraction) -> SeenPage:
    if work.page is None:
        raise InputError("Nothing was looked at.")
    return work.page
