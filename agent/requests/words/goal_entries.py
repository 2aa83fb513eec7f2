"""One goal of a flow: its verb with params, what it waits for, when it is needed, and what is expected afterwards."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.requests.words.documents import Document, DocumentPath
from agent.requests.words.reading import EntryFrame, EntryReader, FlowReading, Waiting
from agent.requests.words.word_parts import RetryPart, read_word
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.goals.step_terms import COMPARISONS, HOLDS, Comparison, StepCondition, StepTerms
from core.rules.params import shorten, suggest

WHEN_WORDS = ("when", "unless")
MAX_CONDITIONS = 20

_NUMBERS = ("above", "below")


def read_conditions(entry: Mapping[str, Any], read: EntryReader, waiting: Waiting) -> tuple[StepCondition, ...]:
    """Return the conditions of an entry; for those of a page, a goal is added that asks.

    Raises:
        FlowError: If one can't be understood.
    """
    found: list[StepCondition] = []
    for word in WHEN_WORDS:
        if word not in entry:
            continue
        given = entry[word]
        listed: Sequence[tuple[tuple[str | int, ...], Any]] = (
            [((word, number), each) for number, each in enumerate(given)]
            if isinstance(given, list)
            else [((word,), given)]
        )
        if not 1 <= len(listed) <= MAX_CONDITIONS:
            text = f"{word} needs between 1 and {MAX_CONDITIONS} conditions, not {len(listed)}."
            raise read.frame.document.fail((*read.place, word), text)
        found += [_read_condition(data, keys, read, waiting) for keys, data in listed]
    return tuple(found)


def _read_condition(data: Any, keys: tuple[str | int, ...], read: EntryReader, waiting: Waiting) -> StepCondition:
    place, document = (*read.place, *keys), read.frame.document
    unless = keys[0] == "unless"
    if not isinstance(data, dict) or not data:
        text = f"{keys[0]} must be a mapping, such as {{value: …, is: …}} or {{browser.expect: {{selector: …}}}}."
        raise document.fail(place, text)
    if "value" in data:
        return _read_comparison(data, place, read, unless=unless)
    if len(data) == 1 and "." in next(iter(data)):
        name, params = next(iter(data.items()))
        goal = read.ask(name, params, (*keys, name), waiting)
        return StepCondition(Reference(goal.goal_id, HOLDS), "is", wanted=True, unless=unless)
    known = ("value", *COMPARISONS)
    wrong = next((key for key in data if key not in known and "." not in key), next(iter(data)))
    text = f"{shorten(wrong)} is not what a condition looks at{suggest(wrong, known)}."
    hint = f"Write {{value: …}} with one of {', '.join(COMPARISONS)}, or one verb that only looks."
    raise document.fail((*place, wrong), text, hint=hint)


def _read_comparison(data: Mapping[str, Any], place: DocumentPath, read: EntryReader, *, unless: bool) -> StepCondition:
    document = read.frame.document
    named = [key for key in data if key != "value"]
    unknown = next((key for key in named if key not in COMPARISONS), None)
    if unknown is not None:
        text = f"unknown comparison {shorten(unknown)}{suggest(unknown, COMPARISONS)}."
        raise document.fail((*place, unknown), text, hint=f"Known: {', '.join(COMPARISONS)}.")
    if len(named) != 1:
        text = f"a condition needs one comparison; this one has {', '.join(named) or 'none'}."
        raise document.fail(place, text, hint=f"Known: {', '.join(COMPARISONS)}.")
    comparison: Comparison = next(each for each in COMPARISONS if each == named[0])
    value = read.frame.values.fill(data["value"], (*place, "value"))
    wanted = read.frame.values.fill(data[comparison], (*place, comparison))
    _check_wanted(comparison, wanted, (*place, comparison), read)
    return StepCondition(value, comparison, wanted, unless)


def _check_wanted(comparison: str, wanted: Any, place: DocumentPath, read: EntryReader) -> None:
    """Refuse what a value can't be compared with."""
    if comparison == "empty" and not isinstance(wanted, bool):
        raise read.frame.document.fail(place, f"empty is true or false, not {shorten(wanted)}.")
    is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
    if comparison in _NUMBERS and not (is_number or isinstance(wanted, Reference)):
        raise read.frame.document.fail(place, f"{comparison} needs a number, not {shorten(wanted)}.")
    if isinstance(wanted, Mapping | list) or wanted is None:
        raise read.frame.document.fail(place, f"{comparison} needs text, a number, or true or false.")


GOAL_WORDS = ("id", "scope", "object", "expect", "verify", *WHEN_WORDS, "retry")


