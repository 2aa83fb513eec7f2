"""The groups and terms of a planned action as JSON and back; an action without any has none in its row."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.goals.references import Reference
from core.goals.step_terms import PLAIN_TERMS, RowLoop, StepCondition, StepTerms
from core.journal.serialization import pack_value, unpack_value
from core.planning.plans import PlannedAction

_PLAIN = ("only_with", "attempts", "wait_s", "is_question", "always", "round_of", "row_digest")


def pack_terms(action: PlannedAction) -> dict[str, Any]:
    """Return the groups and terms of an action as data that ``unpack_terms`` reads back."""
    found: dict[str, Any] = {"groups": list(action.groups)} if action.groups else {}
    terms = action.terms
    if terms == PLAIN_TERMS:
        return found
    packed = {name: getattr(terms, name) for name in _PLAIN} | {"follows": list(terms.follows)}
    packed["conditions"] = _pack_conditions(terms.conditions)
    if terms.loop:
        packed["loop"] = _pack_loop(terms.loop)
    if terms.rounds_above:
        packed["rounds_above"] = list(terms.rounds_above)
    return {**found, "terms": packed}


def unpack_terms(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the groups and terms that ``pack_terms`` packed, by the names of the attributes.

    Raises:
        ValueError: If they are none.
    """
    found: dict[str, Any] = {"groups": tuple(data.get("groups", ())), "terms": PLAIN_TERMS}
    if packed := data.get("terms"):
        found["terms"] = StepTerms(
            conditions=_unpack_conditions(packed["conditions"]),
            follows=tuple(packed["follows"]),
            loop=_unpack_loop(packed.get("loop")),
            rounds_above=tuple(packed.get("rounds_above", ())),
            **{name: packed[name] for name in _PLAIN},
        )
    return found


def _pack_conditions(conditions: Sequence[StepCondition]) -> list[Any]:
    return [[pack_value(each.value), each.comparison, pack_value(each.wanted), each.unless] for each in conditions]


def _unpack_conditions(packed: Any) -> tuple[StepCondition, ...]:
    return tuple(
        StepCondition(unpack_value(value), comparison, unpack_value(wanted), unless)
        for value, comparison, wanted, unless in packed
    )


def _pack_loop(loop: RowLoop) -> list[Any]:
    around = {"conditions": _pack_conditions(loop.conditions), "each": loop.each}
    if loop.within:
        around["within"] = _pack_loop(loop.within)
    return [loop.loop_id, [loop.rows.goal_id, loop.rows.key], loop.at_most, loop.title, loop.collects, around]


def _unpack_loop(packed: Any) -> RowLoop | None:
    if packed is None:
        return None
    loop_id, rows, at_most, title, collects, around = packed
    return RowLoop(
        loop_id,
        Reference(*rows),
        at_most,
        title,
        collects,
        _unpack_conditions(around["conditions"]),
        around["each"],
        _unpack_loop(around.get("within")),
    )
