"""The parts of a flow file, and what is wrong with one in our words."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.requests.documents import TOO_LARGE, Document, DocumentPath
from agent.requests.policy_parts import LimitingRulePart, PolicyPart, describe_fault
from core.rules.params import shorten, suggest

MAX_GOALS = 10_000
MAX_ROUNDS = 1_000
USUAL_ROUNDS = 100
MAX_ATTEMPTS = 20
MAX_WAIT_S = 60.0

Entries = list[dict[str, Any]]


class FlowModel(BaseModel):
    """A part of a flow: closed, and no text is guessed to be a number."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class BudgetPart(FlowModel):
    """How long and how much a run may take."""

    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    actions: Annotated[int, Field(gt=0, le=100_000)] | None = None


class EnvironmentPart(FlowModel):
    """A variable that comes from the environment."""

    env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)]
    default: str | int | float | bool | None = None
    type: Literal["text", "integer", "number", "boolean"] | None = None


class RetryPart(FlowModel):
    """How often a step is tried."""

    times: Annotated[int, Field(ge=1, le=MAX_ATTEMPTS)]
    wait: Annotated[float, Field(ge=0, le=MAX_WAIT_S)] = 0.0


class IncludePart(FlowModel):
    """Another flow, with values for its variables."""

    flow: str
    vars: dict[str, str | int | float | bool] = Field(default_factory=dict)


class RepeatPart(FlowModel):
    """Over what goals are repeated."""

    times: Annotated[int, Field(ge=1)] | None = None
    rows: str | None = None
    types: dict[str, Literal["text", "integer", "number", "boolean"]] = Field(default_factory=dict)
    name: str = Field(default="row", alias="as")
    on_failure: Literal["stop", "collect"] = "stop"
    at_most: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = USUAL_ROUNDS


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


def list_keys(part: type[BaseModel]) -> tuple[str, ...]:
    """Return the keys that a part of a flow may have, as flows write them."""
    return tuple(each.alias or name for name, each in part.model_fields.items())


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


def read_word(part: type[BaseModel], data: Any, place: DocumentPath, document: Document) -> Any:
    """Return what stands behind a word, such as ``retry``.

    Args:
        part: What it must be.
        data: What it is.
        place: Where it stands.
        document: Of which file.

    Raises:
        FlowError: If it isn't; names line and column.
    """
    try:
        return part.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys = tuple(each for each in first["loc"] if isinstance(each, int) or each in list_keys(part))
        word, where = str(place[-1]), tuple(first["loc"][:1])
        if first["type"] == "extra_forbidden":
            key, known = str(first["loc"][-1]), list_keys(part)
            text = f"unknown key {shorten(key)} of {word}{suggest(key, known)}."
            raise document.fail((*place, *where), text, hint=f"Known keys: {', '.join(known)}.") from None
        named = ".".join(map(str, (word, *keys)))
        if first["type"] == "missing":
            text = f"{word} needs {first['loc'][-1]}."
            raise document.fail(place, text, hint=f"Known keys: {', '.join(list_keys(part))}.") from None
        text = f"{named}: {first['msg'][:1].lower()}{first['msg'][1:]}; not {shorten(first['input'])}."
        raise document.fail((*place, *keys), text) from None