def read_goal(entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading) -> None:
    """Add the goals of an entry with a verb.

    Raises:
        FlowError: If anything is wrong with it; names line and column.
    """
    document, values = frame.document, frame.values
    name = find_verb(entry, place, document)
    alias = read_alias(entry, place, frame)
    about = entry.get("object", "")
    if not isinstance(about, str):
        raise document.fail((*place, "object"), f"the object must be text, not {shorten(about)}.")
    waiting = read_waiting(entry, place, frame, reading)
    parts: dict[str, Any] = {"object": about, "scope": waiting.scope, "groups": frame.groups}
    read = EntryReader(place, frame, reading)
    conditions = read_conditions(entry, read, waiting)
    terms = frame.make_terms(conditions=conditions, follows=waiting.follows, **_read_retry(entry, place, document))
    params = read.fill_params(entry[name], name)
    domain, _, verb = name.partition(".")
    made = Goal(domain, verb, params, verify=_read_verify(entry, read), terms=terms, **parts)
    goal = reading.add(made, (*place, name), document)
    if alias:
        values.outputs[alias] = goal.goal_id
    if "expect" in entry:
        checked = read.fill_params(entry["expect"], "expect")
        together: StepTerms = frame.make_terms(only_with=goal.goal_id)
        expected = Goal(domain, "expect", checked, scope=f"after:{goal.goal_id}", groups=frame.groups, terms=together)
        goal = reading.add(expected, (*place, "expect"), document)
    if alias:
        frame.ends[alias] = goal.goal_id


def read_alias(entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame) -> str:
    """Return the name that the author gave to an entry; empty for none."""
    return frame.values.check_name(entry["id"], (*place, "id")) if "id" in entry else ""


def find_verb(
    entry: Mapping[str, Any], place: DocumentPath, document: Document, words: tuple[str, ...] = GOAL_WORDS
) -> str:
    """Return the one key of a goal that is a verb.

    Args:
        words: What it may have besides.

    Raises:
        FlowError: If there is none, or there are several.
    """
    names = [key for key in entry if key not in words]
    for name in names:
        domain, _, verb = name.partition(".")
        if not domain or not verb:
            text = f"unknown key {shorten(name)}{suggest(name, words)}; write verbs as domain.verb."
            hint = f"Besides the verb, a goal can have {', '.join(words)}." if words else ""
            raise document.fail((*place, name), text, hint=hint)
    if len(names) > 1:
        text = f"a goal needs one verb; this one has {', '.join(names)}."
        raise document.fail((*place, names[1]), text, hint="Make each a goal of its own.")
    if not names:
        raise document.fail(place, "a goal needs a verb, such as browser.click; this one has none.")
    return names[0]


def read_waiting(entry: Mapping[str, Any], place: DocumentPath, frame: EntryFrame, reading: FlowReading) -> Waiting:
    """Return what an entry waits for.

    Raises:
        FlowError: If its scope can't be used.
    """
    if "scope" not in entry:
        return reading.waiting
    scope = entry["scope"]
    place = (*place, "scope")
    if not isinstance(scope, str):
        raise frame.document.fail(place, f"the scope must be text, not {shorten(scope)}.")
    form, _, target = scope.partition(":")
    if form == "after" and target in frame.ends:
        return Waiting(f"after:{frame.ends[target]}")
    fault = reading.book.resolve(scope)[1]
    if not fault:
        return Waiting(scope)
    if form == "after" and target in frame.promised:
        itself = frame.promised[target] == place[-2]
        fault = "a goal can't come after itself" if itself else f'"{target}" comes later in the flow'
    known = [*frame.ends, *reading.book.words]
    text = f"the scope {shorten(scope)} can't be used: {fault}{suggest(target, known)}."
    raise frame.document.fail(place, text, code="bad_scope")


def _read_retry(entry: Mapping[str, Any], place: DocumentPath, document: Document) -> dict[str, Any]:
    if "retry" not in entry:
        return {}
    given = entry["retry"]
    data = {"times": given} if isinstance(given, int) else given
    part: RetryPart = read_word(RetryPart, data, (*place, "retry"), document)
    return {"attempts": part.times, "wait_s": float(part.wait)}


def _read_verify(entry: Mapping[str, Any], read: EntryReader) -> tuple[Goal, ...]:
    """Return the goals that tell after a crash whether an entry was carried out."""
    given = entry.get("verify", [])
    document, place = read.frame.document, (*read.place, "verify")
    if not isinstance(given, list) or not all(isinstance(each, dict) and len(each) == 1 for each in given):
        raise document.fail(place, "verify must be a list of goals, such as - browser.expect: {selector: …}.")
    goals: list[Goal] = []
    for number, each in enumerate(given):
        name = find_verb(each, (*place, number), document)
        domain, _, verb = name.partition(".")
        goals.append(Goal(domain, verb, read.fill_params(each[name], "verify", number, name)))
    return tuple(goals)
