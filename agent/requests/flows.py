"""Flow files: goals in YAML or JSON, with variables, a policy, and references to what earlier goals gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.requests.documents import TOO_LARGE, Document, DocumentPath, parse_document, read_document
from agent.requests.flow_values import FlowValues, Scalar
from agent.requests.policy_parts import LIMITS, LimitingRulePart, PolicyPart, describe_fault, read_rules
from core.base.budgets import Budget
from core.base.errors import FlowError
from core.goals.meta_goals import ROOT, Goal
from core.goals.scope_book import ScopeBook
from core.goals.secret_values import is_secret_name
from core.policy.policy import Policy
from core.rules.params import shorten, suggest

MAX_GOALS = 10_000
_GOAL_WORDS = ("id", "scope", "object", "expect", "verify")
_LATER_WORDS = ("repeat", "when", "retry", "include")


class _FlowModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _BudgetPart(_FlowModel):
    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    actions: Annotated[int, Field(gt=0, le=100_000)] | None = None


class _FlowPart(_FlowModel):
    name: str = ""
    vars: dict[str, Scalar] = Field(default_factory=dict)
    secrets: list[str] = Field(default_factory=list, max_length=1000)
    policy: PolicyPart = Field(default_factory=PolicyPart)
    budget: _BudgetPart = Field(default_factory=_BudgetPart)
    goals: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MAX_GOALS)]


_PARTS: Mapping[str, type[BaseModel]] = {"": _FlowPart, "policy": PolicyPart, "budget": _BudgetPart}


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
        secrets: Names of the secrets that it may use, and no others; None for all, which a goals file may.
        names: Ids of goals by the names that the author gave them.
        is_part: Whether it is what is left of the file once some of it was done.
    """

    name: str
    goals: tuple[Goal, ...]
    policy: Policy
    budget: Budget
    document: Document
    places: tuple[DocumentPath, ...]
    secrets: tuple[str, ...] | None = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    is_part: bool = False

    @property
    def places_of_goals(self) -> dict[str, str]:
        """Where each goal stands in the file, such as ``goals.3.browser.click``, by its id."""
        return {goal.goal_id: ".".join(map(str, place)) for goal, place in zip(self.goals, self.places, strict=True)}

    def locate(
        self, index: int, message: str, *, params: Sequence[str] = (), hint: str = "", code: str = ""
    ) -> FlowError:
        """Return an error about a goal, with file, line and column.

        Args:
            index: Number of the goal, from 0.
            message: What is wrong.
            params: Params that it is about; it points at the first that the file has, else at the goal.
            hint: What to do about it.
            code: Code of the error.
        """
        places = [(*self.places[index], param) for param in params]
        place = next((each for each in places if each in self.document.marks), self.places[index])
        return self.document.fail(place, message, hint=hint, code=code)


@dataclass(slots=True)
class _FlowReader:
    document: Document
    values: FlowValues
    promised: Mapping[str, int]
    goals: list[Goal] = field(default_factory=list[Goal])
    places: list[DocumentPath] = field(default_factory=list[DocumentPath])
    ends: dict[str, str] = field(default_factory=dict[str, str])
    book: ScopeBook = field(default_factory=ScopeBook)

    def add(self, name: str, params: Mapping[str, Any], place: DocumentPath, **others: Any) -> Goal:
        """Append a goal and where its params stand."""
        domain, _, verb = name.partition(".")
        goal = Goal(domain, verb, params, goal_id=f"g{len(self.goals)}", **others)
        self.goals.append(goal)
        self.places.append(place)
        self.book.add(goal)
        return goal


def load_flow(path: Path, overrides: Mapping[str, str] | None = None) -> Flow:
    """Read a flow file.

    Args:
        path: YAML or JSON file.
        overrides: Values for variables that the flow declares, as text.

    Raises:
        FlowError: If anything is wrong with it; names file, line and column.
    """
    return _read_flow(read_document(path), overrides or {})


