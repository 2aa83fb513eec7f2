"""Flow files: goals in YAML or JSON, with variables, a policy, and references to what earlier goals gave."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.documents import Document, Place, parse_document, read_document
from core.budgets import Budget
from core.errors import FlowError
from core.goals import ROOT, Goal
from core.params import suggest
from core.policy import Policy
from core.references import Reference, Template

_GOAL_WORDS = ("id", "scope", "object", "expect")
_LATER_WORDS = ("repeat", "when", "retry", "secrets", "include")
_SLOT = re.compile(r"\$\$\{|\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

Scalar = str | int | float | bool


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _PolicyPart(_Closed):
    hosts: list[str] | None = None
    roots: list[str] | None = None
    verbs: list[str] | None = None


class _BudgetPart(_Closed):
    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    actions: Annotated[int, Field(gt=0, le=100_000)] | None = None


class _FlowPart(_Closed):
    name: str = ""
    vars: dict[str, Scalar] = Field(default_factory=dict)
    policy: _PolicyPart = Field(default_factory=_PolicyPart)
    budget: _BudgetPart = Field(default_factory=_BudgetPart)
    goals: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=5000)]


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow file, read.

    Attributes:
        name: Its name.
        goals: With every variable filled in.
        policy: What it may touch.
        budget: How long and how much.
        document: Where things stand in the file.
        places: For every goal, the place of its params.
    """

    name: str
    goals: tuple[Goal, ...]
    policy: Policy
    budget: Budget
    document: Document
    places: tuple[Place, ...]

    def locate(self, index: int, message: str, *, param: str = "", hint: str = "", code: str = "") -> FlowError:
        """Return an error about a goal, with file, line and column."""
        place = (*self.places[index], param) if param else self.places[index]
        return self.document.fail(place, message, hint=hint, code=code)


@dataclass(slots=True)
class _Reader:
    document: Document
    variables: Mapping[str, Scalar]
    goals: list[Goal]
    places: list[Place]
    ids: dict[str, str]


