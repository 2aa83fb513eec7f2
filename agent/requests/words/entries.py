"""The entries of a flow: goals, and the blocks that hold more of them (``group``, ``repeat``, ``include``)."""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from agent.requests.words.documents import TOO_LARGE, Document, DocumentPath, parse_document
from agent.requests.words.flow_files import join_name
from agent.requests.words.flow_parts import read_flow_part, read_limits, read_secrets
from agent.requests.words.flow_values import FlowValues
from agent.requests.words.goal_entries import WHEN_WORDS, read_alias, read_conditions, read_goal, read_waiting
from agent.requests.words.reading import EntryFrame, EntryReader, FlowReading, Waiting
from agent.requests.words.variables import read_row_file
from agent.requests.words.word_parts import MAX_GOALS, USUAL_ROUNDS, IncludePart, RepeatPart, read_word
from core.base.errors import FlowError, GoalError
from core.goals.references import Reference
from core.goals.step_terms import EACH, RowLoop
from core.rules.params import shorten, suggest

BLOCK_WORDS = ("group", "repeat", "include")
MAX_INCLUDED = 100
MAX_DEPTH = 10
_LONGEST_TITLE = 200


def read_entries(entries: Any, place: DocumentPath, frame: EntryFrame, reading: FlowReading) -> None:
    """Add the goals of a list of entries.

    Raises:
        FlowError: If anything is wrong with one; names file, line and column.
    """
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries) or not entries:
        raise frame.document.fail(place, f"{place[-1]} must be a list of goals, each a mapping.")
    listed: list[dict[str, Any]] = entries
    promised = {str(entry["id"]): index for index, entry in enumerate(listed) if "id" in entry}
    inside = replace(frame, promised=promised)
    for index, entry in enumerate(listed):
        try:
            _read_entry(entry, (*place, index), inside, reading)
        except FlowError as error:
            reading.note_fault(error)
            name = entry.get("id")
            if isinstance(name, str):  # what refers to it is not at fault
                inside.values.outputs.setdefault(name, reading.next_id)
                inside.ends.setdefault(name, reading.next_id)


def read_closing(entries: Sequence[Any], frame: EntryFrame, reading: FlowReading) -> None:
    """Add the goals that are done whatever happened, behind all others."""
    if entries:
        reading.waiting = Waiting()
        read_entries(entries, ("finally",), replace(frame, always=True), reading)