def parse_flow(text: str, overrides: Mapping[str, str] | None = None, *, name: str = "flow") -> Flow:
    """Read a flow from text, as ``load_flow`` does from a file."""
    return _read_flow(parse_document(text, name), overrides or {})


def _read_flow(document: Document, overrides: Mapping[str, str]) -> Flow:
    if not isinstance(document.data, dict):
        raise document.fail((), "a flow must be a mapping with the key goals.")
    _refuse_later(document.data, (), document)
    part = _validate(document)
    values = FlowValues(document)
    values.declare(part.vars, overrides)
    policy = _read_policy(part.policy, values, document)
    secrets = _read_secrets(part.secrets, document)
    promised = {str(entry["id"]): index for index, entry in enumerate(part.goals) if "id" in entry}
    reader = _FlowReader(document, values, promised)
    for index, entry in enumerate(part.goals):
        _read_entry(entry, index, reader)
    budget = Budget(part.budget.seconds, part.budget.actions)
    return Flow(part.name, tuple(reader.goals), policy, budget, document, tuple(reader.places), secrets, values.outputs)


def _read_secrets(names: Sequence[str], document: Document) -> tuple[str, ...]:
    for index, name in enumerate(names):
        if not is_secret_name(name):
            text = f"{shorten(name)} is not a name for a secret."
            hint = (
                "Write the bare name: a letter, then letters, digits and _; its value is set with surehand secrets set."
            )
            raise document.fail(("secrets", index), text, hint=hint)
    return tuple(names)


def _validate(document: Document) -> _FlowPart:
    try:
        return _FlowPart.model_validate(document.data)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
        place = tuple(first["loc"])
        message, hint = _describe(place, first["type"], first["msg"], first["input"])
        raise document.fail(place, message, hint=hint, code=TOO_LARGE if first["type"] == "too_long" else "") from None


def _describe(place: DocumentPath, kind: str, message: str, value: object) -> tuple[str, str]:
    """Return what is wrong with a part of a flow, and a hint, in our words."""
    parts = [str(part) for part in place]
    word, top = ".".join(parts), parts[0]
    if top == "policy" and parts[1:2] == ["rules"]:
        return describe_fault(place[1:], kind, message, LimitingRulePart)
    if kind == "extra_forbidden":
        known = _PARTS[top if len(parts) > 1 else ""].model_fields
        return f'unknown key "{word}"{suggest(parts[-1], known)}.', f"Known keys: {', '.join(known)}."
    if word == "goals" and kind in {"missing", "too_short"}:
        return "a flow needs at least one goal, under the key goals.", ""
    if word == "goals" and kind == "too_long":
        return f"a flow can have at most {MAX_GOALS:,} goals.", "Split it into several flows."
    if top == "goals" and len(parts) > 1:
        hint = f'Write "{value}: {{}}".' if isinstance(value, str) and "." in value else ""
        return "a goal must be a mapping, such as browser.click: {selector: …}.", hint
    if top == "vars" and len(parts) > 1:
        return f'the variable "{parts[1]}" must be text, a number, or true or false; not {shorten(value)}.', ""
    return f"{word}: {message[:1].lower()}{message[1:]}.", ""


def _read_entry(entry: dict[str, Any], index: int, reader: _FlowReader) -> None:
    place: DocumentPath = ("goals", index)
    _refuse_later(entry, place, reader.document)
    name = _find_name(entry, place, reader.document)
    alias = reader.values.check_name(entry["id"], (*place, "id")) if "id" in entry else ""
    about = entry.get("object", "")
    if not isinstance(about, str):
        raise reader.document.fail((*place, "object"), f"the object must be text, not {shorten(about)}.")
    scope = _read_scope(entry, index, reader)
    params = _read_params(entry[name], (*place, name), reader)
    goal = reader.add(
        name, params, (*place, name), object=about, scope=scope, verify=_read_verify(entry, index, reader)
    )
    if alias:
        reader.values.outputs[alias] = goal.goal_id
    if "expect" in entry:
        checked = _read_params(entry["expect"], (*place, "expect"), reader)
        after = f"after:{goal.goal_id}"
        goal = reader.add(f"{goal.domain}.expect", checked, (*place, "expect"), scope=after)
    if alias:
        reader.ends[alias] = goal.goal_id


