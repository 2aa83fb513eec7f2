"""StepTerms: on which terms a step is carried out. They may leave a step out or repeat it, and never widen what it does."""

from collections.abc import Iterator
from typing import Any, Literal, get_args

from core.base.late_dataclasses import dataclass
from core.goals.references import Reference, find_references

Comparison = Literal["is", "is_not", "above", "below", "contains", "empty"]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)

HOLDS = "holds"
"""What a step that only asks gives: whether what it expects is so."""

EACH = "*"
"""Stands for the number of the row in references of a loop's body, as long as nobody knows how many rows there are."""


@dataclass(frozen=True, slots=True)
class StepCondition:
    """What must be so, or ``unless`` not, for a step to be needed: a scalar, reference or text compared; ``empty`` takes true or false."""

    value: Any
    comparison: Comparison
    wanted: Any = True
    unless: bool = False


@dataclass(frozen=True, slots=True)
class RowLoop:
    """A loop over at most so many rows that are read while the run goes on; it may collect failures, and lie within another."""

    loop_id: str
    rows: Reference
    at_most: int
    title: str = "row"
    collects: bool = False
    conditions: tuple[StepCondition, ...] = ()
    each: str = EACH
    within: "RowLoop | None" = None

    @property
    def chain(self) -> "tuple[RowLoop, ...]":
        """It and the loops around it, the outermost first."""
        return (*(self.within.chain if self.within else ()), self)

    @property
    def references(self) -> tuple[Reference, ...]:
        """What earlier steps have to give before it can be opened, or found not to be needed."""
        return (self.rows, *find_references([[each.value, each.wanted] for each in self.conditions]))


@dataclass(frozen=True, slots=True)
class StepTerms:
    """On which terms a step is carried out.

    Attributes:
        conditions: All of them must hold, else it is left out.
        only_with: A goal: where that is left out, it is too.
        is_question: It asks whether something is so; that it isn't is an answer, and no failure.
        always: It is carried out whatever came of all before it, also after a stop.
        loop: The loop that it is the body of, before its rows are known.
        rounds_above: Where that is itself of a round, the goals of the bodies further out, the outermost first.
    """

    conditions: tuple[StepCondition, ...] = ()
    only_with: str = ""
    follows: tuple[str, ...] = ()
    attempts: int = 1
    wait_s: float = 0.0
    is_question: bool = False
    always: bool = False
    loop: RowLoop | None = None
    round_of: str = ""
    rounds_above: tuple[str, ...] = ()
    row_digest: str = ""

    @property
    def references(self) -> tuple[Reference, ...]:
        """What earlier steps have to give before it can be decided."""
        rows = [each for loop in (self.loop.chain if self.loop else ()) for each in loop.references]
        return (*rows, *find_references([[each.value, each.wanted] for each in self.conditions]))

    @property
    def awaited(self) -> tuple[str, ...]:
        """Goals that are waited for because of these terms."""
        together = (self.only_with,) if self.only_with else ()
        return tuple(dict.fromkeys((*together, *self.follows, *(each.goal_id for each in self.references))))


PLAIN_TERMS = StepTerms()


def tell_condition(condition: StepCondition) -> str:
    """Return a condition in words."""
    value = condition.value
    if isinstance(value, Reference) and value.key == HOLDS:
        return f"{value.goal_id} says yes"
    if condition.comparison == "empty":
        return f"{value} {'is' if condition.wanted else 'is not'} empty"
    return f"{value} {condition.comparison.replace('_', ' ')} {condition.wanted}"


def tell_terms(terms: StepTerms) -> Iterator[str]:
    """Yield the terms in words, for plans."""
    for each in terms.conditions:
        yield f"{'unless' if each.unless else 'if'} {tell_condition(each)}"
    if terms.is_question:
        yield "only asks"
    if terms.attempts > 1:
        wait = f", {terms.wait_s:g} s apart" if terms.wait_s else ""
        yield f"up to {terms.attempts} attempts{wait}"
    for loop in terms.loop.chain if terms.loop else ():
        yield f"for each of {loop.rows}, at most {loop.at_most:,}"
    if terms.always:
        yield "whatever happened"
