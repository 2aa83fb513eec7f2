"""The parts of a flow file, and what is wrong with one in our words."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from agent.requests.words.documents import TOO_LARGE, Document, DocumentPath
from agent.requests.words.policy_parts import LIMITS, LimitingRulePart, PolicyPart, describe_fault, read_rules
from agent.requests.words.word_parts import MAX_GOALS, FlowModel, list_keys
from core.base.budgets import Budget
from core.goals.secret_values import is_secret_name
from core.policy.policy import Policy
from core.rules.params import shorten, suggest


class BudgetPart(FlowModel):
    """How long and how much a run may take."""

    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    actions: Annotated[int, Field(gt=0, le=100_000)] | None = None


class FlowPart(FlowModel):
    """A whole flow."""

    name: str = ""
    vars: dict[str, Any] = Field(default_factory=dict)
    secrets: list[str] = Field(default_factory=list, max_length=1000)
    policy: PolicyPart = Field(default_factory=PolicyPart)
    budget: BudgetPart = Field(default_factory=BudgetPart)
    goals: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MAX_GOALS)]
    closing: Annotated[list[dict[str, Any]], Field(max_length=MAX_GOALS)] = Field(default_factory=list, alias="finally")


PARTS: Mapping[str, type[BaseModel]] = {"": FlowPart, "policy": PolicyPart, "budget": BudgetPart}


def read_flow_part(document: Document) -> FlowPart:
    """Return a flow as its parts.

    Raises:
        FlowError: If it isn't one; names line and column.
    """
    if not isinstance(document.data, dict):
        raise document.fail((), "a flow must be a mapping with the key goals.")
    try:
        return FlowPart.model_validate(document.data)
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
        known = list_keys(PARTS[top if len(parts) > 1 else ""])
        return f'unknown key "{word}"{suggest(parts[-1], known)}.', f"Known keys: {', '.join(known)}."
    if word == "goals" and kind in {"missing", "too_short"}:
        return "a flow needs at least one goal, under the key goals.", ""
    if word == top and top in {"goals", "finally"} and kind == "too_long":
        return f"a flow can have at most {MAX_GOALS:,} goals.", "Split it into several flows."
    if top in {"goals", "finally"} and len(parts) > 1:
        hint = f'Write "{value}: {{}}".' if isinstance(value, str) and "." in value else ""
        return "a goal must be a mapping, such as browser.click: {selector: …}.", hint
    return f"{word}: {message[:1].lower()}{message[1:]}.", ""


if TYPE_CHECKING:
    from agent.requests.words.flow_values import FlowValues


def read_limits(part: FlowPart, values: "FlowValues", document: Document) -> tuple[Policy, Budget]:
    """Return what a flow may touch, and how long and how much it may take.

    Raises:
        FlowError: If the policy makes no sense.
    """
    return _read_policy(part.policy, values, document), Budget(part.budget.seconds, part.budget.actions)


def read_secrets(names: Sequence[str], document: Document) -> tuple[str, ...]:
    """Return the names of the secrets that a flow may use.

    Raises:
        FlowError: If one is no name for a secret.
    """
    for index, name in enumerate(names):
        if not is_secret_name(name):
            text = f"{shorten(name)} is not a name for a secret."
            hint = (
                "Write the bare name: a letter, then letters, digits and _; its value is set with surehand secrets set."
            )
            raise document.fail(("secrets", index), text, hint=hint)
    return tuple(names)


def _read_policy(part: PolicyPart, values: "FlowValues", document: Document) -> Policy:
    hosts, roots, verbs, windows = (_fill_all(values, getattr(part, key), key) for key in LIMITS)
    rules = read_rules(part.rules, ("policy", "rules"), document, values.fill)
    return Policy(hosts, roots, verbs, rules=rules, windows=windows)


def _fill_all(values: "FlowValues", entries: Sequence[str] | None, key: str) -> tuple[str, ...] | None:
    if entries is None:
        return None
    filled = [values.fill(entry, ("policy", key, index)) for index, entry in enumerate(entries)]
    return tuple(map(str, filled))