def _read_verify(entry: Mapping[str, Any], index: int, reader: _FlowReader) -> tuple[Goal, ...]:
    """Return the goals that tell after a crash whether an entry was carried out."""
    place: DocumentPath = ("goals", index, "verify")
    given = entry.get("verify", [])
    if not isinstance(given, list) or not all(isinstance(each, dict) and len(each) == 1 for each in given):
        raise reader.document.fail(place, "verify must be a list of goals, such as - browser.expect: {selector: …}.")
    goals: list[Goal] = []
    for number, each in enumerate(given):
        name = _find_name(each, (*place, number), reader.document)
        domain, _, verb = name.partition(".")
        goals.append(Goal(domain, verb, _read_params(each[name], (*place, number, name), reader)))
    return tuple(goals)


def _find_name(entry: Mapping[str, Any], place: DocumentPath, document: Document) -> str:
    """Return the one key of a goal that is a verb."""
    names = [key for key in entry if key not in _GOAL_WORDS]
    for name in names:
        domain, _, verb = name.partition(".")
        if not domain or not verb:
            text = f"unknown key {shorten(name)}{suggest(name, _GOAL_WORDS)}; write verbs as domain.verb."
            hint = f"Besides the verb, a goal can have {', '.join(_GOAL_WORDS)}."
            raise document.fail((*place, name), text, hint=hint)
    if len(names) > 1:
        text = f"a goal needs one verb; this one has {', '.join(names)}."
        raise document.fail((*place, names[1]), text, hint="Make each a goal of its own.")
    if not names:
        raise document.fail(place, "a goal needs a verb, such as browser.click; this one has none.")
    return names[0]


def _read_scope(entry: Mapping[str, Any], index: int, reader: _FlowReader) -> str:
    last = f"after:{reader.goals[-1].goal_id}" if reader.goals else ROOT
    scope = entry.get("scope", last)
    place: DocumentPath = ("goals", index, "scope")
    if not isinstance(scope, str):
        raise reader.document.fail(place, f"the scope must be text, not {shorten(scope)}.")
    form, _, target = scope.partition(":")
    if form == "after" and target in reader.ends:
        return f"after:{reader.ends[target]}"
    fault = reader.book.resolve(scope)[1]
    if not fault:
        return scope
    if form == "after" and target in reader.promised:
        itself = reader.promised[target] == index
        fault = "a goal can't come after itself" if itself else f'"{target}" comes later in the flow'
    known = [*reader.ends, *reader.book.words]
    text = f"the scope {shorten(scope)} can't be used: {fault}{suggest(target, known)}."
    raise reader.document.fail(place, text, code="bad_scope")


def _read_params(data: Any, place: DocumentPath, reader: _FlowReader) -> dict[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise reader.document.fail(place, "params must be a mapping, such as {selector: …}.")
    return reader.values.fill(data, place)


def _read_policy(part: PolicyPart, values: FlowValues, document: Document) -> Policy:
    hosts, roots, verbs, windows = (_fill_all(values, getattr(part, key), key) for key in LIMITS)
    rules = read_rules(part.rules, ("policy", "rules"), document, values.fill)
    return Policy(hosts, roots, verbs, rules=rules, windows=windows)


def _fill_all(values: FlowValues, entries: Sequence[str] | None, key: str) -> tuple[str, ...] | None:
    if entries is None:
        return None
    filled = [values.fill(entry, ("policy", key, index)) for index, entry in enumerate(entries)]
    return tuple(map(str, filled))


def _refuse_later(data: Mapping[str, Any], place: DocumentPath, document: Document) -> None:
    for word in _LATER_WORDS:
        if word in data:
            text = f'"{word}" is not supported yet.'
            raise document.fail(
                (*place, word), text, hint="See docs/guides/flows.md for what flows can do.", code="unsupported"
            )