def _read_entry(entry: dict[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading) -> None:
    words = [word for word in BLOCK_WORDS if word in entry]
    if not words:
        read_goal(entry, place, frame, reading)
        return
    if len(words) > 1:
        text = f"an entry is one of {', '.join(BLOCK_WORDS)}; this one is {' and '.join(words)}."
        raise frame.document.fail((*place, words[1]), text, hint="Put one into the goals of the other.")
    _check_keys(entry, words[0], place, frame.document)
    alias = read_alias(entry, place, frame)
    reading.waiting = read_waiting(entry, place, frame, reading)
    before = len(reading.goals)
    own = read_conditions(entry, EntryReader(place, frame, reading), reading.waiting)
    inside = replace(frame, conditions=(*frame.conditions, *own))
    match words[0]:
        case "group":
            _read_group(entry, place, inside, reading)
        case "repeat":
            _read_repeat(entry, place, inside, reading, alias)
        case _:
            _read_include(entry, place, inside, reading, alias)
    if alias and len(reading.goals) > before:
        frame.ends[alias] = reading.goals[-1].goal_id


def _check_keys(entry: Mapping[str, Any], word: str, place: DocumentPath, document: Document) -> None:
    if "retry" in entry:
        text = f"{word} can't be tried again as a whole: some of its steps may have been done, and would be done twice."
        hint = "Put retry at the single steps in it that only look or open."
        raise document.fail((*place, "retry"), text, hint=hint, code="not_repeatable")
    known = ("id", "scope", *WHEN_WORDS, word, *(() if word == "include" else ("goals",)))
    for key in entry:
        if key not in known:
            text = f"unknown key {shorten(key)} beside {word}{suggest(key, known)}."
            raise document.fail((*place, key), text, hint=f"Known keys: {', '.join(known)}.")


def _read_group(entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading) -> None:
    title = entry["group"]
    if not isinstance(title, str) or not title.strip() or len(title) > _LONGEST_TITLE:
        text = f"a group needs a title of at most {_LONGEST_TITLE} characters, not {shorten(title)}."
        raise frame.document.fail((*place, "group"), text)
    read_entries(entry.get("goals"), (*place, "goals"), replace(frame, groups=(*frame.groups, title)), reading)


def _read_repeat(
    entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading, alias: str
) -> None:
    where = (*place, "repeat")
    part: RepeatPart = read_word(RepeatPart, entry["repeat"], where, frame.document)
    if (part.times is None) == (part.rows is None):
        raise frame.document.fail(where, "repeat needs one of times and rows.", hint="Such as {rows: orders.csv}.")
    if "as" in entry["repeat"] or part.name in frame.values.rows:
        frame.values.check_name(part.name, (*where, "as"))
    rows = _find_rows(part, where, frame, reading)
    if isinstance(rows, Reference):
        _read_body(entry, part, place, replace(frame, loop=_open_loop(part, rows, where, frame, reading)), reading)
        return
    if len(rows) > part.at_most:
        text = f"there are {len(rows):,} rounds, and this loop may have {part.at_most:,}."
        usual = f" Without at_most a loop has at most {USUAL_ROUNDS}." if part.at_most == USUAL_ROUNDS else ""
        raise frame.document.fail(where, text, hint=f"Write a larger at_most.{usual}", code=TOO_LARGE)
    _unroll(entry, place, frame, reading, _Rounds(part, rows, alias))


class _Rounds:
    """The rounds of a loop whose rows are known while its flow is read."""

    def __init__(self, part: RepeatPart, rows: Sequence[Any], alias: str) -> None:
        self.name = part.name
        self.collects = part.on_failure == "collect"
        self.rows = rows
        self.alias = alias


def _unroll(
    entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading, rounds: _Rounds
) -> None:
    """Add the body once for each row; names within round 2 are known outside as ``id.2``."""
    start = reading.waiting
    ends: tuple[str, ...] = ()
    for number, row in enumerate(rounds.rows, start=1):
        if rounds.collects and ends:
            reading.waiting = Waiting(start.scope, (*start.follows, *ends))
        values = frame.values.make_round(rounds.name, row)
        title = f"{rounds.name} {number} of {len(rounds.rows)}"
        inside = replace(frame, values=values, ends=dict(frame.ends), groups=(*frame.groups, title))
        before = len(reading.goals)
        read_entries(entry.get("goals"), (*place, "goals"), inside, reading)
        ends = tuple(each.goal_id for each in reading.goals[before:])
        frame.values.filled = values.filled
        _share_names(inside, frame, lambda name, number=number: f"{name}.{number}")
    if rounds.collects and ends:
        reading.waiting = Waiting(start.scope, (*start.follows, *ends))


def _share_names(inside: EntryFrame, outside: EntryFrame, rename: Callable[[str], str]) -> None:
    """Let what got a name inside be known outside by another."""
    for found, shared in ((inside.values.outputs, outside.values.outputs), (inside.ends, outside.ends)):
        fresh = {rename(name): goal_id for name, goal_id in found.items() if name not in shared}
        shared.update(fresh)


def _open_loop(
    part: RepeatPart, rows: Reference, where: DocumentPath, frame: EntryFrame, reading: FlowReading
) -> RowLoop:
    if frame.always:
        text = "a loop over rows that are read in the run can't stand in finally."
        hint = "Put it in front of it, or repeat over a file."
        raise frame.document.fail((*where, "rows"), text, hint=hint, code="loop_in_finally")
    around = frame.loop.chain if frame.loop else ()
    rounds = math.prod(each.at_most for each in (*around, part))
    if rounds > MAX_GOALS:
        text = (
            f"with the loops around it this loop may come to {rounds:,} rounds, and at most {MAX_GOALS:,} are allowed."
        )
        hint = f"Write smaller at_most; without it a loop may have {USUAL_ROUNDS} rounds."
        raise frame.document.fail(where, text, hint=hint, code=TOO_LARGE)
    return RowLoop(
        reading.next_id,
        rows,
        part.at_most,
        part.name,
        part.on_failure == "collect",
        frame.conditions,
        EACH * (len(around) + 1),
        frame.loop,
    )


def _read_body(
    entry: Mapping[str, Any], part: RepeatPart, place: DocumentPath, frame: EntryFrame, reading: FlowReading
) -> None:
    """Add the body of a loop once, with references to a row that nobody has read yet; its names aren't known outside."""
    if frame.loop is None:
        return
    start, before = reading.waiting, len(reading.goals)
    rows = frame.loop.rows
    values = frame.values.make_round(part.name, Reference(rows.goal_id, f"{rows.key}.{frame.loop.each}"))
    read_entries(entry.get("goals"), (*place, "goals"), replace(frame, values=values, ends=dict(frame.ends)), reading)
    frame.values.filled = values.filled
    if frame.loop.collects:
        made = tuple(each.goal_id for each in reading.goals[before:])
        reading.waiting = Waiting(start.scope, (*start.follows, *made))


def _find_rows(
    part: RepeatPart, where: DocumentPath, frame: EntryFrame, reading: FlowReading
) -> Sequence[Any] | Reference:
    """Return the rows of a loop, or a reference to what will give them."""
    if part.rows is None:
        return _Numbers(part.times or 0)
    place = (*where, "rows")
    found = frame.values.fill(part.rows, place)
    if isinstance(found, Reference):
        if part.types:
            raise frame.document.fail((*where, "types"), "types are for CSV files.", hint="Leave types out.")
        return found
    if not isinstance(found, str):
        raise frame.document.fail(place, f"rows must name a file, or refer to rows; not {shorten(found)}.")
    return _read_rows(found, part, place, frame, reading)


class _Numbers(Sequence[Mapping[str, int]]):
    """The rows of a loop that has none: their numbers."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return {"number": range(1, self._count + 1)[index]}


def _read_rows(
    written: str, part: RepeatPart, place: DocumentPath, frame: EntryFrame, reading: FlowReading
) -> Sequence[Any]:
    """Return the rows of a file."""
    with _point_at(place, frame.document):
        name = join_name(frame.trail[-1], written)
        return read_row_file(reading.files.show(name), reading.files.read(name), part.types)


def _read_include(
    entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading, alias: str
) -> None:
    """Add the goals of another flow; what got a name there is known here behind the name of the entry."""
    where = (*place, "include")
    given = entry["include"]
    data = {"flow": given} if isinstance(given, str) else given
    part: IncludePart = read_word(IncludePart, data, where, frame.document)
    document, name = _open_flow(part, where, frame, reading)
    flow = read_flow_part(document)
    values = FlowValues(document, filled=frame.values.filled)
    taken = frame.values.fill(part.vars, (*where, "vars"))

    def refuse(variable: str, text: str) -> FlowError:
        return frame.document.fail((*where, "vars", variable), text)

    reading.note_environment(flow.vars)
    values.take(flow.vars, taken, reading.files.environment, refuse)
    limits = read_limits(flow, values, document)
    if lacking := next((each for each in read_secrets(flow.secrets, document) if each not in reading.secrets), ""):
        text = f'"{part.flow}" uses the secret {lacking}, which this flow does not name.'
        raise frame.document.fail(where, text, hint=f"Add {lacking} to the secrets of this flow, if it may use it.")
    reading.policies.append(limits[0])
    reading.budget = reading.budget.narrow(limits[1])
    title = flow.name or part.flow
    inside = EntryFrame(
        document,
        values,
        groups=(*frame.groups, title),
        loop=frame.loop,
        conditions=frame.conditions,
        always=frame.always,
        trail=(*frame.trail, name),
    )
    read_entries(flow.goals, ("goals",), inside, reading)
    if flow.closing:
        text = f'"{part.flow}" has finally, which only a flow that is run by itself can have.'
        raise frame.document.fail(where, text, hint="Put these goals under finally of this flow.")
    frame.values.filled = values.filled
    if alias:
        _share_names(inside, frame, lambda each: f"{alias}.{each}")


def _open_flow(part: IncludePart, where: DocumentPath, frame: EntryFrame, reading: FlowReading) -> tuple[Document, str]:
    """Return the flow that is included, and the name of its file."""
    document = frame.document
    if len(frame.trail) > MAX_DEPTH or reading.included >= MAX_INCLUDED:
        limit = f"{MAX_DEPTH} deep" if len(frame.trail) > MAX_DEPTH else f"more than {MAX_INCLUDED} times in all"
        raise document.fail(where, f"flows are included {limit}, which is too much.", code=TOO_LARGE)
    reading.included += 1
    with _point_at(where, document):
        name = join_name(frame.trail[-1], part.flow)
        shown = reading.files.show(name)
        if name in frame.trail:
            raise document.fail(where, f'"{part.flow}" includes itself, directly or through another flow.')
        return parse_document(reading.files.read(name), shown), name


@contextmanager
def _point_at(place: DocumentPath, document: Document) -> Generator[None]:
    """Let what is wrong with another file be told at the place that names it."""
    try:
        yield
    except FlowError:
        raise
    except GoalError as error:
        code = error.code if error.code != GoalError.code else ""
        raise document.fail(place, error.message, hint=error.hint, code=code) from None
