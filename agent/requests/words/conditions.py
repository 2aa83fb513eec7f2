"""``when`` and ``unless``: a step is needed if what was read, or what a page shows, is so."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.requests.words.documents import DocumentPath
from core.goals.references import Reference
from core.goals.step_terms import COMPARISONS, HOLDS, Comparison, StepCondition
from core.rules.params import shorten, suggest

if TYPE_CHECKING:
    from agent.requests.words.reading import EntryReader, Waiting

WHEN_WORDS = ("when", "unless")
MAX_CONDITIONS = 20

_NUMBERS = ("above", "below")


def read_conditions(entry: Mapping[str, Any], read: "EntryReader", waiting: "Waiting") -> tuple[StepCondition, ...]:
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


def _read_condition(data: Any, keys: tuple[str | int, ...], read: "EntryReader", waiting: "Waiting") -> StepCondition:
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


def _read_comparison(
    data: Mapping[str, Any], place: DocumentPath, read: "EntryReader", *, unless: bool
) -> StepCondition:
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


def _check_wanted(comparison: str, wanted: Any, place: DocumentPath, read: "EntryReader") -> None:
    """Refuse what a value can't be compared with."""
    if comparison == "empty" and not isinstance(wanted, bool):
        raise read.frame.document.fail(place, f"empty is true or false, not {shorten(wanted)}.")
    is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
    if comparison in _NUMBERS and not (is_number or isinstance(wanted, Reference)):
        raise read.frame.document.fail(place, f"{comparison} needs a number, not {shorten(wanted)}.")
    if isinstance(wanted, Mapping | list) or wanted is None:
        raise read.frame.document.fail(place, f"{comparison} needs text, a number, or true or false.")
