"""Steps: the goals that a clause stands for, before they have ids and an order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from core.language.grammar import PhraseStep, SlotName
from core.language.interpretation import SlotValue
from core.language.spans import Span
from core.references import Reference
from core.selectors import quote_name

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Step:
    """One goal of a clause.

    Attributes:
        name: ``domain.verb``.
        params: Its params.
        span: The clause.
        pattern: The phrase that the clause matched.
        slots: The slots of the phrase, as they were filled.
        base: The scope that its relative paths hang below, or nothing.
    """

    name: str
    params: Mapping[str, Any]
    span: Span
    pattern: str
    slots: tuple[SlotValue, ...]
    base: str = ""

    @property
    def domain(self) -> str:
        """Its domain."""
        return self.name.partition(".")[0]

    @property
    def verb(self) -> str:
        """Its verb."""
        return self.name.partition(".")[2]

    @property
    def object(self) -> str:
        """What it is about, in the words of the sentence."""
        source = self.span.sentence.source
        return source[self.slots[0].start : self.slots[0].end] if self.slots else self.span.text


def fill_steps(steps: tuple[PhraseStep, ...], slots: Mapping[str, Any], first: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the goals that a phrase stands for, as pairs of ``domain.verb`` and params.

    A step with a slot that wasn't filled is left out.

    Args:
        steps: The steps of the phrase.
        slots: What the slots were filled with.
        first: How many goals are in front of them in the sentence.
    """
    filled: list[tuple[str, dict[str, Any]]] = []
    places: dict[str, str] = {}
    for number, step in enumerate(steps, 1):
        try:
            params = {key: _fill(value, slots, places) for key, value in step.params.items()}
        except KeyError:
            continue
        places[str(number)] = f"g{first + len(filled)}"
        filled.append((step.name, params))
    return filled


def _fill(value: object, slots: Mapping[str, Any], places: Mapping[str, str]) -> Any:
    """Return a value with its slots and references filled in.

    Raises:
        KeyError: If a slot wasn't filled, or the goal that is referred to was left out.
    """
    if isinstance(value, SlotName):
        return slots[value.name]
    if isinstance(value, Reference):
        return Reference(places[value.goal_id], value.key)
    if isinstance(value, str):
        return _SLOT.sub(lambda match: quote_name(str(slots[match[1]])), value)
    if isinstance(value, dict):
        # Of a mapping, only what wasn't filled is left out.
        pairs = (
            (key, _SLOT.fullmatch(each) if isinstance(each, str) else None, each)
            for key, each in cast("dict[str, object]", value).items()
        )
        return {key: slots[lone[1]] if lone else each for key, lone, each in pairs if not lone or lone[1] in slots}
    if isinstance(value, list):
        return [_fill(each, slots, places) for each in cast("list[object]", value)]
    return value