def load_flow(path: Path, overrides: Mapping[str, str] | None = None) -> Flow:
    """Read a flow file.

    Args:
        path: YAML or JSON file.
        overrides: Values for variables that the flow declares.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    return _read_flow(read_document(path), overrides or {})


def parse_flow(text: str, overrides: Mapping[str, str] | None = None, *, name: str = "flow") -> Flow:
    """Read a flow from text, as ``load_flow`` does from a file."""
    return _read_flow(parse_document(text, name), overrides or {})


def _read_flow(document: Document, overrides: Mapping[str, str]) -> Flow:
    if not isinstance(document.data, dict):
        raise document.fail((), "a flow is a mapping with the key goals.")
    _refuse_later(document.data, (), document)
    part = _validate(document)
    for name in overrides:
        if name not in part.vars:
            raise document.fail(("vars",), f'there is no variable "{name}"{suggest(name, part.vars)}.')
    reader = _Reader(document, part.vars | dict(overrides), [], [], {})
    for index, entry in enumerate(part.goals):
        _read_entry(entry, ("goals", index), reader)
    policy = Policy(*(_fill_all(reader, values, key) for key, values in part.policy.model_dump().items()))
    budget = Budget(part.budget.seconds, part.budget.actions)
    return Flow(part.name, tuple(reader.goals), policy, budget, document, tuple(reader.places))


def _validate(document: Document) -> _FlowPart:
    try:
        return _FlowPart.model_validate(document.data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = tuple(first["loc"])
        word = ".".join(str(part) for part in place)
        if first["type"] == "extra_forbidden":
            known = _FlowPart.model_fields if len(place) == 1 else _PolicyPart.model_fields
            raise document.fail(place, f'there is no key "{word}"{suggest(str(place[-1]), known)}.') from None
        raise document.fail(place, f"{word}: {first['msg']}.") from None


def _read_entry(entry: dict[str, Any], place: Place, reader: _Reader) -> None:
    _refuse_later(entry, place, reader.document)
    names = [key for key in entry if key not in _GOAL_WORDS]
    if len(names) != 1:
        found = f"it has {', '.join(names)}" if names else "it has none"
        text = f"a goal has exactly one key domain.verb; {found}."
        raise reader.document.fail(place, text, hint=f"Other keys: {', '.join(_GOAL_WORDS)}.")
    name = names[0]
    domain, _, verb = name.partition(".")
    if not domain or not verb:
        raise reader.document.fail((*place, name), f'"{name}" is no domain.verb, such as browser.click.')
    scope = _read_scope(entry, place, reader)
    params = _read_params(entry[name], (*place, name), reader)
    reader.places.append((*place, name))
    goal = Goal(domain, verb, params, str(entry.get("object", "")), f"g{len(reader.goals)}", scope)
    reader.goals.append(goal)
    if "expect" in entry:
        reader.places.append((*place, "expect"))
        checked = _read_params(entry["expect"], (*place, "expect"), reader)
        follow = f"after:{goal.goal_id}"
        reader.goals.append(Goal(domain, "expect", checked, goal_id=f"g{len(reader.goals)}", scope=follow))
    _remember_id(entry, place, goal, reader)


def _remember_id(entry: Mapping[str, Any], place: Place, goal: Goal, reader: _Reader) -> None:
    alias = entry.get("id")
    if alias is None:
        return
    if not isinstance(alias, str) or not _NAME.fullmatch(alias) or re.fullmatch(r"g\d+", alias):
        text = f"the id {alias!r} must be a word of letters, digits, - and _, and not g and a number."
        raise reader.document.fail((*place, "id"), text)
    if alias in reader.ids or alias in reader.variables:
        raise reader.document.fail((*place, "id"), f'the name "{alias}" is taken.')
    reader.ids[alias] = goal.goal_id


def _read_scope(entry: Mapping[str, Any], place: Place, reader: _Reader) -> str:
    last = f"after:{reader.goals[-1].goal_id}" if reader.goals else ROOT
    scope = entry.get("scope", last)
    if not isinstance(scope, str):
        raise reader.document.fail((*place, "scope"), f"the scope {scope!r} must be text.")
    form, _, target = scope.partition(":")
    return f"after:{reader.ids[target]}" if form == "after" and target in reader.ids else scope


def _read_params(data: Any, place: Place, reader: _Reader) -> dict[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise reader.document.fail(place, "params are a mapping, such as {selector: …}.")
    return {str(key): _fill(value, (*place, key), reader) for key, value in data.items()}


def _fill(value: Any, place: Place, reader: _Reader) -> Any:
    if isinstance(value, str):
        return _fill_text(value, place, reader)
    if isinstance(value, dict):
        return {key: _fill(each, (*place, key), reader) for key, each in value.items()}
    if isinstance(value, list):
        return [_fill(each, (*place, index), reader) for index, each in enumerate(value)]
    return value


def _fill_text(text: str, place: Place, reader: _Reader) -> Any:
    parts: list[str | Reference] = []
    end = 0
    for match in _SLOT.finditer(text):
        parts.append(text[end : match.start()])
        parts.append("${" if match.group() == "$${" else _resolve_slot(match.group(1), place, reader))
        end = match.end()
    parts.append(text[end:])
    joined = [part for part in parts if part != ""]
    if not any(isinstance(part, Reference) for part in joined):
        return _sole_variable(text, reader) if _SLOT.fullmatch(text) else "".join(map(str, joined))
    return joined[0] if len(joined) == 1 else Template(tuple(joined))


def _sole_variable(text: str, reader: _Reader) -> Scalar:
    """Return the value of a text that is one variable and nothing else, with its type kept."""
    return "${" if text == "$${" else reader.variables.get(text[2:-1].strip(), "${")


def _resolve_slot(slot: str, place: Place, reader: _Reader) -> str | Reference:
    name, dot, key = slot.strip().partition(".")
    if not dot and name in reader.variables:
        return str(reader.variables[name])
    if dot and key and name in reader.ids:
        return Reference(reader.ids[name], key)
    if dot:
        text = f'"{name}" is the id of no earlier goal{suggest(name, reader.ids)}.'
    else:
        text = f'there is no variable "{name}"{suggest(name, reader.variables)}.'
    raise reader.document.fail(place, text, hint="Write $${ for the characters ${ themselves.", code="unknown_name")


def _fill_all(reader: _Reader, values: Sequence[str] | None, key: str) -> tuple[str, ...] | None:
    return None if values is None else tuple(str(_fill_text(each, ("policy", key), reader)) for each in values)


def _refuse_later(data: Mapping[str, Any], place: Place, document: Document) -> None:
    for word in _LATER_WORDS:
        if word in data:
            raise document.fail((*place, word), f'"{word}" is not supported yet.', hint="See docs/flows.md.")


def with_ids(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Return goals numbered ``g0``, ``g1``, …, as scopes name them."""
    return tuple(replace(goal, goal_id=f"g{index}") for index, goal in enumerate(goals))
