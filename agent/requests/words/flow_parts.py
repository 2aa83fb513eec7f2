"""The parts of a flow file, and what is wrong with one in our words."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from agent.requests.words.documents import TOO_LARGE, Document, DocumentPath
from agent.requests.words.policy_parts import LimitingRulePart, PolicyPart, describe_fault
from agent.requests.words.word_parts import MAX_GOALS, FlowModel, list_keys
from core.rules.params import suggest


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
